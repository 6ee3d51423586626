// Gives one message to the wake hook, says whether the hook has handed it over, and knows what the agent has yet to show.
import type { DoorLetter, Sent } from '../door.js';
import type { Inbox } from './inbox.js';
import { LOST_MS } from './whereabouts.js';

// After it has woken the agent, a waiter is started again by the next hook.
const ARMED_MS = 2000;
// A waiter that lives takes a message within milliseconds.
const TAKEN_MS = 2000;
// One that is lost is to be known as such by then, and to go first.
const RETURNED_MS = 1000;

const HANDED_OVER: Sent = { outcome: 'accepted', evidence: 'the wake hook handed it over' };

export class HandOver {
  // Handed over, and not shown yet: since when.
  readonly #open = new Map<string, number>();
  #lastShown: string | undefined;

  // `armed`: the conversation in which a waiter waits now.
  constructor(
    readonly inbox: Inbox,
    readonly armed: () => string | undefined,
    readonly clock: () => number,
  ) {}

  // How long the next one is still to wait for one that was not shown yet, with an agent that is idle since then.
  waits(idleSince: number): number {
    if (this.#open.size === 0) return 0;
    return Math.max(idleSince, ...this.#open.values()) + LOST_MS + RETURNED_MS - this.clock();
  }

  async send(letter: DoorLetter): Promise<Sent> {
    const sent = await this.#send(letter);
    if (sent.outcome === 'accepted' && this.#lastShown !== letter.id) this.#open.set(letter.id, this.clock());
    return sent;
  }

  // The transcript shows it. True when that was waited for.
  shown(id: string): boolean {
    this.#lastShown = id;
    return this.#open.delete(id);
  }

  // It never will be.
  giveUp(id: string): boolean {
    return this.#open.delete(id);
  }

  async #send({ id, text }: DoorLetter): Promise<Sent> {
    const { inbox } = this;
    const conversation = await inbox.until(this.armed, ARMED_MS);
    if (conversation === undefined)
      return { outcome: 'refused', reason: 'no wake hook waits in its session' };
    inbox.put(id, text);
    // A waiter that has only just been started does not listen yet: it finds the message without being rung for.
    inbox.ring(conversation, id);
    const isTold = (): boolean => inbox.where(id) === 'told' || this.#lastShown === id;
    if (await inbox.until(() => isTold() || undefined, TAKEN_MS)) return HANDED_OVER;
    // It did not say so in time.
    if (inbox.takeBack(id)) return { outcome: 'refused', reason: 'the wake hook did not take it' };
    if (isTold()) return HANDED_OVER;
    if (inbox.waiter(conversation) === undefined && inbox.takeBack(id, 'taken'))
      return { outcome: 'refused', reason: 'the wake hook ended before it handed it over' };
    return { outcome: 'unknown', reason: 'the wake hook took it and has not ended' };
  }
}
