// Which message an agent answers when it names none: the one that it is handling, as far as that is known.
import type { Session } from '../sessions/index.js';
import type { Inbox, MessageRow } from '../store/index.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';
import type { Proofs } from './proofs.js';
import { senderOf } from './rules.js';
import { epochOf } from './whereabouts.js';

export interface HandlingDeps {
  ledger: Ledger;
  inbox: Pick<Inbox, 'inThread'>;
  proofs: Pick<Proofs, 'best' | 'outcome'>;
}

export class Handling {
  constructor(readonly deps: HandlingDeps) {}

  // `to`: the id of a message, or whose newest one; without it the newest.
  find(session: Session, to?: string): MessageRow {
    if (to === undefined) {
      const unanswered = this.#unanswered(session);
      const senders = new Map(unanswered.map((message) => [senderOf(message), message.sender_name]));
      if (senders.size > 1) throw several(session, [...senders.values()]);
      const found = unanswered[0] ?? this.#newest(session, null);
      if (found) return found;
      throw unanswerable(`${session.name} has received no message that it could answer`, to);
    }
    const named = this.#byId(session, to) ?? this.#newest(session, to);
    if (named) return named;
    throw unanswerable(`${session.name} has received no message with that id or from that sender: ${to}`, to);
  }

  // What was given to it last and may be what its turn is about, where nothing is known to be.
  coming(session: Session): MessageRow | undefined {
    if (this.#open(session).length > 0) return undefined;
    const { messages } = this.deps.ledger;
    const given = messages.accepted(session.id).at(-1) ?? messages.last(session.id, 'submitted', null);
    return given && this.deps.proofs.outcome(given, 'received') === 'open' ? given : undefined;
  }

  #byId({ id: own, name }: Session, ref: string): MessageRow | undefined {
    const { messages } = this.deps.ledger;
    const id = ref.replace(/^#/, '');
    const found = [messages.get(id) ?? (/^[0-9a-f]{4,}$/.test(id) ? messages.startingWith(id) : [])].flat();
    const [first] = found.filter(({ recipient }) => recipient === own);
    if (first || found.length === 0) return first;
    throw unanswerable(`message ${ref} was not sent to ${name}`, ref);
  }

  // What its turn is about and it has not answered yet, what came in last first. An answer to a person is in the inbox.
  #unanswered(session: Session): MessageRow[] {
    const { ledger, inbox } = this.deps;
    const isAnswered = ({ id, thread }: MessageRow): boolean =>
      [ledger.messages, inbox].some((half) =>
        half
          .inThread(thread, THREAD_LOOK)
          .some(({ in_reply_to, sender_session }) => in_reply_to === id && sender_session === session.id),
      );
    return this.#open(session).filter((message) => !isAnswered(message));
  }

  #newest(session: Session, sender: string | null): MessageRow | undefined {
    const { ledger, proofs } = this.deps;
    const open = this.#open(session).find((message) => sender === null || isFrom(message, sender));
    if (open) return open;
    // Where its agent shows what it takes, only that counts; otherwise the last that its box let go of.
    const least = proofs.best(session) === 'done' ? 'received' : 'submitted';
    return ledger.messages.last(session.id, least, sender);
  }

  // Of the turn that runs, what came in last first.
  #open({ id, row }: Session): MessageRow[] {
    const { ledger } = this.deps;
    const shownAt = (message: MessageRow): number =>
      ledger.messages.events(message.id).findLast(({ kind }) => kind === 'received')?.seq ?? 0;
    return ledger.messages
      .inTurn(id)
      .filter((message) => !isNotice(message) && epochOf(ledger, message.id) === row.epoch)
      .map((message) => ({ message, at: shownAt(message) }))
      .sort((a, b) => b.at - a.at)
      .map(({ message }) => message);
  }
}

// Longer conversations are looked at from their beginning only so far.
const THREAD_LOOK = 1000;

const isFrom = ({ sender_session, sender_name }: MessageRow, sender: string): boolean =>
  sender === sender_session || sender === sender_name;

// Word of ours, to which there is no answer.
export const isNotice = ({
  sender_session,
  sender_name,
}: Pick<MessageRow, 'sender_session' | 'sender_name'>): boolean =>
  sender_session === null && sender_name === 'sm';

const unanswerable = (message: string, value: string | undefined): MailError =>
  new MailError('not_found', message, {
    field: 'to',
    value: value ?? null,
    expected: 'the id of a message that was sent to it, or the name of who sent one; "sm history" lists them',
  });

const several = ({ name }: Session, senders: readonly string[]): MailError =>
  new MailError('ambiguous', `${name} has mail of several senders at hand: ${senders.join(', ')}`, {
    field: 'to',
    value: null,
    expected: 'whom it answers: the name of a sender, or the id of a message',
  });
