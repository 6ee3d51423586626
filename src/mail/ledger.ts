// Writes what happens to a message: the event and the state that follows from it, in one durable unit.
import {
  cancelWaiting,
  type EventRow,
  insertEvent,
  insertMessage,
  type MessageRow,
  Messages,
  type NewMessage,
  type Step,
  type Store,
  Unmet,
  updateFolded,
} from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { type MessageEvent, next } from './lifecycle.js';

export interface LedgerEntry {
  message: MessageRow;
  event: EventRow;
}

export class Ledger {
  readonly messages: Messages;
  readonly #entry = new Emitter<LedgerEntry>();
  readonly onEntry = this.#entry.event;

  constructor(
    readonly store: Store,
    readonly clock: () => number,
  ) {
    this.messages = new Messages(store);
  }

  // All of them and `also`, or none; on disk when this resolves.
  async insert(news: readonly NewMessage[], also: readonly Step[] = []): Promise<MessageRow[]> {
    const steps = news.flatMap((message) => [
      insertMessage(message),
      insertEvent(message.id, message.createdAt, 'queued', '{}'),
    ]);
    const results = await this.store.write([...steps, ...also]);
    return news.map((message, i) => {
      const row = this.messages.get(message.id) as MessageRow;
      const seq = results[i * 2 + 1]?.rowid ?? 0;
      this.#entry.fire({
        message: row,
        event: { seq, message_id: message.id, at: message.createdAt, kind: 'queued', data: '{}' },
      });
      return row;
    });
  }

  // Rejects (Unmet) when the message has moved on meanwhile. `also` is written in the same unit.
  async record(message: MessageRow, event: MessageEvent, also: readonly Step[] = []): Promise<MessageRow> {
    try {
      return await this.#write(message, event, also);
    } catch (error) {
      const now = error instanceof Unmet ? this.messages.get(message.id) : undefined;
      // Only its receipt has climbed: what happened to it happened all the same.
      const climbed = now?.state === message.state && now.receipt !== message.receipt;
      if (!now || !climbed || now.attempts !== message.attempts) throw error;
      return this.record(now, event, also);
    }
  }

  async #write(message: MessageRow, event: MessageEvent, also: readonly Step[]): Promise<MessageRow> {
    const at = this.clock();
    const { kind, ...rest } = event;
    const data = JSON.stringify(rest);
    const folded = next(message, event, at);
    const [inserted] = await this.store.write([
      insertEvent(message.id, at, kind, data),
      updateFolded(message.id, message, folded),
      ...also,
    ]);
    const row = { ...message, ...folded };
    this.#entry.fire({
      message: row,
      event: { seq: inserted?.rowid ?? 0, message_id: message.id, at, kind, data },
    });
    return row;
  }

  // For a whole queue at once, as steps for a unit of somebody else's; to be announced once that is written.
  cancelAll(
    recipient: string,
    waiting: readonly MessageRow[],
    event: MessageEvent,
  ): { steps: Step[]; announce: () => void } {
    const at = this.clock();
    const { kind, ...rest } = event;
    const data = JSON.stringify(rest);
    const steps = [...waiting.map(({ id }) => insertEvent(id, at, kind, data)), cancelWaiting(recipient, at)];
    const announce = (): void => {
      for (const message of waiting) {
        const written = this.messages.events(message.id).at(-1);
        if (written)
          this.#entry.fire({ message: { ...message, ...next(message, event, at) }, event: written });
      }
    };
    return { steps, announce };
  }
}
