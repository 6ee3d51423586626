// Tells senders what became of their messages: each thing once, whatever crashes, and only what they asked for.

import type { Doors } from '../sessions/index.js';
import {
  insertTimer,
  type MessageRow,
  markTold,
  type Step,
  Tellings,
  type TOLD,
  Unmet,
} from '../store/index.js';
import type { Disposable } from '../tmux/index.js';
import { type Due, duesOf, TELLING } from './dues.js';
import { deadNotice, deliveryNotice, doneNotice, expiryNotice, followUpNotice } from './notices.js';
import { hearerOf, type Speaker } from './speaker.js';
import type { StopNotify } from './stop-notify.js';

export interface NotifierDeps {
  speaker: Speaker;
  stops: StopNotify;
  doors: Doors;
  // A timer was written.
  timed: () => void;
}

// Looked at together, of those that an earlier daemon left untold.
const PAGE = 500;

export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #tellings: Tellings;
  readonly #listening: Disposable;
  readonly #following: Disposable;
  readonly #doors: Disposable;
  // Of the processes that run, as far as they were heard of.
  readonly #epochs = new Map<string, number>();
  // What is under way, by message.
  readonly #last = new Map<string, Promise<void>>();

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    const { ledger } = deps.speaker.deps;
    this.#tellings = new Tellings(ledger.store);
    this.#listening = ledger.onEntry(({ message, event: { kind } }) => {
      if (message.notify_stop && kind === 'attempt') deps.stops.attempted(message);
      else if (message.notify_stop && message.state !== 'attempting' && kind !== 'submitted')
        deps.stops.notTyped(message);
      if (TELLING.has(kind) && mayOwe(message)) this.#attend(message.id);
    });
    // What its agent might have told of, nobody tells of once its process is no more.
    this.#following = deps.speaker.deps.registry.onEvent(({ type, session: { id, row } }) => {
      if (type === 'stirred') return;
      const isSame = type === 'changed' && row.state === 'live' && this.#epochs.get(id) === row.epoch;
      this.#epochs.set(id, row.epoch);
      if (type === 'removed') this.#epochs.delete(id);
      if (!isSame) this.#attendAll(id);
    });
    // Nor where its door has shut.
    this.#doors = deps.doors.onEvent(({ session, event }) => {
      if (event.kind === 'changed' && !deps.doors.mayTell(session, session.row.epoch))
        this.#attendAll(session.id);
    });
  }

  #attendAll(session: string): void {
    for (const { id } of this.#tellings.owingOf(session)) this.#attend(id);
  }

  // What an earlier daemon saw happen and did not come to tell.
  start(): void {
    for (let seq = 0; ; ) {
      const owing = this.#tellings.owing(seq, PAGE);
      for (const { id } of owing) this.#attend(id);
      seq = owing.at(-1)?.seq ?? 0;
      if (owing.length < PAGE) return;
    }
  }

  // Resolves when nothing is under way any more.
  async dispose(): Promise<void> {
    this.#listening.dispose();
    this.#following.dispose();
    this.#doors.dispose();
    await Promise.all(this.#last.values());
  }

  #attend(id: string): void {
    const { log } = this.#deps.speaker.deps;
    const work = (this.#last.get(id) ?? Promise.resolve())
      .then(() => this.#tellAll(id))
      .catch((error: unknown) => log('sender not told', { message: id, error: String(error) }))
      .finally(() => {
        if (this.#last.get(id) === work) this.#last.delete(id);
      });
    this.#last.set(id, work);
  }

  async #tellAll(id: string): Promise<void> {
    const { messages } = this.#deps.speaker.deps.ledger;
    const message = messages.get(id);
    const hearer = message && hearerOf(message);
    if (!hearer) return;
    for (const due of duesOf(message, messages.events(id))) {
      if (this.#tellings.wasTold(id, BITS[due.what])) continue;
      try {
        await this.#tell(message, hearer.to, due);
      } catch (error) {
        // Told already.
        if (!(error instanceof Unmet)) throw error;
      }
    }
  }

  async #tell(message: MessageRow, to: string | null, due: Due): Promise<void> {
    const told: Step = markTold(message.id, BITS[due.what]);
    const say = async (text: string): Promise<void> => {
      await this.#deps.speaker.say([{ to, text }], [told]);
    };
    switch (due.what) {
      case 'delivery':
        return say(deliveryNotice(message));
      case 'expired':
        return say(expiryNotice(message));
      case 'dead':
        return say(deadNotice(message, due.reason));
      case 'done':
        return say(doneNotice(message, due.how, due.answer));
      case 'watch':
        return this.#deps.stops.submitted(message);
      case 'followUp':
        return this.#followUp(message, to, due, told);
    }
  }

  // With its whole text: the message may be thrown away before it is due.
  async #followUp(
    message: MessageRow,
    to: string | null,
    { at, after }: Extract<Due, { what: 'followUp' }>,
    told: Step,
  ): Promise<void> {
    const { ledger, clock, newMessageId } = this.#deps.speaker.deps;
    const timer = insertTimer({
      id: newMessageId(),
      kind: 'follow_up',
      target: to,
      owner: to,
      text: followUpNotice(message, after),
      message_id: message.id,
      due_at: at,
      every_ms: null,
      created_at: clock(),
    });
    await ledger.store.write([timer, told]);
    this.#deps.timed();
  }
}

const BITS: Record<Due['what'], keyof typeof TOLD> = {
  delivery: 'delivery',
  followUp: 'followUp',
  expired: 'givenUp',
  dead: 'givenUp',
  done: 'stop',
  watch: 'stop',
};

// Most messages ask for nothing: for those nothing is read.
const mayOwe = ({ state, quiet, notify_delivery, notify_after, notify_stop }: MessageRow): boolean =>
  state === 'expired' || state === 'dead'
    ? quiet === 0
    : notify_delivery === 1 || notify_after !== null || notify_stop === 1;
