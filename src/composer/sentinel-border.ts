// A bar at the end of a row is the side of the box only where the row above or below has one in the same column too.
import type { Cell } from '../terminal/cells.js';

// What a text's own bars stand as while rows are joined; no text may hold these code points.
const STAND_INS = new Map([
  ['│', '\ufdd1'],
  ['┃', '\ufdd2'],
  ['║', '\ufdd3'],
]);
const BARS = new Map([...STAND_INS].map(([bar, standIn]) => [standIn, bar]));
const SIDES = new Set([...STAND_INS.keys(), ...'╭╮╰╯┌┐└┘┏┓┗┛╔╗╚╝├┤╹╻╵╷']);

// The rows with their text's own bars out of the way of whoever looks for borders.
export function withoutOwnBars(rows: readonly (readonly Cell[])[]): (readonly Cell[])[] {
  const hasBar = (row: readonly Cell[]): boolean => row.some(({ text }) => STAND_INS.has(text));
  return rows.map((row, y) => {
    if (!hasBar(row)) return row;
    const beside = [sidesOf(rows[y - 1]), sidesOf(rows[y + 1])];
    let x = 0;
    return row.map((cell) => {
      const at = x;
      x += cell.width;
      const standIn = STAND_INS.get(cell.text);
      return standIn && !beside.some((sides) => sides.has(at)) ? { ...cell, text: standIn } : cell;
    });
  });
}

export const ownBar = (char: string): string => BARS.get(char) ?? char;

function sidesOf(row: readonly Cell[] = []): Set<number> {
  const found = new Set<number>();
  let x = 0;
  for (const { text, width } of row) {
    if (SIDES.has(text)) found.add(x);
    x += width;
  }
  return found;
}
