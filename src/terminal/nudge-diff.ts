// What a text of ours replaced in an input box, told from two captures of the screen, one before and one after it.
import { type Edit, myersDiff } from './diff.js';

// A stretch of bytes, its end not included.
export interface Span {
  from: number;
  to: number;
}

export interface FoundNudge {
  // What stood there before.
  original: Uint8Array;
  // What stands there now in front of our text, and behind it: somebody typed.
  gap: Uint8Array;
  afterNudge: Uint8Array;
  // Our text in the later capture, and where `original` stood in the earlier one.
  nudge: Span;
  replaced: Span;
}

// Unrelated texts share a byte here and there; a shorter run of equal bytes does not end a change.
const SHORTEST_EQUAL = 4;
const NEWLINE = 0x0a;
const PADDING = '    ';

// Undefined when the later capture does not show the nudge where something has changed.
export function findNudge(before: Uint8Array, after: Uint8Array, nudge: Uint8Array): FoundNudge | undefined {
  return findNudgeAt(before, after, occurrences(after, nudge));
}

// The same for a nudge whose places in the later capture are known already.
export function findNudgeAt(
  before: Uint8Array,
  after: Uint8Array,
  places: readonly Span[],
): FoundNudge | undefined {
  if (places.length === 0) return undefined;
  const edits = myersDiff(before, after);
  // The scrollback may hold the same words: only where something new stands, and the input box comes last.
  const nudge = places.findLast((place) => edits.some((edit) => isNew(edit, place)));
  if (!nudge) return undefined;
  const { a, b } = withoutEqualEdges(before, after, changeAround(edits, after, nudge), nudge);
  return {
    original: before.subarray(a.from, a.to),
    gap: after.subarray(b.from, nudge.from),
    afterNudge: after.subarray(nudge.to, b.to),
    nudge,
    replaced: a,
  };
}

export const isCleanDelivery = ({ gap, afterNudge }: Pick<FoundNudge, 'gap' | 'afterNudge'>): boolean =>
  gap.length === 0 && afterNudge.length === 0;

// All that a person typed, in the order in which they typed it.
export const textToRestore = ({ original, gap, afterNudge }: FoundNudge): Uint8Array =>
  Buffer.concat([original, gap, afterNudge]);

function occurrences(bytes: Uint8Array, wanted: Uint8Array): Span[] {
  if (wanted.length === 0) return [];
  const hay = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spans: Span[] = [];
  for (let from = hay.indexOf(wanted); from >= 0; from = hay.indexOf(wanted, from + 1))
    spans.push({ from, to: from + wanted.length });
  return spans;
}

const isNew = ({ op, b, length }: Edit, { from, to }: Span): boolean =>
  op === 'insert' && b < to && b + length > from;

interface Change {
  a: Span;
  b: Span;
}

// The nudge and every change that nothing separates from it. Where bytes of the nudge itself count as equal (the draft had
// some of its words), they are part of the change all the same.
function changeAround(edits: readonly Edit[], after: Uint8Array, nudge: Span): Change {
  const start = firstChange(edits, after, nudge.from);
  const end = lastChange(edits, after, nudge.to);
  return { a: { from: start.a, to: end.a }, b: { from: start.b, to: end.b } };
}

// Equal bytes that end a change. A word that is in the draft and in what was typed since is one row's, and does not.
function separates(equal: Uint8Array): boolean {
  if (equal.length < SHORTEST_EQUAL) return false;
  return equal.includes(NEWLINE) || Buffer.from(equal).includes(PADDING);
}

interface Place {
  a: number;
  b: number;
}

function firstChange(edits: readonly Edit[], after: Uint8Array, from: number): Place {
  let start: Place | undefined;
  for (let i = edits.findLastIndex(({ b }) => b <= from); i >= 0; i--) {
    const { op, a, b, length } = edits[i] as Edit;
    if (op === 'equal') {
      const inside = Math.min(length, from - b);
      start ??= { a: a + inside, b: b + inside };
      if (separates(after.subarray(b, b + inside))) break;
    } else start = { a, b };
  }
  return start ?? { a: 0, b: from };
}

function lastChange(edits: readonly Edit[], after: Uint8Array, to: number): Place {
  let end: Place | undefined;
  for (let i = edits.findIndex((edit) => afterEnd(edit) >= to); i >= 0 && i < edits.length; i++) {
    const edit = edits[i] as Edit;
    const { op, a, b, length } = edit;
    if (op === 'equal') {
      const inside = Math.max(0, to - b);
      end ??= { a: a + inside, b: b + inside };
      if (separates(after.subarray(b + inside, b + length))) break;
    } else end = { a: op === 'delete' ? a + length : a, b: afterEnd(edit) };
  }
  return end ?? { a: 0, b: to };
}

const afterEnd = ({ op, b, length }: Edit): number => (op === 'delete' ? b : b + length);

// A shortest script may match the blank of a prompt with one inside the nudge: what stands unchanged at the edges is no change.
function withoutEqualEdges(before: Uint8Array, after: Uint8Array, { a, b }: Change, nudge: Span): Change {
  let left = 0;
  const mostLeft = Math.min(a.to - a.from, nudge.from - b.from);
  while (left < mostLeft && before[a.from + left] === after[b.from + left]) left++;
  let right = 0;
  const mostRight = Math.min(a.to - a.from - left, b.to - nudge.to);
  while (right < mostRight && before[a.to - right - 1] === after[b.to - right - 1]) right++;
  return {
    a: { from: a.from + left, to: a.to - right },
    b: { from: b.from + left, to: b.to - right },
  };
}
