// Telling an agent something when it starts by its command line alone: on another machine there is no file of ours to name.
import { splitCommand, withoutOption } from './options.js';
import type { Profile } from './profile.js';

export interface SystemPrompt {
  // Takes a text that is added to its system prompt; the user may have given it as well.
  option: string;
  // Whether these arguments start a session, which others of its commands do not.
  isSession: (args: readonly string[]) => boolean;
}

// The command line as it was, where its profile says nothing.
export function briefed(
  { systemPrompt }: Profile,
  command: readonly string[],
  text: string,
): readonly string[] {
  const split = systemPrompt && splitCommand(command);
  if (!split || !systemPrompt.isSession(split.args)) return command;
  const { value, rest } = withoutOption(split.args, systemPrompt.option);
  const told = [value, text].filter((part) => part).join('\n\n');
  return [...split.head, systemPrompt.option, told, ...rest];
}
