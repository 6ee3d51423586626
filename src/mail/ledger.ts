// Writes what happens to a message: the event and the state that follows from it, in one durable unit.
import {
  cancelWaiting,
  type EventRow,
  type Folded,
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
import { sharedEvent } from './batch.js';
import { type Fault, NO_FAULT } from './faults.js';
import { isAtLeast, type MessageEvent, mayFollow, next } from './lifecycle.js';

export interface LedgerEntry {
  message: MessageRow;
  event: EventRow;
}

export interface Entry {
  message: MessageRow;
  event: MessageEvent;
}

// Its number is counted here.
type Attempt = Omit<Extract<MessageEvent, { kind: 'attempt' }>, 'n'>;

const TURNS: ReadonlySet<MessageEvent['kind']> = new Set([
  'attempt',
  'interrupted',
  'cancelled',
  'expired',
  'dead',
  'redelivered',
  'moved',
  'changed',
]);

export class Ledger {
  readonly messages: Messages;
  readonly #entry = new Emitter<LedgerEntry>();
  readonly onEntry = this.#entry.event;

  constructor(
    readonly store: Store,
    readonly clock: () => number,
    readonly fault: Fault = NO_FAULT,
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

  // An attempt for a message and for those that go along with it: for all of them or for none.
  async begin(
    message: MessageRow,
    riders: readonly MessageRow[],
    attempt: Attempt,
    also: readonly Step[] = [],
  ): Promise<MessageRow> {
    const together = riders.length > 0 ? { ...attempt, riders: riders.map(({ id }) => id) } : attempt;
    const entries: Entry[] = [
      { message, event: { ...together, n: message.attempts + 1 } },
      ...riders.map((rider) => ({
        message: rider,
        event: { ...attempt, n: rider.attempts + 1, lead: message.id },
      })),
    ];
    return this.#write(entries, also);
  }

  // What happens to a message happens to those that go along with it.
  // Rejects (Unmet) when the message has moved on meanwhile. `also` is written in the same unit.
  async record(message: MessageRow, event: MessageEvent, also: readonly Step[] = []): Promise<MessageRow> {
    try {
      return await this.#write([{ message, event }, ...this.#along(message, event)], also);
    } catch (error) {
      const now = error instanceof Unmet ? this.messages.get(message.id) : undefined;
      if (now?.state !== message.state || now.attempts !== message.attempts) throw error;
      // Only its receipt has climbed, or that of one that goes along: what happened to it happened all the same.
      if (now.receipt === message.receipt && this.messages.ridersOf(message.id).length === 0) throw error;
      return this.record(now, event, also);
    }
  }

  // What happens to several at once: for all of them or for none. Rejects (Unmet) when one of them has moved on meanwhile.
  async recordAll(entries: readonly Entry[]): Promise<void> {
    if (entries.length > 0) await this.#write(entries);
  }

  #along(message: MessageRow, event: MessageEvent): Entry[] {
    const shared = sharedEvent(message, event);
    if (!shared) return [];
    return this.messages
      .ridersOf(message.id)
      .filter(({ receipt }) => shared.kind !== 'received' || !isAtLeast(receipt, 'received'))
      .map((rider) => ({ message: rider, event: shared }));
  }

  async #write(entries: readonly Entry[], also: readonly Step[] = []): Promise<MessageRow> {
    // It has moved on meanwhile: nothing is begun or ended for it any more.
    const ended = entries.findIndex(
      ({ message, event }) => TURNS.has(event.kind) && !mayFollow(message, event),
    );
    if (ended >= 0) throw new Unmet(ended);
    const at = this.clock();
    const folds = entries.map(({ message, event: { kind, ...rest } }) => {
      const event = { kind, ...rest } as MessageEvent;
      return { message, kind, data: JSON.stringify(rest), folded: next(message, event, at) };
    });
    const steps = folds.flatMap(({ message, kind, data, folded }) => [
      insertEvent(message.id, at, kind, data),
      updateFolded(message.id, message, folded),
    ]);
    const kind = entries[0]?.event.kind ?? 'queued';
    this.fault(`write:${kind}`);
    const results = await this.store.write([...steps, ...also]);
    this.fault(`written:${kind}`);
    // What `also` changed of them is read anew; what is folded is told as it was written here, whatever has happened since.
    const rows = folds.map(({ message, folded }) => ({
      ...message,
      ...(also.length > 0 && this.messages.get(message.id)),
      ...onlyFolded(folded),
    }));
    for (const [i, { message, kind, data }] of folds.entries())
      this.#entry.fire({
        message: rows[i] as MessageRow,
        event: { seq: results[i * 2]?.rowid ?? 0, message_id: message.id, at, kind, data },
      });
    return rows[0] as MessageRow;
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

// A fold over a row carries the rest of the row along.
const onlyFolded = ({ state, receipt, attempts, failures, ...row }: Folded): Folded => {
  const { not_before, lead, held, settled_at, turn } = row;
  return { state, receipt, attempts, failures, not_before, lead, held, settled_at, turn };
};
