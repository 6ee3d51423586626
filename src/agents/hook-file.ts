// Our hooks in an agent's own settings file: put in beside the user's, and taken out so that the file is as it was.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type HookSettings, isBlank, jsonIn, withHooks, withoutHooks } from './hook-text.js';
import { attempt, HookFileError, readText, replaceText } from './settings-file.js';

export interface HookPlan {
  file: string;
  ours: HookSettings;
  // The folder of our scripts: a command that names it is one of ours.
  scripts: string;
  // Where the file as it was is kept.
  backups: string;
}

export type HookState = 'installed' | 'outdated' | 'absent';

export { HookFileError, type HookSettings };

// What an error says would be right.
const Hook = z.looseObject({}, 'must be an object, such as {"type": "command", "command": "…"}');
const Group = z.looseObject(
  { hooks: z.array(Hook, 'must be a list, such as [{"type": "command", "command": "…"}]') },
  'must be an object, such as {"hooks": […]}',
);
const Events = z.record(
  z.string(),
  z.array(Group, 'must be a list, such as [{"hooks": […]}]'),
  'must be an object, such as {"Stop": […]}',
);
const Settings = z.looseObject({ hooks: Events.optional() }, 'must be an object, such as {"hooks": {…}}');
type Settings = z.infer<typeof Settings>;

// `before`: the file as it was. `after`: the digests of it with our hooks; the last may not have come to be written.
const Kept = z.object({ file: z.string(), before: z.string().nullable(), after: z.array(z.string()) });
type Kept = z.infer<typeof Kept>;

export function hookState(plan: HookPlan): HookState {
  const { hooks } = parse(plan.file, readText(plan.file));
  const found = oursIn(hooks ?? {}, plan);
  if (Object.keys(found).length === 0) return 'absent';
  return JSON.stringify(sorted(found)) === JSON.stringify(sorted(plan.ours)) ? 'installed' : 'outdated';
}

// True when the file was changed. Settings that cannot be read are left alone.
export function installHooks(plan: HookPlan): boolean {
  const now = readText(plan.file);
  if (hookState(plan) === 'installed') return false;
  const kept = readKept(plan);
  const before = asItWas(plan, now, kept);
  const after = withHooks(before ?? '', plan.ours);
  // Kept before anything is changed.
  const known = kept && isAsWritten(now, kept) ? [digest(now ?? '')] : [];
  keep(plan, { file: plan.file, before, after: [...known, digest(after)] });
  replaceText(plan.file, now, after);
  return true;
}

// As it was to the byte where nobody else has changed it since; otherwise only what is ours is taken out.
export function uninstallHooks(plan: HookPlan): boolean {
  const now = readText(plan.file);
  if (now === null || hookState(plan) === 'absent') return false;
  replaceText(plan.file, now, asItWas(plan, now, readKept(plan)));
  forget(plan);
  return true;
}

const isAsWritten = (now: string | null, { after }: Kept): boolean => after.includes(digest(now ?? ''));

function asItWas(plan: HookPlan, now: string | null, kept: Kept | undefined): string | null {
  if (kept && isAsWritten(now, kept)) return kept.before;
  return now && withoutHooks(now, kept?.before ?? '', (hook) => isOurs(plan, Object(hook)));
}

// The folder as a whole word of the command, plain or quoted for a shell; not one whose name only begins or ends like it.
function isOurs({ scripts }: HookPlan, hook: Readonly<Record<string, unknown>>): boolean {
  const names = [scripts, scripts.replaceAll("'", `'\\''`)].map((name) => `${name}/`);
  const isNamed = (value: string, name: string): boolean => {
    for (let at = value.indexOf(name); at >= 0; at = value.indexOf(name, at + 1))
      if (at === 0 || /[\s'"=]/.test(value[at - 1] ?? '')) return true;
    return false;
  };
  return Object.values(hook).some(
    (value) => typeof value === 'string' && names.some((name) => isNamed(value, name)),
  );
}

function oursIn(hooks: HookSettings, plan: HookPlan): HookSettings {
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([event, groups]) => {
      const ours = groups
        .map((group) => ({ ...group, hooks: group.hooks.filter((hook) => isOurs(plan, hook)) }))
        .filter((group) => group.hooks.length > 0);
      return ours.length > 0 ? [[event, ours]] : [];
    }),
  );
}

const sorted = (hooks: HookSettings): [string, unknown][] =>
  Object.entries(hooks).sort(([a], [b]) => a.localeCompare(b));

function parse(file: string, text: string | null): Settings {
  const json = jsonIn(text ?? '');
  if (isBlank(json)) return {};
  const refused = (why: string): HookFileError =>
    new HookFileError(`${file} is not understood, so nothing was changed: ${why}`);
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch (error) {
    throw refused(`${(error as Error).message}; it must be JSON, without comments`);
  }
  const read = Settings.safeParse(content);
  if (!read.success) throw refused(explain(read.error, content));
  return read.data;
}

// The field, its value, and what would be right.
function explain({ issues }: z.ZodError, content: unknown): string {
  const { path: steps, message } = issues[0] as z.core.$ZodIssue;
  const value = steps.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown>)[key],
    content,
  );
  const shown = value === undefined ? 'is missing' : clipped(JSON.stringify(value));
  return `${[steps.join('.'), shown].join(' ').trim()}: ${message}`;
}

const MOST_SHOWN = 80;
const clipped = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const keptFile = ({ backups, file }: HookPlan): string =>
  path.join(backups, `${digest(path.resolve(file)).slice(0, 16)}.json`);

// Whole or not at all: it is all that tells how the file was.
function keep(plan: HookPlan, kept: Kept): void {
  const file = keptFile(plan);
  attempt(file, 'written', () => {
    fs.mkdirSync(plan.backups, { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
  });
}

const forget = (plan: HookPlan): void =>
  attempt(keptFile(plan), 'removed', () => fs.rmSync(keptFile(plan), { force: true }));

// The settings files that have been changed and not been put back.
export function hookFilesKept(backups: string): string[] {
  const names = fs.existsSync(backups) ? fs.readdirSync(backups) : [];
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readKeptFile(path.join(backups, name))?.file ?? []);
}

const readKept = (plan: HookPlan): Kept | undefined => readKeptFile(keptFile(plan));

function readKeptFile(file: string): Kept | undefined {
  try {
    return Kept.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
