// Does the clock tell what it told before? Deadlines, reminders and the age of history go by it.
import { performance } from 'node:perf_hooks';
import { type Checked, note, problem } from './finding.js';

export interface ClockReading {
  // By the clock on the wall, in milliseconds, and by one that nobody sets and that stands still while the machine sleeps.
  wall: number;
  steady: number;
}

export const readClock = (wall: () => number): ClockReading => ({ wall: wall(), steady: performance.now() });

// tmux and SQLite tell whole milliseconds or seconds; clocks are nudged all the time.
const SLACK_MS = 2000;

// `started`: when the daemon did. `newest`: the time of the last event that is recorded.
export function checkClock(started: ClockReading, now: ClockReading, newest: number | undefined): Checked {
  const moved = now.wall - started.wall - (now.steady - started.steady);
  const behind = newest === undefined ? 0 : newest - now.wall;
  const findings = [];
  if (behind > SLACK_MS)
    findings.push(
      problem(
        'clock',
        `the clock is ${words(behind)} behind the last event that is recorded`,
        'set it right (timedatectl): deadlines and reminders come late until then',
      ),
    );
  if (moved > SLACK_MS)
    findings.push(
      note(
        'clock',
        `since the daemon started the machine slept, or its clock was set forward, for ${words(moved)}`,
        'nothing to do, if you know why',
      ),
    );
  if (moved < -SLACK_MS)
    findings.push(
      note(
        'clock',
        `since the daemon started the clock was set back by ${words(-moved)}`,
        'see that it is right now: times in the history may go backwards',
      ),
    );
  return { about: 'clock', detail: new Date(now.wall).toISOString(), findings };
}

const words = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};
