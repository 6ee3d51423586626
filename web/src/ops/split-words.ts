// A command line as words, with quotes as a shell has them. Pure; no shell ever sees it.
export function splitWords(line: string): string[] {
  const words: string[] = [];
  const part = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/gy;
  for (let found = part.exec(line); found; found = part.exec(line)) words.push(unquoted(found[1] ?? ''));
  return words;
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_all, single, double, escaped) =>
    single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : escaped,
  );
