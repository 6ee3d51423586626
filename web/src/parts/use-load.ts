// Something that is asked for when a view opens, and again when what it depends on changes; the last answer stays meanwhile.
import { type DependencyList, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePick } from '../state/store.js';
import { type Asked, Asker } from './asker.js';

export interface Load<T> extends Asked<T> {
  reload: () => void;
}

// `question`: what is asked for; answers to another one are dropped. `turn`: what says, by being another, that the answer may
// have changed.
export function useLoad<T>(load: () => Promise<T>, question: DependencyList, turn?: unknown): Load<T> {
  const [asked, setAsked] = useState<Asked<T>>({ data: undefined, problem: undefined, isLoading: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever uses it says what the question depends on
  const asker = useMemo(() => new Asker(load, setAsked), question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turn says that it is to be asked again
  useEffect(() => asker.ask(), [asker, turn]);
  useEffect(() => () => asker.end(), [asker]);

  // What could not be had is tried again once the connection is back.
  const isLive = usePick((state) => state.link.at === 'live');
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (isLive && !wasLive.current) asker.retry();
    wasLive.current = isLive;
  }, [asker, isLive]);

  const reload = useCallback(() => asker.ask(), [asker]);
  return { ...asked, reload };
}
