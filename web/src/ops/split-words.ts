// A command line as words, with quotes as a shell has them; or what is wrong with it. Pure; no shell ever sees it.
export type Split = { ok: true; words: string[] } | { ok: false; problem: string };

export function splitWords(line: string): Split {
  const words: string[] = [];
  const part = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/gy;
  let end = 0;
  for (let found = part.exec(line); found; found = part.exec(line)) {
    words.push(unquoted(found[1] ?? ''));
    end = part.lastIndex;
  }
  const rest = line.slice(end).trim();
  if (rest === '') return { ok: true, words };
  // Nothing but a quote without its end, or a backslash with nothing behind it, stops the pattern.
  const problem = rest.startsWith('\\')
    ? 'the command ends with a \\ that nothing follows: take it out, or write \\\\'
    : `the quote at ${rest} is not closed: close it, or write \\${rest[0]}`;
  return { ok: false, problem };
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_all, single, double, escaped) =>
    single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : escaped,
  );
