// The post office: takes messages in, gives each session its courier, and answers what became of them.
import type { Door, Status } from '../agents/index.js';
import { type Doors, type Registry, type Session, shownStatusOf } from '../sessions/index.js';
import { type MessageRow, metaStep, readMeta, type Store } from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { BoxTurns } from './box-turns.js';
import { cancelMessage } from './cancelling.js';
import type { Config } from './config.js';
import { Courier } from './courier.js';
import { Deadlines } from './deadlines.js';
import { MailError } from './errors.js';
import type { Fault } from './faults.js';
import type { Keeper } from './keeper.js';
import { Ledger } from './ledger.js';
import type { MessageEvent } from './lifecycle.js';
import { inWords, type Plan, type PlanWords, refusalOf } from './plans.js';
import { Proofs } from './proofs.js';
import { changeMessage, type MessageChange, moveMessage } from './rearranging.js';
import { Receipts } from './receipts.js';
import { redeliverMessage } from './redelivering.js';
import { identifySender, type Sender, type SenderClaim } from './senders.js';
import { type Beside, Sending, type SendOptions, type Sent } from './sending.js';

export interface PostOfficeDeps {
  store: Store;
  doors: Doors;
  registry: Registry;
  lease: string;
  clock: () => number;
  newMessageId: () => string;
  config: Config;
  keeper: Keeper;
  // Where a test may end the daemon.
  fault?: Fault | undefined;
  // Where the editor shim of a session meets the daemon.
  swapFolder: (session: string) => string;
  log: (message: string, details: Record<string, unknown>) => void;
}

// With these a message leaves its agent's own queue.
const AFTER_QUEUE: ReadonlySet<string> = new Set<MessageEvent['kind']>([
  'received',
  'returned',
  'again',
  'uncertain',
  'cancelled',
  'expired',
  'redelivered',
]);

export class PostOffice {
  readonly ledger: Ledger;
  readonly sending: Sending;
  readonly receipts: Receipts;
  readonly proofs: Proofs;
  readonly deadlines: Deadlines;
  readonly turns = new BoxTurns();
  readonly #couriers = new Map<string, Courier>();
  readonly #pause = new Emitter<boolean>();
  readonly onPause = this.#pause.event;
  #paused: boolean;

