// A small seeded generator (mulberry32), so that a run can be repeated from the seed it printed.
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const newSeed = () => Math.floor(Math.random() * 2 ** 32);

// The same cell types the same keys in every run.
export function seedOf(text) {
  let hash = 2166136261;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}

export const between = (random, low, high) => low + random() * (high - low);
export const pick = (random, list) => list[Math.floor(random() * list.length)];
