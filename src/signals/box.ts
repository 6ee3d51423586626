// Which rows of a screen are the input box: between two lines drawn around the cursor, from the prompt on, or the cursor's own.
import { textWidth } from '../terminal/cells.js';
import { MARKER_START } from './marker.js';
import type { Screen } from './screen.js';

export interface Box {
  // `line`: nothing shows that there is a box; it is only where the cursor stands.
  kind: 'box' | 'line';
  first: number;
  last: number;
}

// A box is not higher than this.
const MOST_ROWS = 60;
const RULE = /^\s*[\u2500-\u259f]{3}/u;
// A border of it runs over so much of the screen, is drawn for so much of its length, and is as long as the other one.
const LEAST_OF_SCREEN = 1 / 3;
const LEAST_DRAWN = 1 / 2;
const DIFFERENCE = 2;
const BORDERS = /[\s\u2500-\u259f|]/gu;

export function findBox(screen: Screen): Box | undefined {
  return ruled(screen) ?? prompted(screen) ?? (screen.isLineOpen ? line(screen) : undefined);
}

function ruled({ rows, cursor, columns }: Screen): Box | undefined {
  const above = findUp(cursor.y - 1, (at) => borderOf(rows[at], columns) !== undefined);
  if (above === undefined) return undefined;
  for (let below = cursor.y + 1; below < Math.min(rows.length, cursor.y + MOST_ROWS); below++) {
    const border = borderOf(rows[below], columns);
    if (!border) continue;
    const isBox = areAlike(border, borderOf(rows[above], columns) as Border);
    return isBox ? { kind: 'box', first: above + 1, last: below - 1 } : undefined;
  }
  return undefined;
}

interface Border {
  indent: number;
  end: number;
}

// Not so a branch of a tree, or the frame of a small table.
function borderOf(row: string | undefined, columns: number): Border | undefined {
  if (row === undefined || !RULE.test(row)) return undefined;
  const text = row.trim();
  const drawn = text.length - text.replace(BORDERS, '').length - (text.match(/\s/g)?.length ?? 0);
  if (textWidth(text) < columns * LEAST_OF_SCREEN || drawn < text.length * LEAST_DRAWN) return undefined;
  return { indent: row.length - row.trimStart().length, end: textWidth(row.trimEnd()) };
}

const areAlike = (a: Border, b: Border): boolean =>
  Math.abs(a.indent - b.indent) <= DIFFERENCE && Math.abs(a.end - b.end) <= DIFFERENCE;

// From the nearest row above that begins with the prompt: a draft may have blank lines.
function prompted({ rows, cursor, prompt }: Screen): Box | undefined {
  const begin = prompt.trimEnd();
  // A marker at the end of the output was taken for one.
  if (begin.replace(BORDERS, '') === '' || begin.includes(MARKER_START)) return undefined;
  const first = findUp(cursor.y, (at) => rows[at]?.startsWith(begin) ?? false);
  if (first === undefined) return undefined;
  let last = cursor.y;
  while (last + 1 < rows.length && rows[last + 1]?.trim() !== '' && !RULE.test(rows[last + 1] as string))
    last++;
  return { kind: 'box', first, last };
}

// With the rows above it that are full: they are the same line.
function line({ rows, cursor, columns }: Screen): Box {
  let first = cursor.y;
  const isBegun = cursor.x > 0 || (rows[first] ?? '').trim() !== '';
  while (isBegun && first > 0 && textWidth(rows[first - 1] as string) >= columns) first--;
  return { kind: 'line', first, last: cursor.y };
}

function findUp(from: number, isIt: (at: number) => boolean): number | undefined {
  for (let at = from; at >= Math.max(0, from - MOST_ROWS); at--) if (isIt(at)) return at;
  return undefined;
}
