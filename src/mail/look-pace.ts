// How often a box that cannot be read is looked into: each look is a flash on the person's screen. Pure.

export interface Looks {
  // The first look that could not read it, and the last one.
  since: number;
  lastAt: number;
}

export interface Screen {
  // When its pane printed last.
  printedAt: number | undefined;
  // It shows something else than before the last look.
  hasChanged: boolean;
}

const OFTEN_MS = 2000;
const OFTEN_FOR_MS = 60_000;
const RARELY_MS = 30_000;
// What has changed and rests for so long may be its box again.
const REST_MS = 5000;

// When it may be looked into next.
export function nextLook({ since, lastAt }: Looks, { printedAt, hasChanged }: Screen): number {
  const soon = lastAt + OFTEN_MS;
  if (soon < since + OFTEN_FOR_MS) return soon;
  const rested = hasChanged && printedAt !== undefined ? printedAt + REST_MS : Number.POSITIVE_INFINITY;
  return Math.max(soon, Math.min(lastAt + RARELY_MS, rested));
}
