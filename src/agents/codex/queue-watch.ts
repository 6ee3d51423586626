// Our mail in Codex's queue is followed: let go on when the queue is held, and ours again when a person takes it out.
import type { Mode } from '../../store/index.js';
import type { Conversation } from './conversation.js';
import type { Mailbox } from './mailbox.js';
import { Unanswered } from './rpc.js';
import type { Timers } from './timers.js';

// A queue that is not held goes on within milliseconds of the turn's end.
const HELD_MS = 500;
// Urgent mail has interrupted the turn itself, and so knows that the queue is held.
const HELD_BY_US_MS = 50;
// After a call that was not answered, which took seconds itself.
const RELEASE_RETRY_MS = 2000;
// What left the queue shows among the items long before.
const LEFT_MS = 1500;

export interface QueueOwner {
  // The one that the pane shows.
  conversation(): Conversation | undefined;
  isIdle(): boolean;
  onReceived(id: string, turn: string | null, evidence: string): void;
  onReturned(id: string, reason: string): void;
  onFailed(error: unknown): void;
}

export class QueueWatch {
  constructor(
    readonly mailbox: Mailbox,
    readonly timers: Timers,
    readonly owner: QueueOwner,
  ) {}

  // A queue that is held is let go on when it has not done so by itself.
  releaseSoon(mode: Mode = 'sequential'): void {
    this.#release(mode === 'urgent' ? HELD_BY_US_MS : HELD_MS);
  }

  // A person may take mail out of the queue: then it is ours again.
  changed(conversation: Conversation): void {
    if (!this.mailbox.isEmpty) this.timers.set('left', LEFT_MS, () => this.#checkLeft(conversation));
  }

  get #isHeld(): boolean {
    return this.owner.isIdle() && !this.mailbox.isEmpty;
  }

  #release(ms: number): void {
    if (!this.#isHeld) return;
    this.timers.set('release', ms, async () => {
      const conversation = this.owner.conversation();
      if (!conversation || !this.#isHeld) return;
      await this.mailbox
        .release(conversation, () => this.#isHeld)
        .catch((error: unknown) => {
          // A connection that broke is made anew, and then it is tried again anyway.
          this.owner.onFailed(error);
          if (error instanceof Unanswered && conversation.rpc.isOpen) this.#release(RELEASE_RETRY_MS);
        });
    });
  }

  async #checkLeft(conversation: Conversation): Promise<void> {
    for (const id of this.mailbox.waiting) {
      const found = await this.mailbox.find(conversation, id);
      if (this.owner.conversation() !== conversation) return;
      if (found.at === 'received') this.owner.onReceived(id, found.turn, found.evidence);
      if (found.at !== 'nowhere') continue;
      this.mailbox.taken(id);
      this.owner.onReturned(id, `taken out of its queue: ${found.evidence}`);
    }
  }
}
