// Which markers on a screen are known ones that were painted anew: with other words before them, or as copies in the scrollback.
import { markerKey } from './marker.js';
import type { Occurrence } from './occurrences.js';
import type { Shown } from './screen.js';

// On the screen again, nobody knows which of those that say the same.
export const OLD = Symbol('old');
export type Match = Occurrence | typeof OLD | undefined;

// What stood there before and still does, by the index of where it is seen now. What is painted anew keeps its order, so one is
// followed only to between those that stood around it. `from`: the first row that counts.
export function follow(
  sights: readonly Shown[],
  matched: readonly Match[],
  before: readonly Occurrence[],
  from = 0,
): Map<number, Occurrence> {
  const counts = (i: number): boolean => (sights[i]?.row ?? -1) >= from;
  const standing = new Set(matched.filter((one, i) => counts(i) && typeof one === 'object'));
  const left = before.filter((one) => !standing.has(one)).sort((a, b) => a.seq - b.seq);
  const found = new Map<number, Occurrence>();
  let above = 0;
  for (const [i, { marker }] of sights.entries()) {
    const known = matched[i];
    if (!counts(i)) continue;
    if (typeof known === 'object') above = known.seq;
    if (known !== undefined) continue;
    const below = matched.find((one, at): one is Occurrence => at > i && typeof one === 'object')?.seq;
    const key = markerKey(marker);
    const at = left.findIndex(
      (one) => markerKey(one.marker) === key && one.seq > above && (below === undefined || one.seq < below),
    );
    const [one] = at < 0 ? [] : left.splice(at, 1);
    if (!one) continue;
    found.set(i, one);
    above = one.seq;
  }
  return found;
}

// Those in the scrollback that say what is known, or what stands further below: a screen was pushed up there and painted again.
// `isRedrawn`: whether that is so for what says this.
export function copies(
  sights: readonly Shown[],
  matched: readonly Match[],
  known: readonly Occurrence[],
  { top, isRedrawn }: { top: number; isRedrawn: (key: string) => boolean },
): number[] {
  const said = new Set(known.map(({ marker }) => markerKey(marker)));
  const found: number[] = [];
  for (const [i, { marker, row }] of [...sights.entries()].reverse()) {
    const key = markerKey(marker);
    if (row < top && matched[i] === undefined && said.has(key) && isRedrawn(key)) found.push(i);
    said.add(key);
  }
  return found;
}
