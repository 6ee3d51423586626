// The configuration file: read once when the daemon starts; whatever in it is wrong is refused in one sentence.
import fs from 'node:fs';
import { parseDocument } from 'yaml';
import type { Profiles } from '../agents/index.js';
import { type Config, DEFAULT_CONFIG } from '../mail/index.js';
import { CONFIG_KEYS, type ConfigKey, formatValue, readValue } from './config-keys.js';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface LoadedConfig {
  file: string;
  // What stood in the file, to notice a change; null if there was none.
  source: string | null;
  config: Config;
  fromFile: ReadonlySet<ConfigKey>;
}

export interface ConfigValue {
  key: ConfigKey;
  value: string | boolean | string[];
  from: 'file' | 'default';
  about: string;
}

export function loadConfig(file: string, profiles: Profiles): LoadedConfig {
  const source = readSource(file);
  const given = source === null ? {} : parse(file, source);
  const config: Config = { ...DEFAULT_CONFIG };
  const fromFile = new Set<ConfigKey>();
  for (const [key, value] of Object.entries(given)) {
    if (!isKey(key))
      throw new ConfigError(
        `${file}: there is no key "${key}"; the keys are ${names(Object.keys(CONFIG_KEYS))}`,
      );
    const read = readValue(key, value);
    if ('expected' in read) throw wrong(file, key, value, read.expected);
    Object.assign(config, { [CONFIG_KEYS[key].field]: read.value });
    fromFile.add(key);
  }
  checkAgents(file, config, profiles);
  return { file, source, config, fromFile };
}

export const configValues = ({ config, fromFile }: LoadedConfig): ConfigValue[] =>
  (Object.keys(CONFIG_KEYS) as ConfigKey[]).map((key) => ({
    key,
    value: formatValue(config[CONFIG_KEYS[key].field]),
    from: fromFile.has(key) ? 'file' : 'default',
    about: CONFIG_KEYS[key].about,
  }));

// What the file would mean now: the same as when it was read, another thing at the next start, or nothing at all.
export type Freshness = { kind: 'same' } | { kind: 'changed' } | { kind: 'broken'; why: string };

// `profiles`: those that the next start would know.
export function freshness({ file, source }: LoadedConfig, profiles: Profiles): Freshness {
  try {
    return loadConfig(file, profiles).source === source ? { kind: 'same' } : { kind: 'changed' };
  } catch (error) {
    return { kind: 'broken', why: (error as Error).message };
  }
}

function readSource(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse(file: string, source: string): Record<string, unknown> {
  const document = parseDocument(source, { prettyErrors: false });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) {
    const line = source.slice(0, problem.pos[0]).split('\n').length;
    throw new ConfigError(`${file} is no valid YAML: line ${line}: ${problem.message}`);
  }
  const content: unknown = document.toJS();
  // A file of comments alone sets nothing.
  if (content === null || content === undefined) return {};
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigError(`${file} must hold lines of the form "key: value", such as "past_draft: stale"`);
  return content as Record<string, unknown>;
}

// What is right by itself and wrong beside another. A Ctrl-C is pressed only where the profile knows what it does.
function checkAgents(file: string, config: Config, profiles: Profiles): void {
  const allowed = profiles.names.filter((name) => offersInterrupt(profiles, name));
  const other = config.interruptAndDiff.find((name) => !allowed.includes(name));
  if (other === undefined) return;
  const which = `an agent whose profile offers the protocol interrupt: ${allowed.join(', ')}`;
  if (other === 'generic' || !profiles.find(other)) throw wrong(file, 'interrupt_and_diff', other, which);
  const why = 'for others it is not known that a Ctrl-C loses nothing of a draft';
  throw wrong(file, 'interrupt_and_diff', other, `${which}; ${why}`);
}

const offersInterrupt = (profiles: Profiles, name: string): boolean =>
  profiles.find(name)?.protocols.some(({ protocol }) => protocol === 'interrupt') === true;

const wrong = (file: string, key: string, value: unknown, expected: string): ConfigError =>
  value === null
    ? new ConfigError(`${file}: ${key}: has no value; must be ${expected}, or take the line out`)
    : new ConfigError(`${file}: ${key} ${shown(value)}: must be ${expected}`);

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return `"${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`;
};

const isKey = (key: string): key is ConfigKey => Object.hasOwn(CONFIG_KEYS, key);
const names = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
