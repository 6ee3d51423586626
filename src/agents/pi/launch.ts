// How pi is started with our extension, beside those of the user.
import path from 'node:path';
import type { DoorLaunch, LaunchContext } from '../door.js';
import { DOOR_VARIABLE } from '../extension/index.js';
import { splitCommand } from '../options.js';

export const EXTENSION = 'pi/extension.mjs';

// Ways to start it that have no session to deliver to.
const NOT_A_SESSION = new Set([
  '-p',
  '--print',
  '--mode',
  '--export',
  '--list-models',
  '-v',
  '--version',
  '-h',
  '--help',
]);
const SUBCOMMANDS = new Set(['install', 'remove', 'uninstall', 'update', 'list', 'config']);

export function launchPi({ command, folder, hooksFolder, briefing }: LaunchContext): DoorLaunch {
  const split = splitCommand(command);
  if (!split) return { command, env: {} };
  const { head, args } = split;
  const isSession = !args.some((arg) => NOT_A_SESSION.has(arg)) && !SUBCOMMANDS.has(args[0] ?? '');
  if (!isSession) return { command, env: {} };
  // Both may be given several times.
  const telling = briefing === null ? [] : ['--append-system-prompt', briefing];
  const ours = ['--extension', path.join(hooksFolder, EXTENSION), ...telling];
  return { command: [...head, ...ours, ...args], env: { [DOOR_VARIABLE]: folder } };
}
