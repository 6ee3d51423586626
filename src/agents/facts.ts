// Facts that a later daemon needs, saved without anybody waiting for it.
import type { DoorContext } from './door.js';

export type FactsContext = Pick<DoorContext, 'saveFacts' | 'log'>;

export function noteFacts(context: FactsContext, facts: Record<string, string>): void {
  context
    .saveFacts(facts)
    .catch((error: unknown) => context.log('door facts not saved', { error: String(error) }));
}
