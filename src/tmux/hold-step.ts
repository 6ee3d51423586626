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
  now?: () => number;
}

const LEAST_QUIET_MS = 50;
// A screen that is painted on and on is not waited for longer.
const CALM_LOOKS = 20;

export async function letThrough(
  kind: KeyKind,
  run: Run,
  { pace, cursor, go, pause = pauseFor, now = () => performance.now() }: StepTools,
): Promise<Run> {
  const { calmMs, beforeMs, settles, echoMs, isGlimpse, leftMs, afterMs } = stepOf(kind, run, pace);
  if (!cursor) {
    await pause(beforeMs);
    if (!(await go())) return run;
    await pause(afterMs);
    return nextRun(kind, run, undefined);
  }
  await calm(cursor, calmMs, pause);
  const isWatched = beforeMs > 0 || echoMs !== undefined;
  const place = settles > 0 ? 'column' : 'cell';
  const last = isGlimpse ? run.at : undefined;
  const from = last ?? (isWatched ? await cursor.settled(place, beforeMs, settles) : undefined);
  if (!(await go())) return run;
  const quietMs = Math.max(afterMs, LEAST_QUIET_MS);
  if (settles > 0 && echoMs !== undefined) {
    const isTaken = await cursor.movedOn(place, from, quietMs, echoMs);
    // An Enter may take as long as the work that it begins. In vain it is not waited for often.
    return nextRun(kind, run, isTaken ? { shownMs: 0 } : { silentMs: 0 });
  }
  // A look without waiting comes after the step, for which time passes anyway.
  if (!echoMs) await pause(afterMs);
  if (echoMs === undefined) return nextRun(kind, run, undefined);
  const begun = now();
  if (!(await cursor.leaves(place, from, echoMs))) {
    const silentMs = Math.max(echoMs, now() - begun);
    if (echoMs > 0) await pause(afterMs);
    return nextRun(kind, run, { silentMs: echoMs > 0 ? silentMs : 0, at: from });
  }
  const shownMs = now() - begun;
  // Inside a paste, where nothing is left to wait with, that it moved must do.
  const stillMs = isGlimpse ? Math.min(quietMs, leftMs) : Math.max(echoMs, quietMs);
  const isTaken = stillMs <= 0 || (await cursor.movedOn(place, from, quietMs, stillMs));
  return nextRun(kind, run, isTaken ? { shownMs } : { silentMs: now() - begun });
}

// Letters that nothing was waited for are all to be seen: time for the last of them, and then the cursor stands still.
export async function calm(
  cursor: HoldCursor,
  ms: number,
  pause: (ms: number) => Promise<void> = pauseFor,
): Promise<void> {
  if (ms === 0) return;
  await pause(ms);
  await cursor.settled('cell', LEAST_QUIET_MS, CALM_LOOKS);
}

// A pace of 0 costs nothing.
export const pauseFor = async (ms: number): Promise<void> => void (ms > 0 && (await delay(ms)));
