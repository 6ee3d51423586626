// Messages that a view asks for: they are in the store before the view is drawn with them.
import type { DependencyList } from 'react';
import type { Message } from '../../../src/api/types.js';
import { type Load, useLoad } from '../parts/use-load.js';
import { useStore } from '../state/store.js';

export function useMail(
  ask: () => Promise<readonly Message[]>,
  question: DependencyList,
  turn?: unknown,
): Load<readonly Message[]> {
  const store = useStore();
  return useLoad(
    async () => {
      const keep = store.asking();
      const messages = await ask();
      keep(messages);
      return messages;
    },
    question,
    turn,
  );
}
