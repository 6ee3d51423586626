// How far one press of an arrow key goes in a box, learned from how many presses led over a whole draft.
import { charWidth } from '../terminal/cells.js';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

// Past what looks like one character; past what takes cells, with the marks that stand on it; or past one code point.
const PRESSES = {
  characters: (text: string) => [...segmenter.segment(text)].length,
  cells: (text: string) => [...text].filter((char) => char === '\n' || charWidth(char) > 0).length,
  'code points': (text: string) => [...text].length,
};

export type Move = keyof typeof PRESSES;
const MOVES = Object.keys(PRESSES) as Move[];

export const fewestPresses = PRESSES.characters;
export const mostPresses = PRESSES['code points'];

// The ways of moving that so many presses over this text leave possible.
export const movesThatTake = (text: string, presses: number): Move[] =>
  MOVES.filter((move) => PRESSES[move](text) === presses);

// How many presses pass a text; undefined where the ways that are possible do not agree, or none is known.
export function pressesOver(text: string, moves: readonly Move[]): number | undefined {
  const [first, ...others] = new Set(moves.map((move) => PRESSES[move](text)));
  return others.length === 0 ? first : undefined;
}
