// How Qwen Code is started with files to speak through: in a folder that nobody else reads.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { DoorLaunch, LaunchContext } from '../door.js';
import { splitCommand, withoutOption } from '../options.js';

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
  '--acp',
  '-o',
  '--output-format',
  '--input-format',
  '--json-schema',
  '--json-fd',
]);
const SUBCOMMANDS = new Set([
  'auth',
  'board',
  'channel',
  'extensions',
  'hooks',
  'mcp',
  'review',
  'sandbox',
  'serve',
  'sessions',
  'update',
]);

export function launchQwen({ command, folder, briefing }: LaunchContext): DoorLaunch {
  const split = splitCommand(command);
  const isOption = (arg: string): boolean => NOT_A_SESSION.has(arg.split('=')[0] ?? '');
  if (!split || split.args.some(isOption) || SUBCOMMANDS.has(split.args[0] ?? ''))
    return { command, env: {} };
  const { head, args } = split;
  const names = ['--input-file', '--json-file'];
  // Files that the user names are the user's alone.
  const areTheirs = names.some((name) => withoutOption(args, name).value !== undefined);
  const start = randomBytes(4).toString('hex');
  const added = (areTheirs ? [] : names).flatMap((name) => {
    const file = path.join(folder, `${start}.${name === '--input-file' ? 'in' : 'out'}.jsonl`);
    fs.writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
    return [name, file];
  });
  const prompt = withoutOption(args, '--append-system-prompt');
  const told = [prompt.value, briefing].filter((part) => part).join('\n\n');
  const telling = told === '' ? [] : ['--append-system-prompt', told];
  return { command: [...head, ...added, ...telling, ...prompt.rest], env: {} };
}
