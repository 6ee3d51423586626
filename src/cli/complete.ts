// What the word under the cursor could become: one "value<TAB>description" a line. The shells' scripts call this.

import type { Command, Completes, Option } from './command.js';
import { connect } from './connect.js';
import { oneLine, say } from './print.js';
import { ENTRIES, entry } from './registry.js';

type Candidate = readonly [value: string, description: string];
// The shell itself knows best how to complete these.
type ByShell = ':files' | ':folders';

export async function complete(words: string[]): Promise<number> {
  const found = await candidates(words).catch(() => []);
  if (typeof found === 'string') say(found);
  else
    for (const [value, description] of found)
      if (value.startsWith(words.at(-1) ?? '')) say(`${value}\t${oneLine(description)}`);
  return 0;
}

async function candidates(words: string[]): Promise<readonly Candidate[] | ByShell> {
  const [name = '', ...rest] = words;
  if (words.length <= 1)
    return name.startsWith('-')
      ? [
          ['--help', 'show help'],
          ['--version', 'print the version'],
        ]
      : commandNames();
  const command = await entry(name)?.load();
  if (!command) return [];
  const current = rest.at(-1) ?? '';
  const before = rest.slice(0, -1);
  if (before.includes('--')) return ofArguments(command, before.filter((word) => word !== '--').length);
  const awaited = optionAwaitingValue(command, before.at(-1));
  if (awaited)
    return 'choices' in awaited
      ? awaited.choices.map((choice) => [choice, ''])
      : values('completes' in awaited ? awaited.completes : undefined);
  if (current.startsWith('-')) return optionNames(command);
  return ofArguments(command, positionals(command, before));
}

const commandNames = (): Candidate[] => ENTRIES.map(({ name, summary }) => [name, summary]);

function optionNames(command: Command): Candidate[] {
  const names = Object.entries(command.options).flatMap(([name, option]): Candidate[] => {
    const plain: Candidate = [`--${name}`, option.help];
    if (option.kind !== 'choice' || !option.bare) return [plain];
    return [plain, ...option.choices.map((choice): Candidate => [`--${name}=${choice}`, option.help])];
  });
  return [...names, ['--help', 'show help']];
}

function optionAwaitingValue(command: Command, word: string | undefined): Option | undefined {
  if (!word?.startsWith('-') || word.includes('=')) return undefined;
  const found = Object.entries(command.options).find(
    ([name, option]) => word === `--${name}` || (option.short && word === `-${option.short}`),
  );
  const option = found?.[1];
  return !option || option.kind === 'flag' || (option.kind === 'choice' && option.bare) ? undefined : option;
}

const positionals = (command: Command, words: string[]): number =>
  words.filter((word, index) => !word.startsWith('-') && !optionAwaitingValue(command, words[index - 1]))
    .length;

function ofArguments(
  command: Command,
  index: number,
): Promise<readonly Candidate[] | ByShell> | readonly Candidate[] {
  const many = command.args.findIndex((argument) => argument.many);
  const argument = command.args[many >= 0 ? Math.min(index, many) : index];
  if (argument?.choices) return argument.choices.map((choice) => [choice, '']);
  return values(argument?.completes);
}

async function values(what: Completes | undefined): Promise<readonly Candidate[] | ByShell> {
  // Asks only a daemon that runs: completion must not start one.
  if (what === 'sessions')
    return (await connect().sessions()).map(
      ({ name, agent, state }): Candidate => [name, `${agent}, ${state}`],
    );
  if (what === 'messages')
    return (await connect().messages({ limit: 50 })).map(
      ({ id, to, text }): Candidate => [id, `to ${to.name}: ${text.slice(0, 60)}`],
    );
  if (what === 'drafts')
    return (await connect().drafts({ state: 'all' })).map(
      ({ id, session, text }): Candidate => [id, `of ${session.name}: ${text.slice(0, 60)}`],
    );
  if (what === 'reminders')
    return (await connect().reminders()).map(
      ({ id, to, text }): Candidate => [id, `for ${to?.name ?? 'the inbox'}: ${text.slice(0, 60)}`],
    );
  if (what === 'panes')
    return (await connect().panes()).map(
      ({ pane, program, target }): Candidate => [pane, `${program} in ${target}`],
    );
  if (what === 'hosts')
    return (await connect().hosts()).map(({ name, destination }): Candidate => [name, destination]);
  if (what === 'commands') return commandNames();
  if (what === 'files') return ':files';
  return what === 'folders' ? ':folders' : [];
}
