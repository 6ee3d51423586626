// Codex tells the turns and items of a conversation only to who has subscribed to it: tried until it takes that.
import type { Conversation } from './conversation.js';
import type { Turn } from './protocol.js';
import type { Timers } from './timers.js';

// The first message makes the history without which nobody can subscribe.
const TRIES = 30;
const RETRY_MS = 100;
const TURNS_TO_CATCH_UP = 20;

export interface Subscriber {
  // It is still the one that the pane shows.
  isShown(conversation: Conversation): boolean;
  onSubscribed(): void;
  // What went by before, the newest first.
  onMissed(turns: readonly Turn[]): void;
}

export class Subscription {
  #to: Conversation | undefined;

  constructor(
    readonly timers: Timers,
    readonly subscriber: Subscriber,
  ) {}

  // False when it cannot be had yet.
  async take(conversation: Conversation): Promise<boolean> {
    if (!(await conversation.subscribe())) return false;
    this.#to = conversation;
    this.subscriber.onSubscribed();
    const turns = await conversation.turns(TURNS_TO_CATCH_UP);
    if (this.subscriber.isShown(conversation)) this.subscriber.onMissed(turns);
    return true;
  }

  takeSoon(conversation: Conversation, tries = TRIES): void {
    if (this.#to === conversation || tries === 0) return;
    this.timers.set('subscribe', RETRY_MS, async () => {
      if (!this.subscriber.isShown(conversation)) return;
      if (!(await this.take(conversation))) this.takeSoon(conversation, tries - 1);
    });
  }

  lose(): void {
    this.#to = undefined;
  }
}
