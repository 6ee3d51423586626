// What is done while a person's keys wait. What breaks off half done leaves them waiting for whoever takes it up; else they go.
import type { MessageRow } from '../store/index.js';
import type { KeyHold } from '../tmux/index.js';
import type { Delivery } from './delivery.js';

// `hold`: undefined where no keys wait. `isHalfDone` is asked at the end.
export async function whileKeysWait<T>(
  delivery: Delivery,
  hold: KeyHold | undefined,
  isHalfDone: () => boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!hold) return work();
  const { link } = hold.pane;
  const { keeper } = delivery.deps;
  const signal = delivery.signal();
  const client = link.clientPid;
  let isThrough = false;
  try {
    const result = await work();
    // Called off, and a connection that was lost, may have ended it in the middle without an error.
    isThrough = !signal.aborted && link.state.kind === 'up' && link.clientPid === client;
    return result;
  } finally {
    // Nobody comes back once everything ends here, nor to a session that is gone.
    const comesBack = !delivery.signal().aborted && link.state.kind !== 'gone';
    if (!isThrough && comesBack && isHalfDone()) await keeper.leave(hold);
    else await keeper.release(hold);
  }
}

// Our text may be in the box, or the draft out of it.
export function isUnsettled(delivery: Delivery, message: MessageRow): boolean {
  const now = delivery.fresh(message);
  return now.state === 'attempting' || delivery.drafts.of(now)?.state === 'saved';
}
