// The time that a person means by 17:30, or by a date with it; pure.
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

export const AT_EXAMPLES = '17:30, 2026-07-25T17:30 or 2026-07-25T17:30:00Z';

// The next such time of day here; a date without a zone is one here too. Undefined for what is no time.
export function parseAt(text: string, now: Date): Date | undefined {
  const [, hours, minutes, seconds = '0'] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) {
    const at = new Date(now);
    at.setHours(Number(hours), Number(minutes), Number(seconds), 0);
    if (at <= now) at.setDate(at.getDate() + 1);
    return at;
  }
  if (!DATE_TIME.test(text)) return undefined;
  const at = new Date(text.replace(' ', 'T'));
  // 31 February would be a day in March.
  const isThatDay = !Number.isNaN(at.getTime()) && isDay(text.slice(0, 10));
  return isThatDay ? at : undefined;
}

const isDay = (day: string): boolean => {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
};
