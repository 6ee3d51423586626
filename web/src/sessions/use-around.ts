// What decides who needs somebody, as it is now.
import { useMemo } from 'react';
import { useMemory } from '../attention/memory-context.js';
import { usePick } from '../state/store.js';
import { type Around, sessionsWithOpenDrafts } from './need.js';

export function useAround(): Around {
  const live = useMemory();
  const rules = usePick((state) => state.signals);
  const drafts = usePick((state) => state.drafts);
  const { version } = live;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that what is remembered has changed
  return useMemo(
    () => ({
      rules,
      seen: (id) => live.memory.number('seen', id),
      openDrafts: sessionsWithOpenDrafts(drafts),
    }),
    [rules, drafts, live, version],
  );
}
