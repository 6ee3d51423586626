// How many more messages a queue may take. Counting a long queue for each of its messages would cost more than storing them:
// it is counted only when what was left at the last count may be used up.
import type { Ledger } from './ledger.js';
import type { MessageEvent } from './lifecycle.js';

// With these a message comes into its queue, or back into it.
const INTO: ReadonlySet<string> = new Set<MessageEvent['kind']>([
  'queued',
  'returned',
  'again',
  'redelivered',
]);

export class Room {
  // By recipient: under which limit it was counted, and how many might come since then.
  readonly #counted = new Map<string, { limit: number; left: number }>();
  // Accepted and not on disk yet.
  readonly #coming = new Map<string, number>();

  constructor(readonly ledger: Ledger) {
    ledger.onEntry(({ message: { recipient }, event: { kind } }) => {
      const counted = INTO.has(kind) ? this.#counted.get(recipient) : undefined;
      if (counted) counted.left--;
    });
  }

  // How many wait, where no other may come; undefined where one may.
  full(recipient: string, limit: number): number | undefined {
    const coming = this.#coming.get(recipient) ?? 0;
    const known = this.#counted.get(recipient);
    if (known && known.limit === limit && known.left > coming) return undefined;
    const waiting = this.ledger.messages.waitingCount(recipient);
    this.#counted.set(recipient, { limit, left: limit - waiting });
    return waiting + coming >= limit ? waiting + coming : undefined;
  }

  // Taken until it is on disk, or came to nothing: a place for each.
  take(recipients: readonly string[]): () => void {
    const change = (by: number): void => {
      for (const recipient of recipients) {
        const coming = (this.#coming.get(recipient) ?? 0) + by;
        if (coming > 0) this.#coming.set(recipient, coming);
        else this.#coming.delete(recipient);
      }
    };
    change(1);
    return () => change(-1);
  }
}
