// A ledger on disk with one session, whose door and process are what a test says they are; nothing else runs.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DoorMaker } from '../../src/agents/door.js';
import type { Door, Profile, Profiles } from '../../src/agents/index.js';
import { DEFAULT_CONFIG } from '../../src/mail/config.js';
import type { Delivery } from '../../src/mail/delivery.js';
import { Ledger } from '../../src/mail/ledger.js';
import type { MessageEvent, Way } from '../../src/mail/lifecycle.js';
import type { SessionDoorEvent } from '../../src/sessions/doors.js';
import type { Doors, Registry, RegistryEvent } from '../../src/sessions/index.js';
import { blankRow, Session } from '../../src/sessions/session.js';
import {
  insertSession,
  type MessageRow,
  type NewMessage,
  type SessionRow,
  Store,
} from '../../src/store/index.js';
import { Emitter } from '../../src/tmux/index.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };

export class MailDesk {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smd-'));
  readonly store = Store.open(path.join(this.#folder, 'test.db'), OPTIONS);
  readonly ledger = new Ledger(this.store, Date.now);
  readonly heard = new Emitter<SessionDoorEvent>();
  readonly happened = new Emitter<RegistryEvent>();
  readonly maker: { -readonly [K in keyof DoorMaker]?: DoorMaker[K] } = {};
  readonly profile: Partial<Profile> = { name: 'agent', door: this.maker as DoorMaker };
  door: Partial<Door> | undefined;
  // The processes of which something may still become known.
  readonly telling = new Set<number | undefined>([1]);
  readonly session: Session;

  private constructor(row: SessionRow) {
    const profiles = { find: () => this.profile };
    this.session = new Session(row, profiles as unknown as Profiles);
  }

  static async open(): Promise<MailDesk> {
    const desk = new MailDesk({
      ...blankRow('s', 0),
      name: 's',
      state: 'live',
      door: JSON.stringify({ epoch: 1, facts: {} }),
    });
    await desk.store.write([insertSession(desk.session.row)]);
    return desk;
  }

  async close(): Promise<void> {
    await this.store.close();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  get doors(): Doors {
    const doors = {
      onEvent: this.heard.event,
      of: () => this.door,
      mayTell: (_: Session, epoch: number | undefined) => this.telling.has(epoch),
    };
    return doors as unknown as Doors;
  }

  get registry(): Registry {
    const registry = { onEvent: this.happened.event, get: () => this.session };
    return registry as unknown as Registry;
  }

  get delivery(): Delivery {
    const { ledger, doors, session } = this;
    const fresh = (row: MessageRow) => ledger.messages.get(row.id) ?? row;
    return {
      session,
      deps: { ledger, doors, clock: Date.now, config: DEFAULT_CONFIG },
      fresh,
    } as unknown as Delivery;
  }

  // What is known of its process changes, and those who listen are told.
  becomes(change: Partial<SessionRow>): void {
    this.session.row = { ...this.session.row, ...change };
    this.happened.fire({ type: 'changed', session: this.session });
  }

  async message(more: Partial<NewMessage> = {}): Promise<MessageRow> {
    const id = randomBytes(6).toString('hex');
    const [row] = await this.ledger.insert([
      {
        id,
        recipient: 's',
        senderSession: 'other',
        senderName: 'other',
        text: 'hello',
        command: false,
        mode: 'sequential',
        pastDraft: null,
        speaks: null,
        surety: null,
        expiresAt: null,
        whenIdle: false,
        force: false,
        notify: { onDelivery: false, after: null, onStop: false, quiet: false },
        inReplyTo: null,
        thread: id,
        createdAt: Date.now(),
        ...more,
      },
    ]);
    return row as MessageRow;
  }

  // Its first attempt, for the process that runs now, and what came of it.
  async attempted(row: MessageRow, way: Way, ...events: MessageEvent[]): Promise<MessageRow> {
    const { epoch } = this.session.row;
    const attempt: MessageEvent = { kind: 'attempt', n: row.attempts + 1, epoch, lease: 'l', way };
    let now = row;
    for (const event of [attempt, ...events]) now = await this.ledger.record(now, event);
    return now;
  }

  get(id: string): MessageRow {
    return this.ledger.messages.get(id) as MessageRow;
  }

  kinds(id: string): string[] {
    return this.ledger.messages.events(id).map(({ kind }) => kind);
  }
}
