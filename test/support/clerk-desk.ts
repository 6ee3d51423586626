// A mail desk with several sessions, a clock of its own, and somebody who says what sm has to say; no mail is delivered.
import { randomBytes } from 'node:crypto';
import { People } from '../../src/mail/people.js';
import { Speaker } from '../../src/mail/speaker.js';
import type { Registry } from '../../src/sessions/index.js';
import { blankRow, Session } from '../../src/sessions/session.js';
import {
  Inbox,
  type InboxRow,
  insertSession,
  type MessageRow,
  updateSession,
} from '../../src/store/index.js';
import { Machine } from './machine.js';
import { MailDesk } from './mail-desk.js';

export class ClerkDesk {
  readonly machine = new Machine();
  readonly logged: string[] = [];
  readonly woken: string[] = [];
  readonly #sessions = new Map<string, Session>();
  readonly speaker: Speaker;
  readonly people: People;
  readonly registry: Registry;

  private constructor(readonly desk: MailDesk) {
    const registry = {
      onEvent: desk.happened.event,
      get: (id: string) => this.#sessions.get(id),
      list: () => [...this.#sessions.values()],
    };
    this.registry = registry as unknown as Registry;
    const newMessageId = (): string => randomBytes(6).toString('hex');
    const { clock } = this.machine;
    this.people = new People({ store: desk.store, clock, newMessageId });
    this.speaker = new Speaker({
      ledger: desk.ledger,
      registry: this.registry,
      people: this.people,
      clock,
      newMessageId,
      wake: (session) => void this.woken.push(session),
      log: (message) => void this.logged.push(message),
    });
    this.#sessions.set('s', desk.session);
  }

  static async open(): Promise<ClerkDesk> {
    const clerk = new ClerkDesk(await MailDesk.open());
    await clerk.add('other');
    return clerk;
  }

  async add(id: string): Promise<Session> {
    const row = { ...blankRow(id, 0), name: `${id}-name`, state: 'live' as const };
    const session = new Session(row, this.desk.session.profiles);
    await this.desk.store.write([insertSession(row)]);
    this.#sessions.set(id, session);
    return session;
  }

  async remove(id: string): Promise<void> {
    const session = this.#sessions.get(id) as Session;
    await this.desk.store.write([updateSession(id, { removed_at: 1 })]);
    this.#sessions.delete(id);
    this.desk.happened.fire({ type: 'removed', session });
  }

  session(id: string): Session {
    return this.#sessions.get(id) as Session;
  }

  // What sm has said to a session, oldest first.
  said(to: string): MessageRow[] {
    return this.desk.ledger.messages
      .recent(1000)
      .filter(
        ({ recipient, sender_name, sender_session }) =>
          recipient === to && sender_name === 'sm' && sender_session === null,
      );
  }

  texts(to: string): string[] {
    return this.said(to).map(({ text }) => text);
  }

  inbox(): InboxRow[] {
    return new Inbox(this.desk.store).recent(1000);
  }
}
