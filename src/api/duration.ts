// Times as people write them, such as 500ms, 30s, 5m or 1h30m; a bare number means seconds.
const UNITS = [86_400_000, 3_600_000, 60_000, 1000, 1];
const NUMBER = '(\\d+(?:\\.\\d+)?)';
const COMBINED = new RegExp(
  `^${['d', 'h', 'm', 's', 'ms'].map((unit) => `(?:${NUMBER}${unit})?`).join('')}$`,
);
const BARE = new RegExp(`^${NUMBER}$`);

export const DURATION_EXAMPLES = '500ms, 30s, 5m or 1h30m; a bare number is seconds';

// In milliseconds; undefined for what is no time, and for none at all.
export function parseDuration(text: string): number | undefined {
  const bare = BARE.exec(text)?.[1];
  const parts =
    bare === undefined ? (COMBINED.exec(text)?.slice(1) ?? []) : [undefined, undefined, undefined, bare];
  const ms = parts.reduce((sum, part, at) => sum + Number(part ?? 0) * (UNITS[at] ?? 0), 0);
  return ms > 0 && Number.isFinite(ms) ? Math.round(ms * 1000) / 1000 : undefined;
}
