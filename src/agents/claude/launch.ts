// How Claude Code is started with our hooks: beside the user's own settings, of which nothing is changed.
import fs from 'node:fs';
import path from 'node:path';
import type { DoorLaunch, LaunchContext } from '../door.js';
import type { HookSettings } from '../hook-file.js';
import { splitCommand, withoutOption } from '../options.js';
import { supports } from '../version.js';
import { Inbox } from './inbox.js';
import { claudeHooks } from './settings.js';

// Ways to start it that have no session to deliver to.
const NOT_A_SESSION = new Set(['-p', '--print', '--version', '-v', '--help', '-h']);
const SUBCOMMANDS = new Set([
  'agents',
  'auth',
  'config',
  'doctor',
  'install',
  'mcp',
  'plugin',
  'plugins',
  'setup-token',
  'update',
  'upgrade',
]);

// Seen in that one; from when on it is known is not.
const ALL_EVENTS = { since: '2.1.325' };

export function launchClaude(context: LaunchContext, wakes: boolean): DoorLaunch {
  const { command, folder, home, hooksFolder, briefing } = context;
  const split = splitCommand(command);
  if (!split) return { command, env: {} };
  const { head, args } = split;
  const isSession = !args.some((arg) => NOT_A_SESSION.has(arg)) && !SUBCOMMANDS.has(args[0] ?? '');
  if (!isSession) return { command, env: {} };
  const settings = withoutOption(args, '--settings');
  const own = settings.value === undefined ? {} : readSettings(settings.value, context.cwd);
  // Settings that cannot be read are the user's to hear about, from Claude Code itself.
  if (!own) return { command, env: {} };
  const prompt = withoutOption(settings.rest, '--append-system-prompt');
  const told = [prompt.value, briefing].filter((part) => part).join('\n\n');
  new Inbox(folder).prepare();
  const file = path.join(folder, 'settings.json');
  const events = supports(ALL_EVENTS, context.version) ? 'all' : 'since ever';
  const ours = claudeHooks({ home, hooks: hooksFolder }, wakes ? 'always' : 'never', events);
  const merged = {
    ...own,
    hooks: mergeHooks(own.hooks, ours),
  };
  fs.writeFileSync(file, `${JSON.stringify(merged, null, 2)}\n`, { mode: 0o600 });
  const telling = told === '' ? [] : ['--append-system-prompt', told];
  return { command: [...head, '--settings', file, ...telling, ...prompt.rest], env: {} };
}

type Settings = Record<string, unknown> & { hooks?: HookSettings };

// A file, or the JSON itself, as Claude Code takes both.
function readSettings(value: string, cwd: string): Settings | undefined {
  try {
    const text = value.trimStart().startsWith('{')
      ? value
      : fs.readFileSync(path.resolve(cwd, value), 'utf8');
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === 'object' && parsed !== null ? (parsed as Settings) : undefined;
  } catch {
    return undefined;
  }
}

// Theirs first, in their order.
export function mergeHooks(own: HookSettings | undefined, ours: HookSettings): HookSettings {
  const events = new Set([...Object.keys(own ?? {}), ...Object.keys(ours)]);
  return Object.fromEntries(
    [...events].map((event) => [event, [...(own?.[event] ?? []), ...(ours[event] ?? [])]]),
  );
}
