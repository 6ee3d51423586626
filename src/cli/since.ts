// A point in the past as people write it: a time ago (7d, 12h), a day (2026-01-31), or a moment in ISO 8601.
import { UsageError } from './errors.js';

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

export function sinceTime(option: string, text: string, now = Date.now()): string {
  const [, digits, unit = ''] = /^(\d+)(m|h|d|w)$/.exec(text) ?? [];
  if (digits !== undefined) return iso(option, text, now - Number(digits) * (UNITS[unit] ?? 0));
  // A day begins where the person is.
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text;
  return iso(option, text, /^\d{4}-\d{2}-\d{2}T/.test(day) ? Date.parse(day) : Number.NaN);
}

function iso(option: string, text: string, ms: number): string {
  const time = new Date(ms);
  if (!Number.isNaN(time.getTime()) && ms >= 0) return time.toISOString();
  throw new UsageError(
    `${option} "${text}": must be a time ago such as 12h, 7d or 4w, a day such as 2026-01-31, or a moment such as 2026-01-31T17:30:00Z`,
  );
}
