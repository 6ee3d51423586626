// Words for the shell of another machine: whatever they hold, its login shell takes each as one word, and runs none of it.

// What every shell takes as it is.
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

// sh, bash, zsh, dash, ksh and fish agree on quotes and backslashes outside of quotes, but not on backslashes inside of them.
export function shellWord(text: string): string {
  if (text.includes('\0'))
    throw new RangeError('a command line cannot hold a NUL byte; leave it out of the text');
  if (PLAIN.test(text)) return text;
  return text
    .split(/([\\'])/)
    .map((part) => (part === '\\' || part === "'" ? `\\${part}` : part === '' ? '' : `'${part}'`))
    .join('')
    .concat(text === '' ? "''" : '');
}

export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');
