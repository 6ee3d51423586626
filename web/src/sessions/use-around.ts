// What decides who needs somebody, as it is now.
import { useMemo } from 'react';
import { useMemory } from '../attention/memory-context.js';
import { useNow } from '../parts/clock.js';
import { usePick } from '../state/store.js';
import { type Around, sessionsWithOpenDrafts } from './need.js';

export function useAround(): Around {
  const live = useMemory();
  const rules = usePick((state) => state.signals);
  const drafts = usePick((state) => state.drafts);
  const { version } = live;
  const now = useNow();
  // The same set as long as the same sessions are in it, so that time alone changes nothing.
  const open = [...sessionsWithOpenDrafts(drafts, now)].sort().join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that what is remembered has changed
  return useMemo(
    () => ({
      rules,
      seen: (id) => live.memory.number('seen', id),
      openDrafts: new Set(open.split(',')),
    }),
    [rules, open, live, version],
  );
}
