// The configuration: the file against the keys. Whatever in it is wrong is refused in one sentence, with the line.
import type { Profiles } from '../agents/index.js';
import { type Config, DEFAULT_CONFIG } from '../mail/index.js';
import { statesOf } from '../signals/index.js';
import { ConfigError, type Entry, type Problem, parseEntries, readSource } from './config-file.js';
import {
  CONFIG_KEYS,
  type ConfigKey,
  isKey,
  isSecret,
  readValue,
  SECTION,
  SECTION_KEYS,
  showValue,
} from './config-keys.js';
import type { Shown } from './config-values.js';

export { ConfigError } from './config-file.js';

export interface LoadedConfig {
  file: string;
  // What stood in the file; null if there was none.
  source: string | null;
  config: Config;
  // The line of each key that the file sets.
  lines: ReadonlyMap<ConfigKey, number>;
}

export interface ConfigValue {
  key: string;
  value: Shown;
  from: 'file' | 'default' | 'environment';
  // In the file.
  line: number | null;
  about: string;
}

export const loadConfig = (file: string, profiles: Profiles): LoadedConfig =>
  understand(file, readSource(file), profiles);

export function understand(file: string, source: string | null, profiles: Profiles): LoadedConfig {
  const config: Config = { ...DEFAULT_CONFIG };
  const lines = new Map<ConfigKey, number>();
  const problems: Problem[] = [];
  const entries = source === null ? [] : parseEntries(file, source);
  for (const entry of entries) {
    const found = readEntry(entry, lines, profiles);
    if ('message' in found) problems.push(found);
    else {
      Object.assign(config, { [CONFIG_KEYS[found.key].field]: found.value });
      lines.set(found.key, entry.line);
    }
  }
  const actions = lines.has('signal_actions') && entries.find(({ key }) => key === 'signal_actions');
  if (actions) problems.push(...checkStates(actions, statesOf(config)));
  if (problems.length > 0) throw new ConfigError(file, problems);
  return { file, source, config, lines };
}

export const configValues = ({ config, lines }: LoadedConfig): ConfigValue[] =>
  (Object.keys(CONFIG_KEYS) as ConfigKey[]).map((key) => ({
    key,
    value: showValue(key, config),
    from: lines.has(key) ? 'file' : 'default',
    line: lines.get(key) ?? null,
    about: CONFIG_KEYS[key].about,
  }));

function readEntry(
  entry: Entry,
  before: ReadonlyMap<ConfigKey, number>,
  profiles: Profiles,
): { key: ConfigKey; value: unknown } | Problem {
  const { key, section, value, line } = entry;
  if (!isKey(key)) return { line, message: unknownKey(key) };
  if (section !== null && !SECTION_KEYS.includes(key))
    return { line, message: `${key} does not belong below ${SECTION}: there are ${names(SECTION_KEYS)}` };
  const first = before.get(key);
  if (first !== undefined) return { line, message: `${key} is set in line ${first} already` };
  const read = readValue(key, value);
  if ('expected' in read) {
    const at = read.path.reduce<unknown>((inside, step) => Object(inside)[step], value);
    const name = nameAt(key, read.path);
    return {
      line: entry.lineAt(read.path),
      message: wrong(name, isSecret(key) ? undefined : at, read.expected),
    };
  }
  const refusal = key === 'interrupt_and_diff' ? checkAgents(read.value as string[], profiles) : undefined;
  return refusal === undefined ? { key, value: read.value } : { line, message: refusal };
}

const unknownKey = (key: string): string =>
  `there is no key "${key}"; the keys are ${names(Object.keys(CONFIG_KEYS))}`;

const nameAt = (key: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => text + stepName(step), key);

const stepName = (step: PropertyKey): string => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`);

// What is right by itself and wrong beside another. A Ctrl-C is pressed only where the profile knows what it does.
function checkAgents(interrupted: readonly string[], profiles: Profiles): string | undefined {
  const allowed = profiles.names.filter((name) => offersInterrupt(profiles, name));
  const other = interrupted.find((name) => !allowed.includes(name));
  if (other === undefined) return undefined;
  const which = `an agent whose profile offers the protocol interrupt: ${allowed.join(', ')}`;
  if (other === 'generic' || !profiles.find(other)) return wrong('interrupt_and_diff', other, which);
  const why = 'for others it is not known that a Ctrl-C loses nothing of a draft';
  return wrong('interrupt_and_diff', other, `${which}; ${why}`);
}

// An action for a state that there is not would never be taken. Their form is known to be right.
function checkStates(entry: Entry, states: object): Problem[] {
  const actions = entry.value as { on?: string | string[] }[];
  const expected = `one of ${Object.keys(states).join(', ')}; signal_states adds others`;
  return actions.flatMap(({ on = [] }, index) =>
    [on].flat().flatMap((state, at) => {
      if (Object.hasOwn(states, state)) return [];
      const path = [index, 'on', ...(Array.isArray(on) ? [at] : [])];
      return [{ line: entry.lineAt(path), message: wrong(nameAt(entry.key, path), state, expected) }];
    }),
  );
}

const offersInterrupt = (profiles: Profiles, name: string): boolean =>
  profiles.find(name)?.protocols.some(({ protocol }) => protocol === 'interrupt') === true;

// A value of undefined is not shown.
function wrong(name: string, value: unknown, expected: string): string {
  if (value === null) return `${name}: has no value; must be ${expected}, or take the line out`;
  return value === undefined
    ? `${name}: must be ${expected}`
    : `${name} ${shown(value)}: must be ${expected}`;
}

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return `"${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`;
};

const names = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
