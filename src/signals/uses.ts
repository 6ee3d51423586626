// What is done because of signals: each action once for each signal, in the order of the signals, whatever crashes; nothing of it
// makes a signal wait.
import { setTimeout as delay } from 'node:timers/promises';
import { Alarm, type Clockwork, type Config } from '../mail/index.js';
import type { Session } from '../sessions/index.js';
import {
  insertSignalUse,
  loseSignalUses,
  type SignalUseRow,
  SignalUses,
  type Step,
  type Store,
  setSignalActions,
  Unmet,
  updateSignalUse,
} from '../store/index.js';
import { type Action, actionsOf, callsFor } from './actions.js';
import type { SignalDesk } from './desk.js';
import { type Effects, isBegunOnce, type Performed } from './effects.js';
import type { Signal } from './signal.js';
import { isTooOld, MOST_AGE_MS, next, type UseEvent } from './use-rule.js';

export interface UsesDeps {
  store: Store;
  config: Pick<Config, 'signalActions' | 'signalStates'>;
  effects: Pick<Effects, 'perform'>;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
  clockwork?: Clockwork | undefined;
  mostWaiting?: number | undefined;
}

// An action that does not get on keeps no more than this waiting.
const MOST_WAITING = 1000;
const FAILED_REST_MS = 1000;

export class Uses {
  readonly table: SignalUses;
  readonly #alarm: Alarm;
  readonly #ended = new AbortController();
  // What is under way, by action: one at a time.
  readonly #running = new Map<string, Promise<void>>();
  #actions: ReadonlyMap<string, Action> = new Map();
  #since: ReadonlyMap<string, number>;
  #signals: Pick<SignalDesk, 'list'> | undefined;

  constructor(readonly deps: UsesDeps) {
    this.table = new SignalUses(deps.store);
    this.#since = this.table.actionsSince();
    this.#alarm = new Alarm({
      clock: deps.clock,
      next: () => this.#next(),
      fire: () => this.#fire(),
      log: deps.log,
      clockwork: deps.clockwork,
    });
  }

  // Takes up what an earlier daemon left. Until then what is called for waits.
  async start(signals: Pick<SignalDesk, 'list' | 'onSignal'>): Promise<void> {
    const { store, clock } = this.deps;
    await store.write([loseSignalUses('the daemon ended while it ran', clock())]);
    await this.configured();
    this.#signals = signals;
    signals.onSignal(() => this.#alarm.look());
    this.#alarm.look();
  }

  // The configuration may be another.
  async configured(): Promise<void> {
    const { store, config, clock } = this.deps;
    const now = clock();
    this.#actions = new Map(actionsOf(config).map((action) => [action.print, action]));
    const prints = [...this.#actions.keys()];
    this.#since = new Map(prints.map((print) => [print, this.#since.get(print) ?? now]));
    await store.write(setSignalActions(prints, now));
    this.#alarm.look();
  }

  // Written with a new signal: what is to be done because of it.
  readonly follow = (signal: Omit<Signal, 'ordinal'>, { id, name, groups }: Session): Step[] => {
    const { config, clock, log, mostWaiting = MOST_WAITING } = this.deps;
    const now = clock();
    return [...this.#actions.values()].flatMap((action) => {
      if (!callsFor(action, signal, { id, name, groups }, config)) return [];
      // An action that came later has nothing to do with it.
      if (signal.at < (this.#since.get(action.print) ?? now) || now - signal.at > MOST_AGE_MS) return [];
      const waiting = this.table.waitingFor(action.print);
      if (waiting < mostWaiting) return [insertSignalUse(id, signal.seq, action.print, now)];
      log('action not taken for a signal: too many wait', { ...nameOf(action), session: id, waiting });
      return [];
    });
  };

  actionOf(print: string): Action | undefined {
    return this.#actions.get(print);
  }

  // Begins nothing more, and resolves once what is under way has been left or is on disk.
  async dispose(): Promise<void> {
    this.#ended.abort();
    await this.#alarm.dispose();
    await Promise.all(this.#running.values());
  }

  #heads(): SignalUseRow[] {
    if (!this.#signals || this.#ended.signal.aborted) return [];
    return this.table.heads().filter(({ action }) => !this.#running.has(action));
  }

  #next(): number | null {
    const times = this.#heads().map(({ due_at }) => due_at);
    return times.length > 0 ? Math.min(...times) : null;
  }

  #fire(): void {
    const now = this.deps.clock();
    for (const use of this.#heads()) {
      if (use.due_at > now) continue;
      const work = this.#use(use)
        .catch((error: unknown) => this.#restAfter(use, error))
        .finally(() => {
          this.#running.delete(use.action);
          this.#alarm.look();
        });
      this.#running.set(use.action, work);
    }
  }

  // What could not be written is tried again, though not at once.
  async #restAfter(use: SignalUseRow, error: unknown): Promise<void> {
    this.deps.log('action failed', { ...placeOf(use), error: (error as Error).stack });
    await delay(FAILED_REST_MS, undefined, { ref: false, signal: this.#ended.signal }).catch(() => {});
  }

  async #use(use: SignalUseRow): Promise<void> {
    const action = this.#actions.get(use.action);
    if (!action) return this.#settle(use, { kind: 'dropped', reason: 'the action is configured no more' });
    if (isTooOld(use, this.deps.clock()))
      return this.#settle(use, { kind: 'failed', reason: use.reason ?? 'it is too long ago' });
    const signal = this.#signals?.list({ session: use.session, after: use.seq - 1, limit: 1 })[0];
    if (signal?.seq !== use.seq)
      return this.#settle(use, { kind: 'dropped', reason: 'the signal is no more' });
    const begun = isBegunOnce(action.effect) ? await this.#begin(use) : use;
    const done = updateSignalUse(begun, next(begun, { kind: 'done' }, this.deps.clock()));
    const performed = await this.deps.effects
      .perform({ use: begun, action, signal, done, ended: this.#ended.signal })
      .catch((error: unknown): Performed => {
        this.deps.log('action failed', { ...placeOf(use), error: (error as Error).stack });
        return { kind: 'failed', reason: 'it failed inside; "sm logs" has the details' };
      });
    if (performed.kind !== 'left' && performed.kind !== 'written')
      await this.#settle(begun, performed, action);
  }

  async #begin(use: SignalUseRow): Promise<SignalUseRow> {
    const change = next(use, { kind: 'begun' }, this.deps.clock());
    await this.deps.store.write([updateSignalUse(use, change)]);
    return { ...use, ...change };
  }

  async #settle(use: SignalUseRow, event: UseEvent, action?: Action): Promise<void> {
    const { store, clock, log } = this.deps;
    const now = clock();
    const change = next(use, event, now);
    if (event.kind !== 'done')
      log(LOGGED[change.state] ?? 'action', {
        ...placeOf(use),
        ...(action && nameOf(action)),
        reason: change.reason,
        tries: change.tries,
        ...(change.state === 'waiting' && { again_in_ms: change.due_at - now }),
      });
    try {
      await store.write([updateSignalUse(use, change)]);
    } catch (error) {
      // It has moved on meanwhile.
      if (!(error instanceof Unmet)) throw error;
    }
  }
}

const LOGGED: Partial<Record<SignalUseRow['state'], string>> = {
  waiting: 'action not taken yet',
  failed: 'action given up',
  dropped: 'action dropped',
};

const placeOf = ({ session, seq, action }: SignalUseRow): Record<string, unknown> => ({
  session,
  seq,
  action,
});
const nameOf = ({ print, effect }: Action): Record<string, unknown> => ({ action: print, kind: effect.kind });
