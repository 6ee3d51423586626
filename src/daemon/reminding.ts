// Reminders of the short endpoint, as timers on disk.
import { insertTimer, type Store } from '../store/index.js';
import type { Reminding } from './short-handlers.js';

export const remindingIn = (store: Store, clock: () => number, newId: () => string): Reminding => ({
  async add({ session, text, delayMs }) {
    const created_at = clock();
    const timer = { id: newId(), due_at: created_at + delayMs, created_at };
    await store.write([
      insertTimer({
        ...timer,
        kind: 'reminder',
        target: session.id,
        owner: session.id,
        text,
        message_id: null,
        every_ms: null,
      }),
    ]);
    return timer;
  },
});
