// The sentinels of one attempt: short texts that nobody types, found again on a screen wherever a row was broken.
import { createHash } from 'node:crypto';

export interface MarkPair {
  start: string;
  end: string;
}

export interface Marks {
  // Before and behind each line of the draft; two of them in turn, so that an old screen is not taken for the next one.
  pairs: readonly [MarkPair, MarkPair];
  // Where the person's caret was. The first thing typed, maybe into a dialog: no letter and no digit, which are hot keys there.
  caret: string;
  // Typed into a box that should be empty: nothing may stand between them.
  proof: readonly [string, string, string];
}

export type MarkName = 'start' | 'end' | 'caret' | 'proof';

// All marks are this long, in characters, in cells and in presses of a key.
export const MARK_LENGTH = 6;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SYMBOLS = '¤¦¬±µ¶°·';

// §XXXX§ with four characters of a hash, so that what a dead attempt left behind is known as ours by its token.
function mark(token: string, role: string, alphabet: string): string {
  const hash = createHash('sha256').update(`${token}\0${role}`).digest();
  const code = [0, 1, 2, 3].map((i) => alphabet[(hash[i] as number) % alphabet.length]).join('');
  return `§${code}§`;
}

export function makeMarks(token: string): Marks {
  const letters = new Set<string>();
  for (let i = 0; letters.size < 7; i++) letters.add(mark(token, `sentinel ${i}`, LETTERS));
  const [a = '', b = '', c = '', d = '', left = '', middle = '', right = ''] = [...letters];
  return {
    pairs: [
      { start: a, end: b },
      { start: c, end: d },
    ],
    caret: mark(token, 'caret', SYMBOLS),
    proof: [left, middle, right],
  };
}

export interface FoundMark {
  name: MarkName;
  text: string;
  // Offsets in the text that was searched.
  from: number;
  to: number;
}

// Where a row ends inside a box: blanks, a side border, the next row's border and indent.
export const ROW_BREAK = ' *[│┃║]? *\\n *[│┃║]? *';

export function findMarks(text: string, marks: Marks): FoundMark[] {
  const named: [MarkName, string][] = [
    ...marks.pairs.flatMap(({ start, end }): [MarkName, string][] => [
      ['start', start],
      ['end', end],
    ]),
    ['caret', marks.caret],
    ...marks.proof.map((proof): [MarkName, string] => ['proof', proof]),
  ];
  const anyOf = named.map(([, mark]) => `(${[...mark].join(`(?:${ROW_BREAK})?`)})`).join('|');
  const found: FoundMark[] = [];
  for (const match of text.matchAll(new RegExp(anyOf, 'gu'))) {
    const which = match.slice(1).findIndex((group) => group !== undefined);
    const [name, mark] = named[which] as [MarkName, string];
    found.push({ name, text: mark, from: match.index, to: match.index + match[0].length });
  }
  return found;
}
