// Markers on a screen: rows put together where they were broken, those in the input box apart from the rest.
import { textWidth } from '../terminal/cells.js';
import { type Box, findBox } from './box.js';
import {
  CONTEXT_LENGTH,
  contextOf,
  isNearMiss,
  MARKER_END,
  MARKER_START,
  type Marker,
  parseMarker,
} from './marker.js';

export interface Screen {
  rows: readonly string[];
  // Of those, the first one that is not scrollback.
  top: number;
  columns: number;
  // The cursor's row, counted among `rows`.
  cursor: { x: number; y: number };
  // What stands before the cursor in an empty input box, where that is known.
  prompt: string;
  // Whatever stands in the cursor's line may still be going on: it is being printed, or a person types.
  isLineOpen: boolean;
  // It keeps no scrollback, and a program that uses it paints.
  isAlternate: boolean;
}

export interface Shown {
  marker: Marker;
  // The words before it on the screen, without blanks and ornaments.
  context: string;
  // Among the rows of the screen, from its top.
  row: number;
}

export interface Sighting {
  // From the top.
  shown: Shown[];
  // In the input box, or in a row that begins as it does: what a person has typed.
  typed: Marker[];
  // In the line of the cursor: it may be printed, or typed.
  open: Marker[];
  nearMisses: string[];
}

// Of a marker that was broken into several.
const MOST_ROWS = 40;
const LETTERS = /[\p{L}\p{N}]/u;
const LEADING = /^[\s\u2500-\u259f|]+/u;
const TRAILING = /[\s\u2500-\u259f|]+$/u;
// What stands behind a marker in another column of the screen.
const OTHER_COLUMN = /^(?:\s{2,}|\s*[\u2500-\u259f|]).*$/u;
const NOTHING: Sighting = { shown: [], typed: [], open: [], nearMisses: [] };

export function findMarkers(screen: Screen): Sighting {
  const { rows } = screen;
  if (!rows.some(isNearMiss)) return NOTHING;
  const box = findBox(screen);
  const sighting: Sighting = { shown: [], typed: [], open: [], nearMisses: [] };
  for (let y = 0; y < rows.length; y++) {
    const row = rows[y] as string;
    if (!isNearMiss(row)) continue;
    const found = markerAt(screen, y);
    if (!found) {
      if (!isInside(box, y)) sighting.nearMisses.push(row.trim());
      continue;
    }
    const isInBox = isInside(box, y) || isInside(box, found.last);
    if ((isInBox && box?.kind === 'box') || isAsTyped(row, screen.prompt)) sighting.typed.push(found.marker);
    else if (isInBox) sighting.open.push(found.marker);
    else sighting.shown.push({ marker: found.marker, context: contextBefore(rows, y), row: y });
    y = found.last;
  }
  return sighting;
}

// All that is shown up to the cursor, if nothing stands behind it.
export function textBeforeCursor({ rows, cursor }: Screen): string | undefined {
  if (rows.slice(cursor.y + 1).some((row) => row.trim() !== '')) return undefined;
  return contextOf(rows.slice(Math.max(0, cursor.y - 20), cursor.y + 1).join('\n'));
}

function markerAt({ rows, columns }: Screen, y: number): { marker: Marker; last: number } | undefined {
  const row = rows[y] as string;
  const start = row.indexOf(MARKER_START);
  if (start === -1 || LETTERS.test(row.slice(0, start))) return undefined;
  let text = row.slice(start);
  for (let last = y; last < Math.min(rows.length, y + MOST_ROWS); last++) {
    if (last > y) {
      const next = rows[last] as string;
      const bare = next.replace(LEADING, '');
      if (bare === '' || bare.includes(MARKER_START)) return undefined;
      // One blank is the text's own, where the terminal broke it; more of them are an indent.
      const isWhole = isFull(rows[last - 1] as string, columns) && !/^ \S/.test(next);
      text = text.replace(TRAILING, '') + (isWhole ? '' : ' ') + bare;
    }
    const end = text.indexOf(MARKER_END);
    if (end === -1) continue;
    const marker = parseMarker(
      text.slice(0, end + MARKER_END.length) + text.slice(end + MARKER_END.length).replace(OTHER_COLUMN, ''),
    );
    return marker && { marker, last };
  }
  return undefined;
}

// It goes on in the next one without a blank: it was broken where the screen, or the border of its box, ends.
function isFull(row: string, columns: number): boolean {
  const text = row.replace(TRAILING, '');
  const behind = row.slice(text.length);
  const hasBorder = behind.trim() !== '';
  if (!hasBorder) return textWidth(text) >= columns;
  return /^\s?\S/u.test(behind);
}

const isInside = (box: Box | undefined, y: number): boolean =>
  box !== undefined && y >= box.first && y <= box.last;

// What was submitted is often shown with the prompt that it was typed behind.
export const isAsTyped = (row: string, prompt: string): boolean =>
  !prompt.includes(MARKER_START) &&
  prompt.replace(TRAILING, '').replace(LEADING, '') !== '' &&
  row.startsWith(prompt.trimEnd());

// As many rows as its words can take.
function contextBefore(rows: readonly string[], y: number): string {
  let context = '';
  for (let above = y - 1; above >= 0 && context.length < CONTEXT_LENGTH; above--)
    context = contextOf(`${rows[above]}${context}`);
  return context;
}
