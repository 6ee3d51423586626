// One clock for the whole page, so that ages move together and rarely.
import { useSyncExternalStore } from 'react';
import { ageWords, untilWords } from './age.js';

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // It stood still while nobody looked at it.
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

// What has just happened is not older than the clock.
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

export function Age({ since }: { since: string | null }) {
  const at = useNow();
  if (since === null) return null;
  const then = Date.parse(since);
  return (
    <time className="age" dateTime={since} title={new Date(then).toLocaleString()}>
      {ageWords(Math.max(0, at - then))}
    </time>
  );
}

export function Until({ at }: { at: string }) {
  const current = useNow();
  const then = Date.parse(at);
  return (
    <time className="age" dateTime={at} title={new Date(then).toLocaleString()}>
      {untilWords(then - current)}
    </time>
  );
}
