// Our mail in a conversation's queue: put in once, in the order of the modes, let go on when the queue is held, found and taken back.
import type { Mode } from '../../store/index.js';
import type { Found, Sent } from '../door.js';
import type { Conversation } from './conversation.js';
import type { Queued } from './protocol.js';
import { Denied } from './rpc.js';
import { whereIn } from './whereabouts.js';

const RANKS: Readonly<Record<Mode, number>> = { urgent: 0, important: 1, sequential: 2 };

// Its mode is not known any more: nothing goes ahead of it.
const UNKNOWN_RANK = 0;

export class Mailbox {
  // What was put in and has not been seen to be taken, with its rank.
  readonly #waiting = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get waiting(): string[] {
    return [...this.#waiting.keys()];
  }

  taken(id: string): void {
    this.#waiting.delete(id);
  }

  // The server does not drop duplicates: what it has already is not given to it again.
  async put(conversation: Conversation, id: string, text: string, mode: Mode): Promise<Sent> {
    try {
      const [turn, queue] = await Promise.all([conversation.tookIn(id), conversation.queue()]);
      if (turn !== undefined) return { outcome: 'accepted', evidence: `taken already in turn ${turn}` };
      if (!queue.some(({ clientUserMessageId }) => clientUserMessageId === id)) {
        const refusal = await add(conversation, id, text);
        if (refusal) return refusal;
      }
    } catch (error) {
      // Nothing was given yet.
      return { outcome: 'refused', reason: String(error) };
    }
    this.#waiting.set(id, RANKS[mode]);
    if (mode !== 'sequential') await this.#moveUp(conversation, id).catch(() => {});
    return { outcome: 'accepted', evidence: 'thread/queue/add' };
  }

  async find(conversation: Conversation, id: string): Promise<Found> {
    const found = await whereIn(conversation, id);
    // Also when nobody heard that it was put in: it is followed from now on.
    if (found.at === 'queue' && !this.#waiting.has(id)) this.#waiting.set(id, UNKNOWN_RANK);
    return found;
  }

  async remove(conversation: Conversation, id: string): Promise<boolean> {
    const removed = await conversation.remove(id);
    if (removed) this.taken(id);
    return removed;
  }

  // After an interrupt Codex holds its queue until somebody lets it go on. Only what is ours is let go on.
  async release(conversation: Conversation, isStillIdle: () => boolean): Promise<void> {
    const [first] = this.#ours(await conversation.queue());
    if (!first || !isStillIdle()) return;
    await conversation.start(first.id).catch((error: unknown) => {
      // It has started by itself meanwhile, or was taken out.
      if (!(error instanceof Denied)) throw error;
    });
  }

  // What an earlier daemon of ours has put in, known by the form of its id.
  async remember(conversation: Conversation): Promise<void> {
    for (const { clientUserMessageId: id } of await conversation.queue())
      if (/^[0-9a-f]{12}$/.test(id) && !this.#waiting.has(id)) this.#waiting.set(id, UNKNOWN_RANK);
  }

  // Ahead of our own mail that is less pressing; what a person has queued keeps its place.
  async #moveUp(conversation: Conversation, id: string): Promise<void> {
    const queue = await conversation.queue();
    const own = queue.find(({ clientUserMessageId }) => clientUserMessageId === id);
    const rank = this.#waiting.get(id) ?? 0;
    const at = queue.findIndex((entry) => (this.#waiting.get(entry.clientUserMessageId) ?? -1) > rank);
    if (!own || at < 0 || at > queue.indexOf(own)) return;
    const others = queue.filter((entry) => entry !== own);
    const order = [...others.slice(0, at), own, ...others.slice(at)];
    await conversation.reorder(order.map((entry) => entry.id));
  }

  #ours(queue: readonly Queued[]): Queued[] {
    const rank = (entry: Queued): number => this.#waiting.get(entry.clientUserMessageId) ?? 0;
    return queue
      .filter(({ clientUserMessageId }) => this.#waiting.has(clientUserMessageId))
      .sort((a, b) => rank(a) - rank(b));
  }
}

async function add(conversation: Conversation, id: string, text: string): Promise<Sent | undefined> {
  try {
    await conversation.add(id, text);
    return undefined;
  } catch (error) {
    return error instanceof Denied
      ? { outcome: 'refused', reason: error.message }
      : { outcome: 'unknown', reason: String(error) };
  }
}
