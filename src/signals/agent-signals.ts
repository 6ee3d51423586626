// What agents' own doors and hooks tell that is a signal: that they wait for a person, that a turn failed. Each once, also over a
// restart.
import { hookSignal } from '../agents/index.js';
import type { Config } from '../mail/index.js';
import { type Doors, type Registry, type Session, statusOf } from '../sessions/index.js';
import type { HookEntry } from '../spool/index.js';
import type { Disposable } from '../tmux/index.js';
import type { SignalDesk } from './desk.js';
import { rulesOf } from './states.js';

export interface AgentSignalsDeps {
  registry: Pick<Registry, 'list' | 'onEvent'>;
  doors: Pick<Doors, 'sessionOf'>;
  desk: Pick<SignalDesk, 'report' | 'lastOf'>;
  config: Pick<Config, 'signalStates'>;
  log: (message: string, details: Record<string, unknown>) => void;
}

// What was last seen of a session: at what it waits, if it does, and when it last began to work.
interface Seen {
  waitsAt: string | null;
  busySince: number;
}

const RETRY_MS = 5000;

export class AgentSignals implements Disposable {
  readonly #seen = new Map<string, Seen>();
  #listening: Disposable | undefined;

  constructor(readonly deps: AgentSignalsDeps) {}

  // Once the doors have told what their agents do.
  start(): void {
    for (const session of this.deps.registry.list()) this.#look(session);
    this.#listening = this.deps.registry.onEvent(({ type, session }) => {
      if (type === 'removed') this.#seen.delete(session.id);
      if (type === 'changed') this.#look(session);
    });
  }

  // A hook that its door has heard. Resolves once what it means is on disk: the hook may come again, until it is forgotten.
  async heard(entry: HookEntry): Promise<void> {
    const { event, body, at } = entry;
    const session = this.deps.doors.sessionOf(entry);
    const { signals } = session?.profile ?? {};
    const said = session && signals && hookSignal(signals, event, body, session.doorFacts);
    if (!session || !said) return;
    const { state, message, weak } = said;
    if (weak && this.#hasAsked(session)) return;
    const key = `${event} ${at}`;
    await this.deps.desk.report({
      session: session.id,
      state,
      message,
      door: 'hook',
      key,
      at: Math.round(at),
    });
  }

  dispose(): void {
    this.#listening?.dispose();
  }

  #look(session: Session): void {
    const before = this.#seen.get(session.id);
    const status = statusOf(session);
    const { epoch } = session.row;
    const waitsAt = status.state === 'waiting' ? `${epoch} ${status.since} ${status.detail ?? ''}` : null;
    const busySince = status.state === 'busy' ? status.since : (before?.busySince ?? 0);
    this.#seen.set(session.id, { waitsAt, busySince });
    const state = session.profile.signals?.waiting;
    if (waitsAt === null || state === undefined || waitsAt === before?.waitsAt) return;
    const message = status.detail ?? '';
    // Seen for the first time by this daemon: the one before has told it.
    const { signal_door, signal_state, signal_message } = session.row;
    const isTold = signal_door === 'hook' && signal_state === state && signal_message === message;
    if (before === undefined && isTold) return;
    this.deps.desk
      .report({
        session: session.id,
        state,
        message,
        door: 'hook',
        key: `waiting ${waitsAt}`,
        at: status.since,
      })
      .catch((error: unknown) => {
        this.deps.log('that an agent waits is not saved', { session: session.id, error: String(error) });
        const seen = this.#seen.get(session.id);
        if (seen?.waitsAt !== waitsAt) return;
        // It may wait for long, and nothing else would have it looked at.
        this.#seen.set(session.id, { ...seen, waitsAt: null });
        setTimeout(() => this.#look(session), RETRY_MS).unref();
      });
  }

  #hasAsked(session: Session): boolean {
    const last = this.deps.desk.lastOf(session.id);
    const busySince = this.#seen.get(session.id)?.busySince ?? 0;
    return last !== undefined && last.at >= busySince && rulesOf(last.state, this.deps.config).attention;
  }
}
