// Lets one key that waited through, at the pace that suits it: the same for keys that waited in tmux and for those that did outside.
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { HoldCursor } from './hold-cursor.js';
import { type HoldPace, type KeyKind, nextRun, type Run, stepOf } from './hold-pace.js';

export interface StepTools {
  pace: HoldPace;
  // Undefined where nothing can be seen.
  cursor: HoldCursor | undefined;
  // False where the key stays after all: then nothing is waited for.
  go(): Promise<boolean>;
  pause?: (ms: number) => Promise<void>;
}

const LEAST_QUIET_MS = 50;

export async function letThrough(
  kind: KeyKind,
  run: Run,
  { pace, cursor, go, pause = pauseFor }: StepTools,
): Promise<Run> {
  const { beforeMs, settles, echoMs, afterMs } = stepOf(kind, run, pace);
  if (!cursor) {
    await pause(beforeMs);
    if (!(await go())) return run;
    await pause(afterMs);
    return nextRun(kind, run, 0);
  }
  const isWatched = beforeMs > 0 || echoMs !== undefined;
  const place = settles > 0 ? 'column' : 'cell';
  const from = isWatched ? await cursor.settled(place, beforeMs, settles) : undefined;
  if (!(await go())) return run;
  const quietMs = Math.max(afterMs, LEAST_QUIET_MS);
  if (settles > 0 && echoMs !== undefined) {
    const isTaken = await cursor.movedOn(place, from, quietMs, echoMs);
    // An Enter may take as long as the work that it begins.
    return nextRun(kind, run, isTaken ? 0 : undefined);
  }
  const begun = performance.now();
  if (echoMs === undefined || !(await cursor.leaves(place, from, echoMs))) {
    await pause(afterMs);
    return nextRun(kind, run, echoMs === undefined ? 0 : undefined);
  }
  const shownMs = performance.now() - begun;
  const isTaken = await cursor.movedOn(place, from, quietMs, echoMs);
  return nextRun(kind, run, isTaken ? shownMs : undefined);
}

// A pace of 0 costs nothing.
export const pauseFor = async (ms: number): Promise<void> => void (ms > 0 && (await delay(ms)));
