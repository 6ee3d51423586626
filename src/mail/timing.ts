// When a timer comes again, and whether it is late; pure.
import type { TimerRow, TimerState } from '../store/index.js';

// What is said within this time of its due time is on time: a machine under load is not always prompt.
const PROMPT_MS = 10_000;
// Below this there is nothing to be said of it.
const LEAST_LATE_MS = 1000;

// What becomes of a timer that is said now. One that comes again keeps to its due times, and those that have passed meanwhile
// (the machine slept, no daemon ran) are one.
export function firing(
  { due_at, every_ms, fired }: Pick<TimerRow, 'due_at' | 'every_ms' | 'fired'>,
  now: number,
): { state: TimerState; due_at: number; fired: number } {
  if (every_ms === null) return { state: 'done', due_at, fired: fired + 1 };
  const passed = Math.max(0, Math.floor((now - due_at) / every_ms));
  return { state: 'waiting', due_at: due_at + (passed + 1) * every_ms, fired: fired + 1 };
}

// One that comes again and whose due time is too far off: the clock that it was reckoned by has been set back.
export const drawnNear = (
  { due_at, every_ms, fired }: Pick<TimerRow, 'due_at' | 'every_ms' | 'fired'>,
  now: number,
): { state: TimerState; due_at: number; fired: number } => ({
  state: 'waiting',
  due_at: every_ms === null ? due_at : Math.min(due_at, now + every_ms),
  fired,
});

// `startedAt`: what was due before the daemon was there is late, however prompt it is then.
export const isLate = (dueAt: number, now: number, startedAt: number): boolean =>
  now - dueAt >= (dueAt < startedAt ? LEAST_LATE_MS : PROMPT_MS);