  constructor(readonly deps: PostOfficeDeps) {
    const { store, registry, clock } = deps;
    this.ledger = new Ledger(store, clock, deps.fault);
    this.sending = new Sending({ ...deps, ledger: this.ledger });
    this.#paused = readMeta(store.read, 'paused') === 'yes';
    this.receipts = new Receipts({ ...deps, ledger: this.ledger });
    this.proofs = new Proofs({ ...deps, ledger: this.ledger });
    this.deadlines = new Deadlines({ ...deps, ledger: this.ledger, doorOf: (id) => this.#doorOfId(id) });
    // What its agent let go of untaken is delivered again, and what waited behind it may go: nothing else may wake its courier.
    // One that has not begun yet looks for itself, once it has recovered what an earlier daemon left.
    this.ledger.onEntry(({ message, event: { kind } }) => {
      if (AFTER_QUEUE.has(kind)) this.#couriers.get(message.recipient)?.rounds.wake();
    });
    registry.onEvent((event) => {
      const courier = this.#couriers.get(event.session.id);
      if (event.type === 'stirred') courier?.rounds.stir();
      else if (event.type === 'changed') courier?.rounds.wake();
      else {
        void courier?.end();
        this.#couriers.delete(event.session.id);
      }
    });
  }

  // Takes up what the last daemon left unfinished.
  recover(): void {
    this.deadlines
      .start()
      .catch((error: unknown) => this.deps.log('deadlines not kept', { error: String(error) }));
    for (const session of this.deps.registry.list()) {
      void this.receipts
        .settle(session)
        .catch((error: unknown) =>
          this.deps.log('accepted mail not settled', { session: session.id, error: String(error) }),
        );
      this.#courier(session)
        .recover()
        .catch((error: unknown) =>
          this.deps.log('recovery failed', { session: session.id, error: String(error) }),
        );
    }
  }

  get paused(): boolean {
    return this.#paused;
  }

  async setPaused(paused: boolean): Promise<void> {
    await this.deps.store.write([metaStep('paused', paused ? 'yes' : 'no')]);
    this.#paused = paused;
    this.#pause.fire(paused);
    for (const courier of this.#couriers.values()) courier.rounds.wake();
  }

  identify(claim: SenderClaim): Sender {
    return identifySender(this.deps.registry, claim);
  }

  // Stored for all recipients or for none; on disk when this resolves.
  async send(
    recipients: readonly Session[],
    text: string,
    sender: Sender,
    options: SendOptions,
    beside?: Beside,
  ): Promise<Sent> {
    const sent = await this.sending.send(recipients, text, sender, options, beside);
    for (const { recipient } of sent.rows) this.wake(recipient);
    return sent;
  }

  // Something has changed that may let its mail go.
  wake(session: string): void {
    const known = this.deps.registry.get(session);
    if (known) this.#courier(known).rounds.wake();
  }

  #doorOfId(id: string): Door | undefined {
    const session = this.deps.registry.get(id);
    return session && this.doorOf(session);
  }

  doorOf(session: Session): Door | undefined {
    return this.deps.doors.of(session);
  }

  statusOf(session: Session): Status {
    return shownStatusOf(session, this.doorOf(session), this.deps.clock());
  }

  // `stored`: the message itself, where it waits already.
  async plan(session: Session, sender: Sender, options: SendOptions, stored?: string): Promise<Plan> {
    const plan = await this.#plan(session, sender, options, stored);
    return { session, ...plan, proves: this.proofs.best(session) };
  }

  async #plan(
    session: Session,
    sender: Sender,
    { command, mode = 'sequential', speaks = undefined, pastDraft, force }: SendOptions,
    stored: string | undefined,
  ): Promise<PlanWords> {
    const refusal = refusalOf(session, command);
    if (refusal) return { way: 'refuse', ...refusal };
    const [ahead] = this.ledger.messages.waiting(session.id, 1);
    if (ahead && ahead.id !== stored) return { way: 'wait', reason: 'queue', detail: `behind #${ahead.id}` };
    const plan = await this.#courier(session).plan({
      command: command ? 1 : 0,
      mode,
      speaks: speaks ?? null,
      sender_session: sender.session,
      past_draft: pastDraft ?? null,
      force: force ? 1 : 0,
    });
    return inWords(plan);
  }

  find(ref: string): MessageRow {
    const id = ref.replace(/^#/, '');
    const exact = this.ledger.messages.get(id);
    if (exact) return exact;
    const found = /^[0-9a-f]{4,}$/.test(id) ? this.ledger.messages.startingWith(id) : [];
    if (found.length === 1) return found[0] as MessageRow;
    const input = { field: 'message', value: ref, expected: 'the id of a message; "sm history" lists them' };
    if (found.length > 1)
      throw new MailError('ambiguous', `"${ref}" is the beginning of several message ids`, input);
    throw new MailError('not_found', `no such message: ${ref}`, input);
  }

  // A dead letter is delivered after all.
  redeliver(message: MessageRow, by: string): Promise<MessageRow> {
    return redeliverMessage({ ledger: this.ledger, registry: this.deps.registry }, message, by);
  }

  async move(message: MessageRow, before: MessageRow | undefined): Promise<MessageRow> {
    const moved = await moveMessage(this.ledger, message, before);
    this.wake(message.recipient);
    return moved;
  }

  async change(message: MessageRow, change: MessageChange): Promise<MessageRow> {
    const changed = await changeMessage(this.ledger, message, change);
    this.wake(message.recipient);
    return changed;
  }

  async cancel(message: MessageRow): Promise<MessageRow> {
    const door = this.#doorOfId(message.recipient);
    const cancelled = await cancelMessage(this.ledger, message, door);
    door?.bell?.forget(message.id);
    this.#couriers.get(message.recipient)?.rounds.interrupt();
    return cancelled;
  }

  // Removes a session; what waits for it is cancelled in the same unit of writes.
  async removeSession(session: Session, { keepPane }: { keepPane: boolean }): Promise<number> {
    // A pane that stays must not be left in the middle of a swap.
    if (keepPane) await this.#couriers.get(session.id)?.rounds.retire();
    const { messages } = this.ledger;
    const waiting = [...messages.waiting(session.id, 1_000_000), ...messages.accepted(session.id)];
    const cancelled: MessageEvent = { kind: 'cancelled', reason: 'its session was removed' };
    const { steps, announce } = this.ledger.cancelAll(session.id, waiting, cancelled);
    const { registry } = this.deps;
    try {
      await registry.remove(session, steps, { keepPane });
    } finally {
      // Also where its pane could not be ended.
      if (registry.get(session.id) !== session) announce();
    }
    return waiting.length;
  }

  // Resolves when nothing is under way any more.
  async dispose(): Promise<void> {
    await this.deadlines.dispose();
    await Promise.all([...this.#couriers.values()].map((courier) => courier.rounds.retire()));
    // While there is a connection: else its watchdog would start us again.
    await this.deps.keeper.dispose();
  }

  #courier(session: Session): Courier {
    let courier = this.#couriers.get(session.id);
    if (!courier) {
      courier = new Courier(session, {
        ...this.deps,
        ledger: this.ledger,
        turns: this.turns,
        isPaused: () => this.#paused,
        newDraftId: this.deps.newMessageId,
      });
      this.#couriers.set(session.id, courier);
    }
    return courier;
  }
}
