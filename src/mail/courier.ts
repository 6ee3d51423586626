// Delivers one session's mail, one message at a time and in order, whenever nothing of a person's is in the way.
import { findProfile, GENERIC } from '../agents/index.js';
import { baseline, type ComposerMemory, DirectInput, type Envelope } from '../composer/index.js';
import { isCanonical, type Registry, type Session, type Tracker } from '../sessions/index.js';
import { type MessageRow, Unmet } from '../store/index.js';
import type { PaneView } from '../tmux/index.js';
import { Attempt, type AttemptContext, type AttemptOutcome, relearn } from './attempt.js';
import { type Letter, payload, screenMark } from './format.js';
import { checkGate, type Hold, LINK_DOWN, LOOK_INTERVAL_MS } from './gate.js';
import { claimValue, formatEntry, type JournalEntry, journalName, parseEntry } from './journal.js';
import type { Ledger } from './ledger.js';
import { heldOf } from './lifecycle.js';

export interface CourierDeps {
  registry: Registry;
  ledger: Ledger;
  isPaused: () => boolean;
  // Of this daemon: an attempt of another one can never go on.
  lease: string;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

// After an unexpected failure.
const ERROR_RETRY_MS = 1000;
// A cooked terminal takes 4095 bytes a line.
const COOKED_LINE_BYTES = 4000;

export class Courier {
  readonly #deps: CourierDeps;
  readonly #session: Session;
  #running = false;
  #again = false;
  // Nothing waits: output of the pane means nothing to us.
  #idle = false;
  #timer: NodeJS.Timeout | undefined;
  #lastRun = 0;
  #abort = new AbortController();
  #journal: { pane: string; value: string } | undefined;
  #disposed = false;

  constructor(session: Session, deps: CourierDeps) {
    this.#session = session;
    this.#deps = deps;
  }

  // A message was added, resumed or cancelled: look at once.
  wake(): void {
    this.#idle = false;
    this.#schedule(0);
  }

