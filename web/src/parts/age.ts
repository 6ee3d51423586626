// How long ago, in few characters. Pure.
const STEPS: readonly [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

export function ageWords(ms: number): string {
  for (const [size, unit] of STEPS) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return ms < 10_000 ? 'now' : `${Math.floor(ms / 10_000) * 10} s`;
}

export const untilWords = (ms: number): string => (ms <= 0 ? 'now' : `in ${ageWords(Math.max(ms, 10_000))}`);
