// Takes messages in: all recipients of a sending or none, once for each key, and never more than a queue may hold.
import { createHash } from 'node:crypto';
import type { Session } from '../sessions/index.js';
import {
  insertSendKey,
  type MessageRow,
  type Mode,
  type NewMessage,
  type Notify,
  type PastDraft,
  SendKeys,
  type Speaks,
  type Step,
  type Store,
  type Surety,
  Unmet,
} from '../store/index.js';
import type { Config } from './config.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';
import { refusalOf } from './plans.js';
import { Room } from './room.js';
import type { Sender } from './senders.js';

// How a message wants to be delivered.
export interface SendOptions {
  command: boolean;
  mode?: Mode | undefined;
  speaks?: Speaks | undefined;
  surety?: Surety | undefined;
  pastDraft?: PastDraft | undefined;
  // Milliseconds from now; undefined: as the configuration says.
  timeoutMs?: number | undefined;
  whenIdle?: boolean | undefined;
  force?: boolean | undefined;
  notify?: Partial<Notify> | undefined;
  // The message that it answers, and the conversation that it belongs to.
  inReplyTo?: string | undefined;
  thread?: string | undefined;
  key?: Key | undefined;
}

export interface Key {
  name: string;
  // Of all that was asked for, as `printOf` makes it.
  print: string;
}

// What is written in the same unit for others than sessions, and the ids that the key stands for as well.
export interface Beside {
  steps: readonly Step[];
  ids: readonly string[];
}

export interface SendingDeps {
  store: Store;
  ledger: Ledger;
  config: Config;
  clock: () => number;
  newMessageId: () => string;
}

// `repeated`: the key was used before, and nothing was stored now.
export type Sent = { ids: readonly string[]; rows: MessageRow[]; repeated: boolean };

// Times on disk are whole milliseconds.
const whole = ({ after, ...rest }: Notify): Notify => ({
  ...rest,
  after: after === null ? null : Math.ceil(after),
});

const QUIET: Notify = { onDelivery: false, after: null, onStop: false, quiet: false };

export class Sending {
  readonly #deps: SendingDeps;
  readonly #keys: SendKeys;
  readonly #room: Room;

  constructor(deps: SendingDeps) {
    this.#deps = deps;
    this.#keys = new SendKeys(deps.store);
    this.#room = new Room(deps.ledger);
  }

  // On disk when this resolves.
  async send(
    recipients: readonly Session[],
    text: string,
    sender: Sender,
    options: SendOptions,
    beside: Beside = { steps: [], ids: [] },
  ): Promise<Sent> {
    const { clock } = this.#deps;
    const before = this.recall(sender, options.key);
    if (before) return before;
    const unique = [...new Set(recipients)];
    for (const session of unique) this.#check(session, text, options);
    const createdAt = clock();
    const news = unique.map(({ id }) => this.#letter(id, text, sender, options, createdAt));
    const ids = [...news.map(({ id }) => id), ...beside.ids];
    const steps = [...beside.steps];
    if (options.key)
      steps.push(
        insertSendKey({
          scope: scopeOf(sender),
          key: options.key.name,
          print: options.key.print,
          messages: ids,
          createdAt,
        }),
      );
    const giveBack = this.#room.take(unique.map(({ id }) => id));
    try {
      return { ids, rows: await this.#deps.ledger.insert(news, steps), repeated: false };
    } catch (error) {
      // Somebody sent the same key at the same moment.
      const other = error instanceof Unmet ? this.recall(sender, options.key) : undefined;
      if (other) return other;
      throw error;
    } finally {
      giveBack();
    }
  }

  // What the key stands for already; rejects where it was used for something else.
  recall(sender: Sender, key: Key | undefined): Sent | undefined {
    const known = key && this.#keys.get(scopeOf(sender), key.name);
    if (!known) return undefined;
    if (known.print !== key.print)
      throw new MailError('key_reused', `the key "${key.name}" was used for another message`, {
        field: 'key',
        value: key.name,
        expected: 'a new key for a new message, or exactly what was sent with it before',
      });
    const rows = known.messages.flatMap((id) => this.#deps.ledger.messages.get(id) ?? []);
    return { ids: known.messages, rows, repeated: true };
  }

  #check(session: Session, text: string, { command }: SendOptions): void {
    const refusal = refusalOf(session, command);
    if (refusal)
      throw new MailError(refusal.reason === 'shell' ? 'shell' : 'no_agent', refusal.detail, {
        field: 'to',
        value: session.name,
        expected: 'an agent; or --command to type a line into the shell',
      });
    if (command && text.trim() === '')
      throw new MailError('invalid', 'a command must not be blank', {
        field: 'text',
        value: text,
        expected: 'a line with something in it',
      });
    const { queueLimit } = this.#deps.config;
    const waiting = this.#room.full(session.id, queueLimit);
    if (waiting !== undefined)
      throw new MailError('queue_full', `${waiting} messages wait for ${session.name} already`, {
        field: 'to',
        value: session.name,
        expected: `a session for which fewer than ${queueLimit} wait (queue_limit); "sm queue ${session.name}" lists them`,
      });
  }

  #letter(
    recipient: string,
    text: string,
    sender: Sender,
    options: SendOptions,
    createdAt: number,
  ): NewMessage {
    const id = this.#deps.newMessageId();
    const timeoutMs = options.timeoutMs ?? this.#deps.config.defaultTimeoutMs;
    return {
      id,
      recipient,
      senderSession: sender.session,
      senderName: sender.name,
      text,
      command: options.command,
      mode: options.mode ?? 'sequential',
      speaks: options.speaks ?? null,
      surety: options.surety ?? null,
      pastDraft: options.pastDraft ?? null,
      expiresAt: timeoutMs > 0 ? createdAt + Math.ceil(timeoutMs) : null,
      whenIdle: options.whenIdle ?? false,
      force: options.force ?? false,
      notify: whole({ ...QUIET, ...options.notify }),
      inReplyTo: options.inReplyTo ?? null,
      thread: options.thread ?? id,
      createdAt,
    };
  }
}

// Keys of one sender have nothing to do with those of another.
const scopeOf = ({ session, name }: Sender): string =>
  session === null ? `name:${name}` : `session:${session}`;

// The same for what is the same, in whatever order its fields stand.
export const printOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex');

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
