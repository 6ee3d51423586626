// An agent on another machine, where nothing of ours is: what can be told on its command line, and no more.
import { splitCommand, withoutOption } from './options.js';
import type { Profile } from './profile.js';

// Ways to start it that have nobody to tell anything: words that ask something of the program itself.
const NOT_A_SESSION = new Set(['-p', '--print', '--prompt', '--mode', '-v', '--version', '-h', '--help']);
const SUBCOMMAND = /^[a-z][a-z-]*$/;

// The command line with the text in the agent's system prompt, behind what the user has put there; as it was where that is not known.
export function toldFar(
  { promptOption }: Pick<Profile, 'promptOption'>,
  command: readonly string[],
  text: string,
): readonly string[] {
  const split = splitCommand(command);
  if (promptOption === undefined || !split) return command;
  const { head, args } = split;
  const isSession = !args.some((arg) => NOT_A_SESSION.has(arg)) && !SUBCOMMAND.test(args[0] ?? '');
  if (!isSession) return command;
  const own = withoutOption(args, promptOption);
  const told = [own.value, text].filter((part) => part).join('\n\n');
  return [...head, promptOption, told, ...own.rest];
}
