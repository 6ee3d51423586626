// How Copilot is started with our extension: for this run alone, without a word in the user's settings or project.
import fs from 'node:fs';
import path from 'node:path';
import type { DoorLaunch, LaunchContext } from '../door.js';
import { DOOR_VARIABLE } from '../extension/index.js';
import { splitCommand } from '../options.js';

export const PLUGIN = 'copilot';

const FLAGS = 'COPILOT_CLI_ENABLED_FEATURE_FLAGS';
const INSTRUCTIONS = 'COPILOT_CUSTOM_INSTRUCTIONS_DIRS';

// Ways to start it that have no session to deliver to.
const NOT_A_SESSION = new Set([
  '-p',
  '--prompt',
  '--acp',
  '--server',
  '--connect',
  '-v',
  '--version',
  '-h',
  '--help',
]);
const SUBCOMMANDS = new Set([
  'app',
  'login',
  'help',
  'init',
  'config',
  'update',
  'version',
  'workflow',
  'sessions',
  'memories',
  'plugin',
  'mcp',
  'skill',
  'instruction',
  'lsp',
  'sandbox',
  'completion',
]);

export function launchCopilot({ command, folder, hooksFolder, briefing, env }: LaunchContext): DoorLaunch {
  const split = splitCommand(command);
  if (!split) return { command, env: {} };
  const { head, args } = split;
  const isNone = (arg: string): boolean => NOT_A_SESSION.has(arg) || arg.startsWith('--prompt=');
  if (args.some(isNone) || SUBCOMMANDS.has(args[0] ?? '')) return { command, env: {} };
  return {
    command: [...head, '--plugin-dir', path.join(hooksFolder, PLUGIN), ...args],
    env: {
      [DOOR_VARIABLE]: folder,
      [FLAGS]: listed(env[FLAGS], 'EXTENSIONS'),
      ...(briefing !== null && { [INSTRUCTIONS]: listed(env[INSTRUCTIONS], instructions(folder, briefing)) }),
    },
  };
}

const listed = (theirs: string | undefined, ours: string): string =>
  [theirs, ours].filter((part) => part).join(',');

function instructions(folder: string, briefing: string): string {
  const place = path.join(folder, 'instructions');
  fs.mkdirSync(place, { recursive: true, mode: 0o700 });
  // Of an added folder it reads only files that say what they apply to.
  const text = `---\napplyTo: "**"\n---\n${briefing}\n`;
  fs.writeFileSync(path.join(place, 'suremail.instructions.md'), text, { mode: 0o600 });
  return place;
}
