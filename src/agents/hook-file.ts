// Our hooks in an agent's own settings file: put in beside the user's, and taken out so that the file is as it was.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

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

export class HookFileError extends Error {
  override readonly name = 'HookFileError';
}

const Settings = z.looseObject({
  hooks: z.record(z.string(), z.array(z.looseObject({ hooks: z.array(z.looseObject({})) }))).optional(),
});
type Settings = z.infer<typeof Settings>;

const Kept = z.object({ file: z.string(), before: z.string().nullable(), after: z.string() });

export function hookState(plan: HookPlan): HookState {
  const { hooks } = parse(plan.file, read(plan.file));
  const found = oursIn(hooks ?? {}, plan);
  if (Object.keys(found).length === 0) return 'absent';
  return JSON.stringify(sorted(found)) === JSON.stringify(sorted(plan.ours)) ? 'installed' : 'outdated';
}

// True when the file was changed. Settings that cannot be read are left alone.
export function installHooks(plan: HookPlan): boolean {
  const before = read(plan.file);
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
  if (kept !== undefined && kept.after === digest(before ?? ''))
    keep(plan, { ...kept, after: digest(after) });
  else if (Object.keys(oursIn(settings.hooks ?? {}, plan)).length === 0)
    keep(plan, { file: plan.file, before, after: digest(after) });
  // Edited with hooks of ours in it: as it was, without them, it never stood on disk.
  else fs.rmSync(keptFile(plan), { force: true });
  write(plan.file, after);
  return true;
}

// As it was to the byte where nobody else has changed it since; otherwise only what is ours is taken out.
export function uninstallHooks(plan: HookPlan): boolean {
  const now = read(plan.file);
  if (now === null || hookState(plan) === 'absent') return false;
  const kept = readKept(plan);
  if (kept && kept.after === digest(now)) {
    if (kept.before === null) fs.rmSync(plan.file);
    else write(plan.file, kept.before);
  } else {
    const settings = parse(plan.file, now);
    const hooks = theirsIn(settings.hooks ?? {}, plan);
    const { hooks: _, ...rest } = settings;
    const left = Object.keys(hooks).length > 0 ? { ...rest, hooks } : rest;
    write(plan.file, `${JSON.stringify(left, null, indentOf(now))}\n`);
  }
  fs.rmSync(keptFile(plan), { force: true });
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

function read(file: string): string | null {
  try {
    // Bytes that are no text would not come back as they were.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new HookFileError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

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

// Through a link to wherever the file is, with the rights it had.
function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const target = fs.existsSync(file) ? fs.realpathSync(file) : file;
  const mode = fs.existsSync(target) ? fs.statSync(target).mode & 0o777 : 0o600;
  const temporary = `${target}.sm-${process.pid}`;
  fs.writeFileSync(temporary, text, { mode });
  fs.chmodSync(temporary, mode);
  fs.renameSync(temporary, target);
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const keptFile = ({ backups, file }: HookPlan): string =>
  path.join(backups, `${digest(path.resolve(file)).slice(0, 16)}.json`);

function keep(plan: HookPlan, kept: z.infer<typeof Kept>): void {
  fs.mkdirSync(plan.backups, { recursive: true, mode: 0o700 });
  fs.writeFileSync(keptFile(plan), JSON.stringify(kept), { mode: 0o600 });
}

function readKept(plan: HookPlan): z.infer<typeof Kept> | undefined {
  try {
    return Kept.parse(JSON.parse(fs.readFileSync(keptFile(plan), 'utf8')));
  } catch {
    return undefined;
  }
}
