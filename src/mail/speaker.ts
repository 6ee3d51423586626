// What sm itself says: mail of its own to a session, a line in the inbox to a person; written together with what it follows from.
import type { Registry, Session } from '../sessions/index.js';
import { type MessageRow, type NewMessage, type Step, Unmet } from '../store/index.js';
import type { Ledger } from './ledger.js';
import type { People } from './people.js';
import { refusalOf } from './plans.js';
import type { Sender } from './senders.js';
import type { Beside } from './sending.js';

// Nobody else may send under this name.
export const SM: Sender = { session: null, name: 'sm' };

export interface Word {
  // A session; null for a person.
  to: string | null;
  text: string;
}

export interface SpeakerDeps {
  ledger: Ledger;
  registry: Registry;
  people: People;
  clock: () => number;
  newMessageId: () => string;
  // Its mail may go.
  wake: (session: string) => void;
  log: (message: string, details: Record<string, unknown>) => void;
}

export class Speaker {
  constructor(readonly deps: SpeakerDeps) {}

  reaches(to: string | null): boolean {
    return this.#placeOf(to) !== undefined;
  }

  // A session whose pane is gone reads nothing any more; one whose agent has ended may start another. A shell would run what
  // it is told: whoever sits there is a person.
  #placeOf(to: string | null): Session | 'inbox' | undefined {
    if (to === null) return 'inbox';
    const session = this.deps.registry.get(to);
    if (!session || session.row.state === 'gone') return undefined;
    return refusalOf(session, false) ? 'inbox' : session;
  }

  // All words and `steps` in one unit of writes. What is said to one who has gone is dropped; the rest, and the steps, are not.
  // Rejects (Unmet) where a step does not apply any more: nothing is said then. The ids of what was said.
  async say(
    words: readonly Word[],
    steps: readonly Step[] | ((ids: string[]) => readonly Step[]),
  ): Promise<string[]> {
    const { ledger, people, clock, newMessageId, wake, log } = this.deps;
    const createdAt = clock();
    const mail: NewMessage[] = [];
    const inbox: Beside[] = [];
    for (const { to, text } of words) {
      const place = this.#placeOf(to);
      if (place === 'inbox') inbox.push(people.letter({ text, sender: SM }));
      else if (place) mail.push(letter(newMessageId(), place.id, text, createdAt));
      else log('not said: whoever asked for it has gone', { session: to, text: firstLine(text) });
    }
    const inInbox = inbox.flatMap(({ ids }) => ids);
    const ids = [...mail.map(({ id }) => id), ...inInbox];
    const rest = typeof steps === 'function' ? steps(ids) : steps;
    try {
      await ledger.insert(mail, [...inbox.flatMap((one) => one.steps), ...rest]);
    } catch (error) {
      // One of them was removed at that moment: the others are to hear of it all the same.
      const isLeft = mail.some(({ recipient }) => !this.reaches(recipient));
      if (error instanceof Unmet && isLeft) return this.say(words, steps);
      throw error;
    }
    people.announce(inInbox, 'arrived');
    for (const { recipient } of mail) wake(recipient);
    return ids;
  }
}

// Whoever hears of what became of a message; undefined: nobody, as of what sm itself says.
export function hearerOf(message: MessageRow): { to: string | null } | undefined {
  const { sender_session: to, sender_name } = message;
  return to === null && sender_name === SM.name ? undefined : { to };
}

const letter = (id: string, recipient: string, text: string, createdAt: number): NewMessage => ({
  id,
  recipient,
  senderSession: SM.session,
  senderName: SM.name,
  text,
  command: false,
  mode: 'sequential',
  pastDraft: null,
  // Not its user's word.
  speaks: 'notice',
  // Nobody sends it again by hand, and its reader can tell by the id that it is the same.
  surety: 'at_least_once',
  expiresAt: null,
  whenIdle: false,
  force: false,
  notify: { onDelivery: false, after: null, onStop: false, quiet: true },
  inReplyTo: null,
  thread: id,
  createdAt,
});

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
