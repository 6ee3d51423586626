// The desk at which all doors report: gives each signal its number and writes it before anybody hears of it; knows what was
// reported before, through the same door or another.
import type { Config, Fault } from '../mail/index.js';
import type { Registry, Session } from '../sessions/index.js';
import {
  insertSignal,
  insertSignalDoor,
  type SignalQuery,
  type SignalRow,
  SignalTable,
  type Step,
  type Store,
} from '../store/index.js';
import { visibleText } from '../terminal/sanitise.js';
import { Emitter } from '../tmux/index.js';
import {
  MESSAGE_CHARACTERS,
  type Refusal,
  type Report,
  type Reported,
  SIGNAL_ID,
  type Signal,
  type SignalDoor,
  STATE_WORD,
} from './signal.js';
import { isFresh, statesOf } from './states.js';

// What two doors bring of the same words within this time was said once.
export const SAME_MS = 10_000;

export interface SignalDeskDeps {
  store: Store;
  registry: Pick<Registry, 'get' | 'record'>;
  config: Pick<Config, 'signalStates' | 'signalFreshMs'>;
  clock: () => number;
  fault?: Fault;
  // What is to be done because of a new one, written with it.
  follow?: ((signal: Omit<Signal, 'ordinal'>, session: Session) => readonly Step[]) | undefined;
}

export class SignalDesk {
  readonly #table: SignalTable;
  // The last report of each session that is being dealt with: they are taken one after the other.
  readonly #lines = new Map<string, Promise<unknown>>();
  readonly #signal = new Emitter<Signal>();
  // New ones only, once they are on disk.
  readonly onSignal = this.#signal.event;

  constructor(readonly deps: SignalDeskDeps) {
    this.#table = new SignalTable(deps.store);
  }

  // Resolves once it is on disk, `beside` with it in one unit, also where the signal is known. What is refused writes nothing.
  report(report: Report, beside: readonly Step[] = []): Promise<Reported> {
    const before = this.#lines.get(report.session) ?? Promise.resolve();
    const done = before.then(() => this.#take(report, beside));
    const line = done
      .catch(() => {})
      .finally(() => {
        if (this.#lines.get(report.session) === line) this.#lines.delete(report.session);
      });
    this.#lines.set(report.session, line);
    return done;
  }

  lastOf(session: string): Signal | undefined {
    const row = this.#table.last(session);
    return row && signalOf(row);
  }

  // Oldest first: the newest of them, or with `after` the first ones after it.
  list({ limit = 50, ...query }: Partial<SignalQuery> = {}): Signal[] {
    return this.#table.list({ ...query, limit }).map(signalOf);
  }

  // What would refuse it, whoever reports it.
  refusal({ session, state, id, confidence }: Report): Refusal | undefined {
    const states = statesOf(this.deps.config);
    if (!this.deps.registry.get(session))
      return refuse('session', session, `no such session: ${session}`, 'the id of a session');
    if (!STATE_WORD.test(state) || !Object.hasOwn(states, state)) {
      const expected = `one of ${Object.keys(states).join(', ')}; signal_states in the configuration adds others`;
      return refuse('state', state, `no such state: ${state}`, expected);
    }
    if (id !== undefined && !SIGNAL_ID.test(id))
      return refuse('id', id, 'not an id', '1 to 64 letters, digits, "_", "." or "-"');
    if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
      return refuse('confidence', confidence, 'not a confidence', 'a number from 0 to 1');
    return undefined;
  }

  async #take(report: Report, beside: readonly Step[]): Promise<Reported> {
    const { store, registry } = this.deps;
    const refusal = this.refusal(report);
    if (refusal) return { outcome: 'refused', ...refusal };
    const session = registry.get(report.session) as Session;
    const message = plain(report.message);
    const { door, key } = report;
    const known = this.#known(report, message);
    if (known) {
      await store.write([insertSignalDoor(session.id, known.seq, door, key ?? null), ...beside]);
      return { outcome: 'known', signal: signalOf(known) };
    }
    const better = door === 'inferred' ? this.#fresh(session) : undefined;
    if (better) {
      if (beside.length > 0) await store.write(beside);
      return { outcome: 'known', signal: signalOf(better) };
    }
    const seq = session.row.signal_seq + 1;
    const { state, id, at, confidence } = report;
    const row = {
      session: session.id,
      seq,
      state,
      message,
      id: id ?? null,
      door,
      print: printOf(state, message),
      at,
      heard_at: this.deps.clock(),
      confidence: confidence ?? null,
    };
    const change = {
      signal_seq: seq,
      signal_state: state,
      signal_message: message,
      signal_door: door,
      signal_at: at,
      // What was left may be older than what was heard since.
      ...(door !== 'inferred' && { last_signal_at: Math.max(at, session.row.last_signal_at ?? 0) }),
    };
    const uses = this.deps.follow?.(signalOf({ ...row, ordinal: 0 }), session) ?? [];
    const steps = [
      insertSignal(row),
      insertSignalDoor(session.id, seq, door, key ?? null),
      ...uses,
      ...beside,
    ];
    this.deps.fault?.('signal:write');
    const [inserted] = await registry.record(session, change, steps);
    this.deps.fault?.('signal:written');
    const signal = signalOf({ ...row, ordinal: inserted?.rowid ?? 0 });
    this.#signal.fire(signal);
    return { outcome: 'new', signal };
  }

  #known({ session, state, id, door, key, at, since = at }: Report, message: string): SignalRow | undefined {
    if (id !== undefined) {
      const same = this.#table.byId(session, id);
      if (same) return same;
    }
    const again = key === undefined ? undefined : this.#table.byKey(session, door, key);
    // An id says by itself what is the same. What is inferred is nobody's word.
    if (again || id !== undefined || door === 'inferred') return again;
    const alike = this.#table.alike(session, printOf(state, message), since - SAME_MS, at + SAME_MS, door);
    return alike?.door === 'inferred' ? undefined : alike;
  }

  // A fresh word of the agent itself, before which nothing inferred stands.
  #fresh({ id, row }: Session): SignalRow | undefined {
    return isFresh(row.last_signal_at, this.deps.clock(), this.deps.config)
      ? this.#table.last(id)
      : undefined;
  }
}

const refuse = (field: Refusal['field'], value: unknown, reason: string, expected: string): Refusal => ({
  reason,
  field,
  value,
  expected,
});

// One line that can do nothing to a terminal.
const plain = (message: string): string =>
  visibleText(message.replace(/\s+/gu, ' ').trim()).slice(0, MESSAGE_CHARACTERS).toWellFormed();

// White space is what a screen adds and takes away.
const printOf = (state: string, message: string): string => `${state} ${message.replace(/\s/gu, '')}`;

const signalOf = (row: SignalRow): Signal => ({
  ordinal: row.ordinal,
  session: row.session,
  seq: row.seq,
  state: row.state,
  message: row.message,
  id: row.id,
  door: row.door as SignalDoor,
  at: row.at,
  confidence: row.confidence,
});
