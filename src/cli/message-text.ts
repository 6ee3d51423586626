// The text of a message as commands take it: a word, a file, or standard input for "-".
import { UsageError } from './errors.js';

export async function messageText(word: string | undefined, file: string | undefined): Promise<string> {
  if (file === undefined && word === undefined)
    throw new UsageError('text is missing: the message, as one word');
  if (file === undefined && word !== '-') return word as string;
  return (await import('./read-text.js')).readText(file ?? '-');
}

export const FILE_OPTION = {
  kind: 'text',
  value: 'FILE',
  help: 'send what is in a file',
  completes: 'files',
  field: 'text',
} as const;

export const TEXT_ARGUMENT = {
  name: 'text',
  unless: 'file',
  help: 'the message, as one word (quote it); "-" reads it from standard input',
} as const;