  // Something happened in the pane: look soon, if anything waits.
  stir(): void {
    if (!this.#idle) this.#schedule(this.#lastRun + LOOK_INTERVAL_MS - this.#deps.clock());
  }

  // Lets go of the attempt that is under way; what is proved about it stays recorded.
  interrupt(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.wake();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #schedule(ms: number): void {
    if (this.#disposed) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    if (ms <= 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      void this.#run();
    } else this.#timer ??= setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    this.#timer = undefined;
    void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    let retryAt: number | undefined;
    try {
      do {
        this.#again = false;
        const step = await this.#step();
        if (step === 'next') this.#again = true;
        else retryAt = step.retryAt;
        if (step !== 'next') break;
      } while (!this.#disposed);
    } catch (error) {
      if (error instanceof Unmet) this.#again = true;
      else {
        this.#deps.log('delivery failed', {
          session: this.#session.id,
          error: (error as Error).stack ?? String(error),
        });
        retryAt = this.#deps.clock() + ERROR_RETRY_MS;
      }
    } finally {
      this.#running = false;
      this.#lastRun = this.#deps.clock();
    }
    if (this.#again) this.#schedule(LOOK_INTERVAL_MS);
    else if (retryAt !== undefined) this.#rearm(retryAt);
  }

  #rearm(at: number): void {
    if (this.#disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fire(), Math.max(1, at - this.#deps.clock()));
  }

  // One thing for the first message that waits: deliver it, or say why not.
  async #step(): Promise<'next' | { retryAt?: number | undefined }> {
    const message = this.#deps.ledger.messages.next(this.#session.id);
    if (!message) {
      this.#idle = true;
      return {};
    }
    if (message.state === 'attempting') return this.#resume(message);
    const gate = await checkGate(this.#session, this.#deps);
    if (!('view' in gate)) return this.#hold(message, gate);
    const envelope = envelopeOf(message);
    if (longestLine(envelope.payload) > COOKED_LINE_BYTES && (await isCanonical(gate.view.tty))) {
      const detail = `the program reads lines from a cooked terminal, which cuts them at 4095 bytes; this message has a longer one`;
      return this.#hold(message, { reason: 'line_too_long', detail });
    }
    return this.#attempt(message, envelope, gate.tracker, gate.view);
  }

  // For `sm send --dry-run`: what would happen to a message now, without anything being recorded.
  async plan(): Promise<Hold | undefined> {
    const gate = await checkGate(this.#session, this.#deps);
    return 'view' in gate ? undefined : gate;
  }

  async #hold(
    message: MessageRow,
    { reason, detail, retryAt }: Hold,
  ): Promise<{ retryAt?: number | undefined }> {
    const held = heldOf(message);
    if (held?.reason !== reason || held.detail !== detail)
      await this.#deps.ledger.record(message, { kind: 'held', reason, detail });
    return { retryAt };
  }

  async #attempt(
    message: MessageRow,
    envelope: Envelope,
    tracker: Tracker,
    view: PaneView,
  ): Promise<'next' | { retryAt?: number | undefined }> {
    const { registry, ledger, lease } = this.#deps;
    const session = this.#session;
    const input = new DirectInput(tracker.pane, journalName(tracker.paneId));
    const journal = await this.#claimJournal(input);
    const composer = relearn(session.composer, view, tracker, this.#deps.clock());
    const n = message.attempts + 1;
    const begun = await ledger.record(
      message,
      { kind: 'attempt', n, epoch: session.row.epoch, lease, way: 'direct' },
      [registry.composerStep(session, composer)],
    );
    const attempt = new Attempt(this.#context(begun, input, envelope, composer, tracker), journal);
    return this.#finish(begun, attempt, await attempt.begin(view));
  }

  // Goes on with an attempt that was cut off, from what tmux itself recorded of it.
  async #resume(message: MessageRow): Promise<'next' | { retryAt?: number | undefined }> {
    const { ledger } = this.#deps;
    const session = this.#session;
    const begun = lastAttempt(ledger, message.id);
    const sameProcess = begun.epoch === session.row.epoch && session.row.state === 'live';
    const { tracker } = session;
    if (session.row.state === 'gone')
      return this.#settleLost(
        message,
        this.#ownEntry(message) ?? { step: message.receipt === 'typed' ? 'entered' : 'typed' },
      );
    if (tracker?.pane.link.state.kind !== 'up') return this.#hold(message, LINK_DOWN);
    const input = new DirectInput(tracker.pane, journalName(tracker.paneId));
    const entry = parseEntry(await input.readJournal());
    if (!entry || entry.message !== message.id || entry.attempt !== begun.n) {
      // tmux records each key together with pressing it: no record, no key.
      await ledger.record(message, { kind: 'refused', reason: 'interrupted' });
      return 'next';
    }
    if (!sameProcess) return this.#settleLost(message, entry);
    await registryVerdict(this.#deps.registry, session, tracker);
    if (session.row.state !== 'live') return this.#settleLost(message, entry);
    const journal = formatEntry({ ...entry, lease: this.#deps.lease });
    await input.claim(journal);
    this.#journal = { pane: tracker.paneId, value: journal };
    const attempt = new Attempt(
      this.#context(message, input, envelopeOf(message), session.composer, tracker),
      journal,
    );
    const outcome = entry.step === 'typed' ? await attempt.typed() : await attempt.goOnFromEnter();
    return this.#finish(message, attempt, outcome);
  }

  async #finish(
    message: MessageRow,
    attempt: Attempt,
    outcome: AttemptOutcome,
  ): Promise<'next' | { retryAt?: number | undefined }> {
    const { ledger, registry, clock } = this.#deps;
    const session = this.#session;
    const tracker = session.tracker;
    if (tracker) this.#journal = { pane: tracker.paneId, value: attempt.journal };
    const current = ledger.messages.get(message.id) ?? message;
    if (current.state !== 'attempting') return 'next';
    switch (outcome.kind) {
      case 'submitted': {
        const composer: ComposerMemory = {
          ...session.composer,
          startedAt: null,
          activityAt: baseline(outcome.view, tracker?.server.ownClientPids ?? new Set(), clock()),
          proven: true,
          enterGapMs: outcome.enterGapMs,
        };
        if (outcome.evidence === 'text_left_box') composer.proven = false;
        await ledger.record(current, { kind: 'submitted', evidence: outcome.evidence }, [
          registry.composerStep(session, composer),
        ]);
        return 'next';
      }
      case 'refused': {
        await ledger.record(current, { kind: 'refused', reason: outcome.reason });
        if (outcome.reason === 'mark_changed') this.#journal = undefined;
        const pending = ledger.messages.get(message.id) ?? current;
        return this.#hold(pending, {
          reason: 'screen_changes',
          detail: `the pane changed at that moment (${outcome.reason})`,
          retryAt: clock() + LOOK_INTERVAL_MS,
        });
      }
      case 'lost':
        return session.row.state === 'live' ? { retryAt: clock() + LOOK_INTERVAL_MS } : 'next';
    }
  }

