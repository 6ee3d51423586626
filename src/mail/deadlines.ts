// A message whose time is over is not delivered any more.
import type { Door } from '../agents/index.js';
import { type MessageRow, Unmet } from '../store/index.js';
import { Alarm } from './alarm.js';
import type { Ledger } from './ledger.js';
import type { MessageEvent } from './lifecycle.js';

export const EXPIRED: MessageEvent = { kind: 'expired', reason: 'it was not delivered in time' };

export interface DeadlinesDeps {
  ledger: Ledger;
  clock: () => number;
  doorOf: (session: string) => Door | undefined;
  log: (message: string, details: Record<string, unknown>) => void;
}

export class Deadlines {
  readonly #deps: DeadlinesDeps;
  readonly #alarm: Alarm;
  // In the queue of an agent that does not give it back.
  readonly #kept = new Set<string>();
  #round: Promise<void> = Promise.resolve();

  constructor(deps: DeadlinesDeps) {
    this.#deps = deps;
    const { ledger, clock, log } = deps;
    this.#alarm = new Alarm({
      clock,
      next: () => this.#next(),
      fire: () => this.#expire(),
      log,
    });
    ledger.onEntry(({ message, event: { kind } }) => {
      if (message.expires_at === null) return;
      if (message.state !== 'accepted') this.#kept.delete(message.id);
      if (kind === 'queued') this.#alarm.look();
      // Its attempt has put it into its agent's queue after its time was over: the alarm had passed it by.
      else if (message.state === 'accepted' && message.expires_at <= clock()) this.#alarm.look();
      // Its attempt came to nothing after its time was over.
      else if (message.state === 'pending' && message.expires_at <= clock()) void this.#end(message);
    });
  }

  // Also what fell due while no daemon ran.
  async start(): Promise<void> {
    await this.#expire();
    this.#alarm.look();
  }

  dispose(): Promise<void> {
    return this.#alarm.dispose();
  }

  // One that is being delivered is looked at when its attempt has come to its end.
  #next(): number | null {
    const { ledger, clock } = this.#deps;
    return this.#due()[0]?.expires_at ?? ledger.messages.nextExpiry(clock());
  }

  // One round at a time: none asks an agent for what another has just asked for.
  #expire(): Promise<void> {
    this.#round = this.#round.then(async () => {
      for (const message of this.#due()) await this.#end(message);
    });
    return this.#round;
  }

  #due(): MessageRow[] {
    const { ledger, clock } = this.#deps;
    return ledger.messages.expired(clock()).filter(({ id }) => !this.#kept.has(id));
  }

  async #end(message: MessageRow): Promise<void> {
    const { ledger, doorOf, log } = this.#deps;
    try {
      // What its agent has in its own queue is taken back, if it can be; else it is delivered already.
      if (message.state === 'accepted') {
        const isAlone = message.lead === null && ledger.messages.ridersOf(message.id).length === 0;
        if (!isAlone || !(await doorOf(message.recipient)?.withdraw(message.id))) {
          this.#kept.add(message.id);
          return;
        }
      }
      await ledger.record(ledger.messages.get(message.id) ?? message, EXPIRED);
    } catch (error) {
      // Somebody else has moved it on: it is being delivered, or it is over.
      if (!(error instanceof Unmet)) log('deadline not kept', { message: message.id, error: String(error) });
    }
  }
}
