// One conversation (thread) on Codex's app server: its queue, what it has taken, its turns.
import fs from 'node:fs';
import { z } from 'zod';
import {
  ItemPage,
  idsTaken,
  QueueAdded,
  QueueDeleted,
  type Queued,
  QueuePage,
  type Thread,
  ThreadRead,
  type Turn,
  TurnPage,
} from './protocol.js';
import { Denied, type Rpc } from './rpc.js';

const PAGE = 50;

export class Conversation {
  // The message ids that its items show, with the turn of each: complete up to the newest item that was read.
  readonly #taken = new Map<string, string>();
  #newest: string | undefined;

  constructor(
    public rpc: Rpc,
    readonly id: string,
  ) {}

  async read(): Promise<Thread> {
    return (await this.rpc.call('thread/read', { threadId: this.id }, ThreadRead)).thread;
  }

  // From now on its turns and items are told to us. Refused as long as it has not had its first message.
  async subscribe(): Promise<boolean> {
    try {
      await this.rpc.call('thread/resume', { threadId: this.id, excludeTurns: true }, z.unknown());
      return true;
    } catch (error) {
      if (error instanceof Denied) return false;
      throw error;
    }
  }

  async queue(): Promise<Queued[]> {
    const all: Queued[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await this.#call('thread/queue/list', cursor ? { cursor } : {}, QueuePage);
      all.push(...page.data);
      cursor = page.nextCursor;
    }
    return all;
  }

  async add(id: string, text: string): Promise<string> {
    const input = [{ type: 'text', text, text_elements: [] }];
    const added = await this.#call('thread/queue/add', { clientUserMessageId: id, input }, QueueAdded);
    return added.queuedSubmission.id;
  }

  async reorder(queuedSubmissionIds: readonly string[]): Promise<void> {
    await this.#call('thread/queue/reorder', { queuedSubmissionIds }, z.unknown());
  }

  // After a person's interrupt its queue is held; this lets one of it go on.
  async start(queuedSubmissionId: string): Promise<void> {
    await this.#call('thread/queue/start', { queuedSubmissionId }, z.unknown());
  }

  // True when it will never be taken from the queue any more.
  async remove(id: string): Promise<boolean> {
    const found = (await this.queue()).find(({ clientUserMessageId }) => clientUserMessageId === id);
    if (!found) return false;
    const removed = await this.#call('thread/queue/delete', { queuedSubmissionId: found.id }, QueueDeleted);
    return removed.deleted;
  }

  async interrupt(turnId: string): Promise<void> {
    await this.#call('turn/interrupt', { turnId }, z.unknown());
  }

  // The newest first.
  async turns(limit: number): Promise<Turn[]> {
    const order = { limit, sortDirection: 'desc', itemsView: 'full' };
    return this.#orEmpty(async () => (await this.#call('thread/turns/list', order, TurnPage)).data);
  }

  // True once the prompt that a turn began with is among its items: then it has nothing more on its way.
  hasBegun(turn: string): boolean {
    return [...this.#taken.values()].includes(turn);
  }

  // The turn that took the message; undefined when none has.
  async tookIn(id: string): Promise<string | undefined> {
    if (!this.#taken.has(id)) await this.#refresh();
    return this.#taken.get(id);
  }

  async #refresh(): Promise<void> {
    let newest: string | undefined;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const order = { limit: PAGE, sortDirection: 'desc', ...(cursor ? { cursor } : {}) };
      const page = await this.#orEmpty(async () => [await this.#call('thread/items/list', order, ItemPage)]);
      const { data, nextCursor } = page[0] ?? { data: [], nextCursor: null };
      newest ??= data[0]?.item.id;
      for (const { turnId, item } of data) {
        if (item.id === this.#newest) {
          this.#newest = newest;
          return;
        }
        for (const id of idsTaken(item)) this.#taken.set(id, turnId);
      }
      cursor = nextCursor;
    }
    this.#newest = newest;
  }

  // Before its first message it has no history on disk, and what asks for it is refused.
  async #orEmpty<T>(list: () => Promise<T[]>): Promise<T[]> {
    try {
      return await list();
    } catch (error) {
      if (!(error instanceof Denied)) throw error;
      const { path } = await this.read();
      if (path && fs.existsSync(path)) throw error;
      return [];
    }
  }

  #call<T>(method: string, params: Record<string, unknown>, schema: z.ZodType<T>): Promise<T> {
    return this.rpc.call(method, { threadId: this.id, ...params }, schema);
  }
}