  // The program or its pane has gone in the middle of an attempt.
  async #settleLost(message: MessageRow, { step }: Pick<JournalEntry, 'step'>): Promise<'next'> {
    const { ledger } = this.#deps;
    if (step === 'typed')
      await ledger.record(message, { kind: 'refused', reason: 'program_ended_before_enter' });
    else
      await ledger.record(message, {
        kind: 'uncertain',
        reason: 'Enter was pressed, then the program or its pane ended before the effect was seen',
      });
    return 'next';
  }

  #ownEntry(message: MessageRow): JournalEntry | undefined {
    const entry = this.#journal && parseEntry(this.#journal.value);
    return entry?.message === message.id ? entry : undefined;
  }

  async #claimJournal(input: DirectInput): Promise<string> {
    if (this.#journal?.pane !== input.pane.id) {
      const value = claimValue(this.#deps.lease);
      await input.claim(value);
      this.#journal = { pane: input.pane.id, value };
    }
    return this.#journal.value;
  }

  #context(
    message: MessageRow,
    input: DirectInput,
    envelope: Envelope,
    composer: ComposerMemory,
    tracker: Tracker,
  ): AttemptContext {
    const { lease, clock, ledger } = this.#deps;
    const fresh = (): MessageRow => ledger.messages.get(message.id) ?? message;
    return {
      input,
      envelope,
      composer,
      lease,
      message: message.id,
      attempt: message.attempts,
      enterGapMs: (findProfile(this.#session.row.agent) ?? GENERIC).enterGapMs,
      ownClients: () => tracker.server.ownClientPids,
      isSameProgram: async () => (await tracker.assess()).kind === 'same',
      signal: this.#abort.signal,
      clock,
      typed: async (evidence) => {
        const row = fresh();
        if (row.receipt !== 'typed') await ledger.record(row, { kind: 'typed', evidence });
      },
      held: async (reason, detail) => void (await this.#hold(fresh(), { reason, detail })),
    };
  }
}

const letterOf = (message: MessageRow): Letter => ({
  id: message.id,
  text: message.text,
  senderName: message.sender_name,
  senderSession: message.sender_session,
  command: message.command === 1,
});

const envelopeOf = (message: MessageRow): Envelope => ({
  payload: payload(letterOf(message)),
  mark: screenMark(letterOf(message)),
});

const longestLine = (text: string): number =>
  Math.max(...text.split('\n').map((line) => Buffer.byteLength(line)));

function lastAttempt(ledger: Ledger, id: string): { n: number; epoch: number } {
  const row = ledger.messages.events(id).findLast(({ kind }) => kind === 'attempt');
  return row ? (JSON.parse(row.data) as { n: number; epoch: number }) : { n: 0, epoch: 0 };
}

async function registryVerdict(registry: Registry, session: Session, tracker: Tracker): Promise<void> {
  await registry.applyVerdict(session, await tracker.assess());
}
