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
const BORDERS = /[\s\u2500-\u259f|]/gu;

export function findBox(screen: Screen): Box | undefined {
  const { rows, cursor } = screen;
  return ruled(rows, cursor.y) ?? prompted(screen) ?? (screen.isLineOpen ? line(screen) : undefined);
}

function ruled(rows: readonly string[], y: number): Box | undefined {
  const above = findUp(y - 1, (at) => RULE.test(rows[at] ?? ''));
  if (above === undefined) return undefined;
  for (let below = y + 1; below < Math.min(rows.length, y + MOST_ROWS); below++)
    if (RULE.test(rows[below] as string)) return { kind: 'box', first: above + 1, last: below - 1 };
  return undefined;
}

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
