// What a Gemini that we start is told about mail: its hook at the start brings it, where our hooks are in its settings.
import fs from 'node:fs';
import path from 'node:path';
import type { DoorLaunch, LaunchContext } from '../door.js';
import { splitCommand } from '../options.js';

// Ways to start it that have no session to deliver to.
const NOT_A_SESSION = new Set([
  '-p',
  '--prompt',
  '-h',
  '--help',
  '-v',
  '--version',
  '-l',
  '--list-extensions',
  '--list-sessions',
  '--delete-session',
  '--acp',
  '--experimental-acp',
  '-o',
  '--output-format',
]);
const SUBCOMMANDS = new Set(['extension', 'extensions', 'gemma', 'hook', 'hooks', 'mcp', 'skill', 'skills']);

// Nothing is added to the command line: settings for one run must belong to root, or Gemini leaves them out.
export function launchGemini({ command, folder, briefing }: LaunchContext): DoorLaunch {
  const args = splitCommand(command)?.args;
  const isOption = (arg: string): boolean => NOT_A_SESSION.has(arg.split('=')[0] ?? '');
  const isSession = args !== undefined && !args.some(isOption) && !SUBCOMMANDS.has(args[0] ?? '');
  if (isSession && briefing !== null) {
    const said = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: briefing } };
    fs.writeFileSync(path.join(folder, 'SessionStart.say'), JSON.stringify(said), { mode: 0o600 });
  }
  return { command, env: {} };
}
