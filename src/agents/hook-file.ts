// Our hooks in an agent's own settings file: put in beside the user's, and taken out so that the file is as it was.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { attempt, HookFileError, readText, replaceText } from './settings-file.js';

interface HookGroup {
  hooks: Readonly<Record<string, unknown>>[];
  [other: string]: unknown;
}
export type HookSettings = Record<string, HookGroup[]>;

export interface HookPlan {
  file: string;
  ours: HookSettings;
  // The folder of our scripts: a command that names it is one of ours.
  scripts: string;
  // Where the file as it was is kept.
  backups: string;
}

export type HookState = 'installed' | 'outdated' | 'absent';

export { HookFileError };

const Settings = z.looseObject({
  hooks: z.record(z.string(), z.array(z.looseObject({ hooks: z.array(z.looseObject({})) }))).optional(),
});
type Settings = z.infer<typeof Settings>;

// `before`: the file as it was. `after`: the digests of it with our hooks; the last may not have come to be written.
const Kept = z.object({ file: z.string(), before: z.string().nullable(), after: z.array(z.string()) });

export function hookState(plan: HookPlan): HookState {
  const { hooks } = parse(plan.file, readText(plan.file));
  const found = oursIn(hooks ?? {}, plan);
  if (Object.keys(found).length === 0) return 'absent';
  return JSON.stringify(sorted(found)) === JSON.stringify(sorted(plan.ours)) ? 'installed' : 'outdated';
}

// True when the file was changed. Settings that cannot be read are left alone.
export function installHooks(plan: HookPlan): boolean {
  const before = readText(plan.file);
  if (hookState(plan) === 'installed') return false;
  const settings = parse(plan.file, before);
  const theirs = theirsIn(settings.hooks ?? {}, plan);
  const events = new Set([...Object.keys(theirs), ...Object.keys(plan.ours)]);
  const hooks = Object.fromEntries(
    [...events].map((event) => [event, [...(theirs[event] ?? []), ...(plan.ours[event] ?? [])]]),
  );
  const after = `${JSON.stringify({ ...settings, hooks }, null, indentOf(before))}\n`;
  // Kept before anything is changed; what was there before our first time is what counts.
  const kept = readKept(plan);
  if (kept?.after.includes(digest(before ?? '')))
    keep(plan, { ...kept, after: [digest(before ?? ''), digest(after)] });
  else if (Object.keys(oursIn(settings.hooks ?? {}, plan)).length === 0)
    keep(plan, { file: plan.file, before, after: [digest(after)] });
  // Edited with hooks of ours in it: as it was, without them, it never stood on disk.
  else forget(plan);
  replaceText(plan.file, before, after);
  return true;
}

// As it was to the byte where nobody else has changed it since; otherwise only what is ours is taken out.
export function uninstallHooks(plan: HookPlan): boolean {
  const now = readText(plan.file);
  if (now === null || hookState(plan) === 'absent') return false;
  const kept = readKept(plan);
  if (kept?.after.includes(digest(now))) replaceText(plan.file, now, kept.before);
  else {
    const settings = parse(plan.file, now);
    const hooks = theirsIn(settings.hooks ?? {}, plan);
    const { hooks: _, ...rest } = settings;
    const left = Object.keys(hooks).length > 0 ? { ...rest, hooks } : rest;
    replaceText(plan.file, now, `${JSON.stringify(left, null, indentOf(now))}\n`);
  }
  forget(plan);
  return true;
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

function split(
  hooks: HookSettings,
  test: (hook: Readonly<Record<string, unknown>>) => boolean,
): HookSettings {
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([event, groups]) => {
      const left = groups
        .map((group) => ({ ...group, hooks: group.hooks.filter(test) }))
        // A group that the user left empty is theirs.
        .filter((group, i) => group.hooks.length > 0 || (groups[i]?.hooks.length === 0 && test({})));
      return left.length > 0 || (groups.length === 0 && test({})) ? [[event, left]] : [];
    }),
  );
}

const oursIn = (hooks: HookSettings, plan: HookPlan): HookSettings =>
  split(hooks, (hook) => isOurs(plan, hook));
const theirsIn = (hooks: HookSettings, plan: HookPlan): HookSettings =>
  split(hooks, (hook) => !isOurs(plan, hook));

const sorted = (hooks: HookSettings): [string, HookGroup[]][] =>
  Object.entries(hooks).sort(([a], [b]) => a.localeCompare(b));

function parse(file: string, text: string | null): Settings {
  if (text === null || text.trim() === '') return {};
  try {
    return Settings.parse(JSON.parse(text));
  } catch (error) {
    const why =
      error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message;
    throw new HookFileError(`${file} is not understood, so nothing was changed: ${why}`);
  }
}

// As the user writes it.
const indentOf = (text: string | null): string | number => /\n([ \t]+)"/.exec(text ?? '')?.[1] ?? 2;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const keptFile = ({ backups, file }: HookPlan): string =>
  path.join(backups, `${digest(path.resolve(file)).slice(0, 16)}.json`);

// Whole or not at all: it is all that tells how the file was.
function keep(plan: HookPlan, kept: z.infer<typeof Kept>): void {
  const file = keptFile(plan);
  attempt(file, 'written', () => {
    fs.mkdirSync(plan.backups, { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
  });
}

const forget = (plan: HookPlan): void =>
  attempt(keptFile(plan), 'removed', () => fs.rmSync(keptFile(plan), { force: true }));

function readKept(plan: HookPlan): z.infer<typeof Kept> | undefined {
  try {
    return Kept.parse(JSON.parse(fs.readFileSync(keptFile(plan), 'utf8')));
  } catch {
    return undefined;
  }
}
