// Lines that two long texts have in common beyond doubt, so that what differs between them can be looked at piece by piece.
import type { Edit } from './diff.js';

export type Anchor = Pick<Edit, 'a' | 'b' | 'length'>;

interface Range {
  bytes: Buffer;
  from: number;
  to: number;
}

// A shorter line says nothing about where it belongs.
const SHORTEST_LINE = 8;
const NEWLINE = 0x0a;

// The longest row of lines that stand in both exactly once, in the same order. Takes time linear in size but for sorting.
export function commonLines(a: Range, b: Range): Anchor[] {
  const inA = onlyLines(a);
  const inB = onlyLines(b);
  const pairs: Anchor[] = [];
  for (const [line, at] of inA) {
    const other = inB.get(line);
    if (at !== REPEATED && other !== undefined && other !== REPEATED)
      pairs.push({ a: at, b: other, length: line.length });
  }
  return longestRising(pairs);
}

const REPEATED = -1;

// Places by line, its newline included.
function onlyLines({ bytes, from, to }: Range): Map<string, number> {
  const places = new Map<string, number>();
  for (let start = from; start < to; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 || newline >= to ? to : newline + 1;
    if (end - start >= SHORTEST_LINE) {
      const line = bytes.toString('latin1', start, end);
      places.set(line, places.has(line) ? REPEATED : start);
    }
    start = end;
  }
  return places;
}

// Of pairs in the order of `a`, as many as possible that are in the order of `b` too (patience sorting).
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  const piles: number[] = [];
  const before: number[] = [];
  pairs.forEach(({ b }, i) => {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[piles[middle] as number] as Anchor).b < b) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? (piles[low - 1] as number) : -1);
    piles[low] = i;
  });
  const rising: Anchor[] = [];
  for (let i = piles.at(-1) ?? -1; i >= 0; i = before[i] as number) rising.push(pairs[i] as Anchor);
  return rising.reverse();
}
