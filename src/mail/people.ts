// Mail to a person: into the inbox, on disk with whatever else belongs to the same sending, and told once it is there.
import {
  Inbox,
  type InboxRow,
  insertInbox,
  type Mode,
  markRead,
  markReadUpTo,
  type Step,
  type Store,
} from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { MailError } from './errors.js';
import type { Sender } from './senders.js';
import type { Beside } from './sending.js';

export interface PeopleDeps {
  store: Store;
  clock: () => number;
  newMessageId: () => string;
}

export interface InboxLetter {
  text: string;
  sender: Sender;
  mode?: Mode | undefined;
  inReplyTo?: string | undefined;
  thread?: string | undefined;
}

export interface InboxEvent {
  what: 'arrived' | 'read';
  row: InboxRow;
}

// As SQLite takes it.
const NO_LIMIT = -1;

export class People {
  readonly inbox: Inbox;
  readonly #event = new Emitter<InboxEvent>();
  readonly onEvent = this.#event.event;

  constructor(readonly deps: PeopleDeps) {
    this.inbox = new Inbox(deps.store);
  }

  // What is to be written for it, in a unit of somebody else's; to be announced once that is on disk.
  letter({ text, sender, mode = 'sequential', inReplyTo, thread }: InboxLetter): Beside {
    const id = this.deps.newMessageId();
    const step = insertInbox({
      id,
      sender_session: sender.session,
      sender_name: sender.name,
      text,
      mode,
      in_reply_to: inReplyTo ?? null,
      thread: thread ?? id,
      created_at: this.deps.clock(),
    });
    return { steps: [step], ids: [id] };
  }

  // By itself; on disk when this resolves.
  async post(letter: InboxLetter): Promise<InboxRow> {
    const { steps, ids } = this.letter(letter);
    await this.deps.store.write(steps);
    return this.announce(ids, 'arrived')[0] as InboxRow;
  }

  // Those of the ids that are in the inbox, told to whoever listens.
  announce(ids: readonly string[], what: InboxEvent['what']): InboxRow[] {
    const rows = this.among(ids);
    for (const row of rows) this.#event.fire({ what, row });
    return rows;
  }

  among(ids: readonly string[]): InboxRow[] {
    return ids.flatMap((id) => this.inbox.get(id) ?? []);
  }

  find(ref: string): InboxRow {
    const found = this.look(ref);
    if (found) return found;
    throw new MailError('not_found', `nothing in the inbox has the id ${ref}`, {
      field: 'item',
      value: ref,
      expected: 'the id of mail in the inbox; "sm inbox --all" lists it',
    });
  }

  // By its id, or by a clear beginning of it; undefined where there is none.
  look(ref: string): InboxRow | undefined {
    const id = ref.replace(/^#/, '');
    const exact = this.inbox.get(id);
    if (exact) return exact;
    const found = /^[0-9a-f]{4,}$/.test(id) ? this.inbox.startingWith(id) : [];
    if (found.length > 1)
      throw new MailError('ambiguous', `"${ref}" is the beginning of several ids in the inbox`, {
        field: 'item',
        value: ref,
        expected: 'more of the id; "sm inbox --all" lists them',
      });
    return found[0];
  }

  // Read for the first time, or again: when it first was stays.
  async read(row: InboxRow): Promise<InboxRow> {
    if (row.read_at !== null) return row;
    await this.deps.store.write([this.readStep(row)]);
    return this.announce([row.id], 'read')[0] ?? row;
  }

  // All that is unread at this moment; how many those were.
  async readAll(): Promise<number> {
    const unread = this.inbox.unread(NO_LIMIT);
    const newest = unread.at(-1);
    if (!newest) return 0;
    await this.deps.store.write([markReadUpTo(newest.seq, this.deps.clock())]);
    this.announce(
      unread.map(({ id }) => id),
      'read',
    );
    return unread.length;
  }

  readStep = ({ id }: InboxRow): Step => markRead(id, this.deps.clock());
}
