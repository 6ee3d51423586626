// For agents that signal nothing: looks at the screen of a session that has fallen silent, asks a classifier what state that is,
// and reports it as inferred. Off unless it is configured; never over a fresh word of the agent itself.
import { createHash } from 'node:crypto';
import {
  Alarm,
  type Clockwork,
  type Config,
  type Inference as InferenceConfig,
  refusalOf,
} from '../mail/index.js';
import type { Registry, Session } from '../sessions/index.js';
import { SignalTable, type Store } from '../store/index.js';
import { DisposableStore } from '../tmux/index.js';
import { Budget } from './budget.js';
import type { Classify } from './classifier.js';
import type { SignalDesk } from './desk.js';
import {
  beginWatch,
  type Facts,
  isNews,
  next,
  type Rules,
  type Watch,
  type WatchEvent,
} from './inference-rule.js';
import { statesOf } from './states.js';

export interface InferenceDeps {
  store: Store;
  registry: Pick<Registry, 'list' | 'get' | 'onEvent'>;
  desk: Pick<SignalDesk, 'report' | 'onSignal'>;
  config: Pick<Config, 'inference' | 'signalFreshMs' | 'signalStates'>;
  classify: Classify;
  // The text of its screen.
  screenOf: (session: Session) => Promise<string>;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
  clockwork?: Clockwork | undefined;
}

// Of all sessions together.
const MOST_AT_ONCE = 4;
// While that many are being asked.
const TURN_MS = 1000;

export class Inference {
  readonly #watches = new Map<string, Watch>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #budget = new Budget();
  readonly #table: SignalTable;
  readonly #alarm: Alarm;
  readonly #own = new DisposableStore();
  readonly #ended = new AbortController();
  // The last time that nothing came of it; null: the last one came to something.
  #failure: string | null = null;

