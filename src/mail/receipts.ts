// What agents show of our messages becomes their receipts: received with its evidence, done when the turn has ended.
import type { DoorEvent } from '../agents/index.js';
import type { Doors, Registry, Session } from '../sessions/index.js';
import { type MessageRow, Unmet } from '../store/index.js';
import type { Entry, Ledger } from './ledger.js';
import { isAtLeast, type MessageEvent } from './lifecycle.js';
import { suretyOf } from './rules.js';
import { epochOf, isRunning, whereIs } from './whereabouts.js';

export interface ReceiptsDeps {
  doors: Doors;
  registry: Registry;
  ledger: Ledger;
  log: (message: string, details: Record<string, unknown>) => void;
}

// Whoever else writes of the same message at the same moment is done after one try.
const MOST_TRIES = 5;

export class Receipts {
  readonly #last = new WeakMap<Session, Promise<unknown>>();
  // The look at accepted mail that waits for its turn.
  readonly #next = new WeakMap<Session, Promise<unknown>>();

  constructor(readonly deps: ReceiptsDeps) {
    deps.doors.onEvent(({ session, epoch, event, until }) => {
      if (event.kind === 'changed') until(this.settle(session));
      else if (isTold(event)) until(this.#inOrder(session, () => this.#heard(session, epoch, event)));
    });
    deps.registry.onEvent(({ type, session }) => {
      if (type !== 'changed' || deps.ledger.messages.accepted(session.id).length === 0) return;
      this.settle(session).catch((error: unknown) =>
        deps.log('accepted mail not settled', { session: session.id, error: String(error) }),
      );
    });
  }

  // Each message that an agent had in its queue is looked for in the agent's own records. One look that has not begun serves
  // all who ask for it.
  settle(session: Session): Promise<unknown> {
    const next = this.#next.get(session);
    if (next) return next;
    const look = this.#inOrder(session, async () => {
      this.#next.delete(session);
      // One that went along is where the one is that it went along with.
      for (const message of this.deps.ledger.messages.accepted(session.id))
        if (message.lead === null) await this.#look(session, message);
    });
    this.#next.set(session, look);
    return look;
  }

  // What an agent shows is recorded in the order in which it was shown: a turn ends after what it took.
  #inOrder(session: Session, work: () => Promise<unknown>): Promise<unknown> {
    const done = (this.#last.get(session) ?? Promise.resolve()).then(work, work);
    this.#last.set(session, done);
    return done;
  }

  #heard(session: Session, epoch: number, event: ToldEvent): Promise<unknown> {
    switch (event.kind) {
      case 'received':
        return this.#received(session, event.id, event.turn, event.evidence);
      case 'returned':
        return this.#record(session, event.id, { kind: 'returned', reason: event.reason }, isAccepted);
      case 'turn_ended':
        return this.#ended(session, epoch, event);
    }
  }

  #received(session: Session, id: string, turn: string | null, evidence: string): Promise<unknown> {
    // One that was never on its way is only quoted there.
    const isNews = ({ receipt, attempts }: MessageRow): boolean =>
      attempts > 0 && !isAtLeast(receipt, 'received');
    return this.#record(session, id, { kind: 'received', turn, evidence }, isNews);
  }

  // Of all that the turn took at once: whoever told it may not tell it again.
  async #ended(session: Session, epoch: number, end: TurnEnd): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.deps.ledger.recordAll(this.#endsOf(session, epoch, end));
        return;
      } catch (error) {
        if (!(error instanceof Unmet) || tries >= MOST_TRIES) throw error;
      }
    }
  }

  #endsOf(session: Session, epoch: number, { turn, how, answer, evidence }: TurnEnd): Entry[] {
    const { ledger } = this.deps;
    const event: MessageEvent = { kind: 'done', evidence, how, ...(answer !== null && { answer }) };
    return (
      ledger.messages
        .inTurn(session.id)
        .filter((message) => turn === null || message.turn === null || message.turn === turn)
        // The turn of another process, whose mail was last seen in this one's records, ended with it.
        .filter(({ id }) => epochOf(ledger, id) === epoch)
        .map((message) => ({ message, event }))
    );
  }

  async #look(session: Session, message: MessageRow): Promise<void> {
    const { doors, ledger } = this.deps;
    const epoch = epochOf(ledger, message.id);
    const found = await whereIs(doors, session, epoch, message.id);
    const { id, attempts } = message;
    // A later attempt may have begun meanwhile.
    const isSame = (now: MessageRow): boolean => isAccepted(now) && now.attempts === attempts;
    switch (found.at) {
      case 'received':
        await this.#received(session, id, found.turn, found.evidence);
        return;
      case 'nowhere':
        await this.#record(session, id, { kind: 'returned', reason: found.evidence }, isSame);
        return;
      case 'queue':
      case 'unknown':
        // As long as it runs it may show it yet.
        if (isRunning(session, epoch)) return;
        await this.#record(
          session,
          id,
          lost(message, 'reason' in found ? found.reason : found.evidence),
          isSame,
        );
    }
  }

  async #record(
    session: Session,
    id: string,
    event: MessageEvent,
    wants: (message: MessageRow) => boolean = () => true,
  ): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const message = this.deps.ledger.messages.get(id);
      // An id that somebody else quoted, or of another session.
      if (message?.recipient !== session.id || !wants(message)) return;
      try {
        await this.deps.ledger.record(message, event);
        return;
      } catch (error) {
        if (!(error instanceof Unmet)) throw error;
      }
    }
  }
}

// Others may have looked at the same moment.
const isAccepted = ({ state }: MessageRow): boolean => state === 'accepted';

type TurnEnd = Extract<DoorEvent, { kind: 'turn_ended' }>;
type ToldEvent = Extract<DoorEvent, { kind: 'received' | 'returned' | 'turn_ended' }>;

const isTold = (event: DoorEvent): event is ToldEvent =>
  event.kind === 'received' || event.kind === 'returned' || event.kind === 'turn_ended';

export const lost = (message: MessageRow, reason: string): MessageEvent =>
  suretyOf(message) === 'at_least_once' ? { kind: 'again', reason } : { kind: 'uncertain', reason };
