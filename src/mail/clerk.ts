// All that sm says by itself, put together: reminders, word to senders, ends of turns.
import { Notifier } from './notifier.js';
import type { People } from './people.js';
import type { PostOffice } from './post-office.js';
import { Reminders } from './reminders.js';
import { Speaker } from './speaker.js';
import { StopNotify } from './stop-notify.js';

export class Clerk {
  readonly speaker: Speaker;
  readonly reminders: Reminders;
  readonly #stops: StopNotify;
  readonly #notifier: Notifier;

  constructor(office: PostOffice, people: People) {
    const { ledger, deps } = office;
    const speaker = new Speaker({ ...deps, ledger, people, wake: (session) => office.wake(session) });
    this.speaker = speaker;
    this.reminders = new Reminders({ speaker });
    this.#stops = new StopNotify({ speaker, doors: deps.doors });
    this.#notifier = new Notifier({
      speaker,
      stops: this.#stops,
      doors: deps.doors,
      timed: () => this.reminders.look(),
    });
  }

  // Once the sessions are known: what fell due while no daemon ran, and what an earlier one did not come to tell.
  start(): void {
    this.#stops.start();
    this.#notifier.start();
    this.reminders.look();
  }

  // Says nothing more, and resolves once what is under way is on disk.
  async dispose(): Promise<void> {
    await this.reminders.dispose();
    await this.#notifier.dispose();
    await this.#stops.dispose();
  }
}