  constructor(readonly deps: InferenceDeps) {
    const { store, clock, log, clockwork } = deps;
    this.#table = new SignalTable(store);
    this.#alarm = new Alarm({
      clock,
      next: () => this.#next(),
      fire: () => this.#fire(),
      log,
      clockwork,
    });
  }

  // Once the sessions are known.
  start(): void {
    const { registry, desk } = this.deps;
    this.#own.add(
      registry.onEvent(({ type, session }) => {
        if (type === 'removed') this.#watches.delete(session.id);
        else if (type === 'changed') this.#attend(session);
        else if (this.#watches.get(session.id)?.dueAt === null) this.#happened(session, { kind: 'printed' });
      }),
    );
    this.#own.add(
      desk.onSignal(({ session: id, door }) => {
        const session = registry.get(id);
        if (session && door !== 'inferred') this.#happened(session, { kind: 'reported' });
      }),
    );
    this.configured();
  }

  // The configuration may be another: what is watched is watched by it from now on.
  configured(): void {
    this.#watches.clear();
    this.#failure = null;
    for (const session of this.deps.registry.list()) this.#attend(session);
    this.#alarm.look();
  }

  // For the doctor.
  get failure(): string | null {
    return this.#failure;
  }

  spent({ budget }: InferenceConfig): number {
    return this.#budget.spent(budget, this.deps.clock());
  }

  async dispose(): Promise<void> {
    this.#own.dispose();
    this.#ended.abort();
    await this.#alarm.dispose();
    await Promise.all(this.#running.values());
  }

  // Only agents: what a shell shows is no state of one.
  #attend(session: Session): void {
    const rules = this.#rules();
    const isWatched = rules && session.row.state === 'live' && !refusalOf(session, false);
    if (!isWatched) this.#watches.delete(session.id);
    else if (!this.#watches.has(session.id)) {
      this.#watches.set(session.id, beginWatch(this.deps.clock(), rules));
      this.#alarm.look();
    }
  }

  #rules(): Rules | undefined {
    const { inference, signalFreshMs: freshMs } = this.deps.config;
    return inference === null ? undefined : { silenceMs: inference.silenceMs, freshMs };
  }

  #factsOf(session: Session, { printedAt }: Watch): Facts {
    return {
      now: this.deps.clock(),
      printedAt: session.tracker?.lastOutputAt ?? printedAt,
      reportedAt: session.row.last_signal_at,
    };
  }

  // What follows is begun by whoever told of it.
  #happened(session: Session, event: WatchEvent): 'nothing' | 'look' | 'ask' | 'report' {
    const [watch, rules] = [this.#watches.get(session.id), this.#rules()];
    if (!watch || !rules) return 'nothing';
    const { watch: after, act } = next(watch, event, this.#factsOf(session, watch), rules);
    if (after === watch) return act;
    this.#watches.set(session.id, after);
    if (after.dueAt !== watch.dueAt) this.#alarm.look();
    return act;
  }

  #next(): number | null {
    let first: number | null = null;
    for (const { dueAt } of this.#watches.values())
      if (dueAt !== null && (first === null || dueAt < first)) first = dueAt;
    return first;
  }

  #fire(): void {
    const now = this.deps.clock();
    for (const [id, { dueAt }] of this.#watches) {
      const session = this.deps.registry.get(id);
      if (!session) this.#watches.delete(id);
      else if (dueAt !== null && dueAt <= now && this.#happened(session, { kind: 'due' }) === 'look')
        this.#begin(session);
    }
  }

  #begin(session: Session): void {
    const { inference } = this.deps.config;
    if (inference === null) return;
    // One at a time for each: a configuration that changed meanwhile may have begun to watch it anew.
    const before = this.#running.get(session.id) ?? Promise.resolve();
    const work = before
      .then(() => this.#look(session, inference))
      .catch((error: unknown) => {
        this.deps.log('screen not classified', { session: session.id, error: (error as Error).message });
        this.#happened(session, { kind: 'missed' });
      })
      .finally(() => {
        if (this.#running.get(session.id) === work) this.#running.delete(session.id);
      });
    this.#running.set(session.id, work);
  }

  async #look(session: Session, inference: InferenceConfig): Promise<void> {
    const { classify, screenOf, config, clock, log } = this.deps;
    const { id, name } = session;
    const screen = await screenOf(session);
    const print = createHash('sha256').update(screen).digest('hex').slice(0, 16);
    const { last_signal_at, signal_seq } = session.row;
    const subject = `${last_signal_at ?? 0}:${print}`;
    // Asked by an earlier daemon, and nothing has happened since: what came of it stands.
    if (this.#table.byKey(id, 'inferred', `${signal_seq - 1}:${print}`)?.seq === signal_seq) {
      this.#happened(session, { kind: 'refused' });
      return;
    }
    const busyUntil = this.#busyUntil(id, subject, inference);
    if (this.#happened(session, { kind: 'seen', subject, busyUntil }) !== 'ask') return;
    const states = Object.keys(statesOf(config));
    const question = { session: { id, name }, agent: session.row.agent, screen, states };
    const classified = await classify(inference, question, this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    this.#failure = classified.kind === 'answered' ? null : classified.reason;
    if (classified.kind !== 'answered') {
      log('screen not classified', { session: id, reason: classified.reason });
      this.#happened(session, { kind: classified.kind });
      return;
    }
    const { state, message, confidence } = classified.answer;
    if (confidence < inference.confidence) {
      log('inferred with too little confidence', { session: id, state, confidence });
      this.#happened(session, { kind: 'refused' });
      return;
    }
    const { signal_state, signal_at } = session.row;
    const printedAt = session.tracker?.lastOutputAt ?? clock();
    const news = isNews(state, { state: signal_state, at: signal_at }, printedAt);
    if (this.#happened(session, { kind: 'answered', isNews: news }) !== 'report') return;
    const key = `${signal_seq}:${print}`;
    await this.deps.desk.report({
      session: id,
      state,
      message,
      door: 'inferred',
      key,
      at: clock(),
      confidence,
    });
  }

  // When the classifier may be asked; null: now, and it is counted.
  #busyUntil(id: string, subject: string, { budget }: InferenceConfig): number | null {
    const now = this.deps.clock();
    // It will not be.
    if (this.#watches.get(id)?.asked === subject) return null;
    const asking = [...this.#watches.values()].filter(({ phase }) => phase === 'asking').length;
    return asking < MOST_AT_ONCE ? this.#budget.take(budget, now) : now + TURN_MS;
  }
}
