// What is done while a person's keys wait. What is cut off half done leaves them waiting for whoever takes it up; else they go.
import type { MessageRow } from '../store/index.js';
import type { KeyHold, Pane } from '../tmux/index.js';
import type { Delivery } from './delivery.js';

// `hold`: undefined where no keys wait. `isHalfDone` is asked at the end.
export async function whileKeysWait<T>(
  delivery: Delivery,
  hold: KeyHold | undefined,
  isHalfDone: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!hold) return work();
  const { keeper } = delivery.deps;
  const wasCut = cutsOf(delivery, hold.pane);
  try {
    return await work();
  } finally {
    // Nobody comes back once everything ends here, nor to a session that is gone.
    const comesBack = !delivery.signal().aborted && hold.pane.link.state.kind !== 'gone';
    if (wasCut() && comesBack && isHalfDone()) await keeper.leave(hold);
    else await keeper.release(hold);
  }
}

// Whether what goes on there was called off, or its connection was lost, since: with an error or without one. What failed
// otherwise fails again, and nobody's keys wait for that.
export function cutsOf(delivery: Delivery, { link }: Pane): () => boolean {
  const signal = delivery.signal();
  const client = link.clientPid;
  return () => signal.aborted || link.state.kind !== 'up' || link.clientPid !== client;
}

// Our text may be in the box, or the draft out of it.
export function isUnsettled(delivery: Delivery, message: MessageRow): boolean {
  const now = delivery.fresh(message);
  return now.state === 'attempting' || delivery.drafts.of(now)?.state === 'saved';
}
