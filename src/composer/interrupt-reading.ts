// What two captures tell about a box that was cleared and filled: the draft that stood there, and whether our text stands
// there alone now.
import { parseStyledRows, rowText, splitAt, textWidth } from '../terminal/cells.js';
import { type FoundNudge, findNudgeAt } from '../terminal/nudge-diff.js';
import { shownPlaces } from '../terminal/nudge-diff-shown.js';
import type { Pane, PaneView } from '../tmux/index.js';
import { type Envelope, type Evidence, endsAtCursor, seenInBox } from './evidence.js';
import { type BoxShape, boxEnd, boxTop, isUnambiguous, readRows, squash } from './interrupt-box.js';
import type { Look } from './look.js';
import type { Draft, SwapTools } from './protocol.js';

// The screen with its scrollback and a view of it, of one moment.
export interface Scene {
  view: PaneView;
  capture: Buffer;
  // The row of the screen in which the box begins.
  top: number;
}

const TRIES = 8;
// Repaints come every 30 to 250 ms and take a few: between two of them, so long without output.
const GAP_MS = 12;
const LONGEST_PAINT_MS = 100;

// Undefined when no box is at the cursor, or the screen never stands still long enough.
export async function takeScene(
  pane: Pane,
  look: Look,
  takeView: () => Promise<PaneView>,
): Promise<Scene | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const view = await takeView();
    const capture = Buffer.from(await pane.capture({ history: true }));
    const now = await takeView();
    // A cursor outside of any box may be on its way about the screen.
    const top = isSame(view, now) ? boxTop(view, look) : undefined;
    if (top !== undefined) return { view, capture, top };
    await pane.waitForGap(GAP_MS, LONGEST_PAINT_MS);
  }
  return undefined;
}

const screenText = (view: PaneView): string => view.rows.map((row) => rowText(row).trimEnd()).join('\n');
const isSame = (one: PaneView, other: PaneView): boolean =>
  one.cursor.x === other.cursor.x && one.cursor.y === other.cursor.y && screenText(one) === screenText(other);

export type Reading =
  | { kind: 'not_found' }
  // `typed` is what somebody typed before and behind our text.
  | { kind: 'found'; draft: Draft; typed: { gap: string; behind: string } };

export interface Asked {
  before: Scene;
  after: Scene;
  envelope: Envelope;
  look: Look;
  // The caret stood at the end of its line in `before`: no blanks are hidden behind it.
  caretAtEnd: boolean;
}

export function readSwap({ before, after, envelope, look, caretAtEnd }: Asked): Reading {
  const found = findNudgeAt(before.capture, after.capture, shownPlaces(after.capture, envelope.payload));
  if (!found) return { kind: 'not_found' };
  const row = screenRow(after, found.nudge.from);
  // Found, but not in the box: the agent shows our text elsewhere.
  if (row < after.top) return { kind: 'not_found' };
  return {
    kind: 'found',
    draft: draftIn(before, look, endRow(before, found), caretAtEnd),
    typed: { gap: gapIn(after, look, row, found), behind: behindIn(after, envelope, found) },
  };
}

export interface Seen {
  reading: Extract<Reading, { kind: 'found' }>;
  view: PaneView;
  evidence: Evidence;
}

export const isClean = ({ reading: { typed } }: Seen): boolean => typed.gap === '' && typed.behind === '';

// The last that was seen of our text in the box until it is as wanted, or the deadline has passed.
export async function watchFor(
  tools: SwapTools,
  asked: Omit<Asked, 'after'>,
  empty: PaneView,
  deadlineMs: number,
  isWanted: (seen: Seen) => boolean,
): Promise<Seen | undefined> {
  let last: Seen | undefined;
  const look = async (): Promise<true | undefined> => {
    const evidence = seenInBox(await tools.view(), asked.envelope, empty);
    const after = evidence && (await takeScene(tools.pane, asked.look, () => tools.view()));
    if (!after) return undefined;
    const reading = readSwap({ ...asked, after });
    if (reading.kind !== 'found') return undefined;
    last = { reading, view: after.view, evidence };
    return isWanted(last) ? true : undefined;
  };
  await tools.pane.waitUntil(look, deadlineMs, tools.signal);
  return last;
}

// The draft as the screen shows it, down to `end` (a row of the screen).
export function draftIn({ view, top }: Scene, look: Look, end: number, caretAtEnd: boolean): Draft {
  const shape: BoxShape = {
    look,
    columns: view.size.columns,
    caret: { row: view.cursor.y - top, x: view.cursor.x },
  };
  const rows = view.rows.slice(top, Math.max(end, view.cursor.y + 1));
  const text = readRows(rows, shape);
  const isOneRow = rows.slice(1).every((row) => squash(rowText(row)) === '');
  return {
    text,
    caret: isOneRow && view.cursor.y === top ? caretOffset(view, look, text) : null,
    exact: caretAtEnd && isOneRow && isUnambiguous(text, shape),
  };
}

export const shownDraft = (scene: Scene, look: Look): Draft =>
  draftIn(scene, look, boxEnd(scene.view, look), false);

function caretOffset({ rows, cursor }: PaneView, look: Look, text: string): number {
  const left = splitAt(rows[cursor.y] ?? [], cursor.x).left;
  const inBox = rowText(left).length - rowText(splitAt(left, look.column).left).length;
  return Math.min(text.length, Math.max(0, inBox));
}

// The draft ends where the change ends, but no line of the interface below it is part of it.
function endRow(before: Scene, { replaced }: FoundNudge): number {
  const { capture } = before;
  const last = replaced.to > 0 && capture[replaced.to - 1] === NEWLINE ? replaced.to - 1 : replaced.to;
  return screenRow(before, last) + 1;
}

const NEWLINE = 0x0a;

// A capture ends with the rows of the screen.
function screenRow({ capture, view }: Scene, offset: number): number {
  const below = count(capture.subarray(offset), NEWLINE);
  return view.rows.length - 1 - below;
}

function count(bytes: Uint8Array, wanted: number): number {
  let found = 0;
  for (const byte of bytes) if (byte === wanted) found++;
  return found;
}

// What stands in the box before our text.
function gapIn({ view, capture, top }: Scene, look: Look, row: number, { nudge }: FoundNudge): string {
  const start = capture.lastIndexOf(NEWLINE, nudge.from - 1) + 1;
  const [own = []] = parseStyledRows([capture.toString('utf8', start, nudge.from)]);
  const above = view.rows.slice(top, row);
  // As if the caret stood before our text: the blanks there were typed.
  const caret = { row: above.length, x: textWidth(rowText(own)) };
  const text = readRows([...above, own], { look, columns: view.size.columns, caret });
  return squash(text) === '' ? '' : text;
}

// What stands behind our text in its row. A caret that is not at its end tells of a key that leaves nothing to see.
function behindIn(scene: Scene, envelope: Envelope, { nudge, afterNudge }: FoundNudge): string {
  const [line = ''] = Buffer.from(afterNudge).toString('utf8').split('\n', 1);
  if (squash(line) !== '') return line.trimEnd();
  const { view } = scene;
  const row = screenRow(scene, nudge.to - 1);
  const isFull = textWidth(rowText(view.rows[row] ?? []).trimEnd()) >= view.size.columns - EDGE;
  const isThere = view.cursor.y === row || (isFull && view.cursor.y === row + 1);
  return isThere && endsAtCursor(view, envelope) ? '' : '\n';
}

// A text that fills its row puts the caret below it; a frame takes some columns.
const EDGE = 4;
