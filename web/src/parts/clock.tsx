// Ages and times to come, on the page's one clock, so that they move together and rarely.
import { useSyncExternalStore } from 'react';
import { ageWords, untilWords } from './age.js';
import { lastTick, onTick } from './ticks.js';

// What has just happened is not older than the clock.
export const useNow = (): number => useSyncExternalStore(onTick, lastTick);

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
