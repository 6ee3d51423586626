// The sessions and their queues in numbers.
import type { PostOffice } from '../mail/index.js';
import type { Registry } from '../sessions/index.js';

export interface StateCounts extends Record<string, number> {
  live: number;
  ended: number;
  gone: number;
}

export function countStates(registry: Registry): StateCounts {
  const counts: StateCounts = { live: 0, ended: 0, gone: 0 };
  for (const { row } of registry.list()) if (row.state !== 'starting') counts[row.state]++;
  return counts;
}

// Of each session that there is: how many messages wait for it.
export function queueDepths(registry: Registry, office: PostOffice): [name: string, waiting: number][] {
  const counts = office.ledger.messages.waitingCounts();
  return registry.list().map(({ id, name }) => [name, counts.get(id) ?? 0]);
}
