// Reminders of the short endpoint, as timers on disk.
import { insertTimer, type Store } from '../store/index.js';
import type { Reminding } from './short-handlers.js';

export const remindingIn = (store: Store, clock: () => number, newId: () => string): Reminding => ({
  async remind({ dueAt: due_at, everyMs: every_ms, ...reminder }) {
    const id = newId();
    const timer = { ...reminder, id, kind: 'reminder', message_id: null, due_at, every_ms } as const;
    await store.write([insertTimer({ ...timer, created_at: clock() })]);
    return { id, due_at };
  },
});
