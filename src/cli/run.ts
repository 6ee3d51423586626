// From the words of the command line to an exit code. Loads the one command that is asked for and nothing else.
import type { ParsedInput } from './command.js';
import { EXIT, UsageError } from './errors.js';
import { parse } from './parse.js';
import { type Entry, entry } from './registry.js';

export async function run(words: string[]): Promise<number> {
  const [first, ...rest] = words;
  let given: Pick<ParsedInput, 'sessions' | 'typed'> = { sessions: [], typed: [] };
  try {
    if (first === '__complete') return await (await import('./complete.js')).complete(rest);
    if (first === undefined || first === '--help' || first === '-h')
      return await (await import('./help.js')).printOverview();
    if (first === '--version' || first === '-V') return await (await import('./version.js')).printVersion();
    const found = entry(first) ?? (await unknownCommand(first));
    const command = await found.load();
    if (command.raw && !rest.some((word) => word === '--help' || word === '-h'))
      return await command.raw(rest);
    const input = parse(found.name, command, rest);
    if (input === 'help') return await (await import('./help.js')).printHelp(found, command);
    given = input;
    return (await command.run(input)) ?? EXIT.ok;
  } catch (error) {
    return (await import('./report.js')).report(error, given);
  }
}

async function unknownCommand(word: string): Promise<Entry> {
  const { nearest } = await import('./nearest.js');
  const { ENTRIES } = await import('./registry.js');
  const close = nearest(
    word,
    ENTRIES.map(({ name }) => name),
  );
  const what = word.startsWith('-') ? 'option' : 'command';
  throw new UsageError(
    `unknown ${what} "${word}"${close ? `; did you mean "${close}"?` : ''}`,
    'sm --help lists the commands',
  );
}
