// Which of the markers on a screen were seen before: by what they say and by the words that stand before them.
import { type Marker, markerKey } from './marker.js';

export interface Occurrence {
  // Counted in its session.
  seq: number;
  marker: Marker;
  // The words before it; null where it is known from the agent's own record alone.
  context: string | null;
  at: number;
  // Its entry in that record.
  entry: string | null;
  // Other words that stood before it when the screen was made wider or narrower.
  also?: readonly string[];
}

export interface Sight {
  marker: Marker;
  context: string;
}

// Remembered of a session; the oldest are forgotten.
export const MOST_REMEMBERED = 300;

// So many of the words right before a marker tell it; those further up may change while it stands there.
export const TELLING_LENGTH = 32;

// One of them may have been cut at the top of the screen.
export function isSameContext(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length, TELLING_LENGTH);
  return a.slice(a.length - length) === b.slice(b.length - length);
}

// For each sight the occurrence that it shows, or undefined for a new one. One occurrence is shown once on a screen, so two that
// look alike are two. From below: what is cut at the top is told by what stands below it.
export function recognise(
  known: readonly Occurrence[],
  sights: readonly Sight[],
): (Occurrence | undefined)[] {
  const left = new Map<string, Occurrence[]>();
  for (const one of known) {
    const key = markerKey(one.marker);
    left.set(key, [...(left.get(key) ?? []), one]);
  }
  const shown = sights.map<Occurrence | undefined>(() => undefined);
  for (const [i, { marker, context }] of [...sights.entries()].reverse()) {
    const alike = left.get(markerKey(marker)) ?? [];
    // The agent's own id makes all that bear it one.
    const at = marker.id !== null ? alike.length - 1 : best(alike, context);
    shown[i] = alike[at];
    if (at >= 0 && marker.id === null) alike.splice(at, 1);
  }
  return shown;
}

// The latest with the same words before it; else the first that nobody has seen on a screen yet.
function best(alike: readonly Occurrence[], context: string): number {
  const same = alike.findLastIndex(
    ({ context: before, also = [] }) =>
      (before !== null && isSameContext(before, context)) || also.includes(context),
  );
  return same === -1 ? alike.findIndex((one) => one.context === null) : same;
}
