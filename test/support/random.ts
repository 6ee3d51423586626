// A small seeded generator (mulberry32), so that a failed run can be repeated from the seed it printed.
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// SM_SEED repeats a run.
export const newSeed = (): number =>
  process.env.SM_SEED ? Number(process.env.SM_SEED) : Math.floor(Math.random() * 2 ** 32);
