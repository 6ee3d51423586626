// Windows made as large as viewers asked for; each has its own size again when the last of them has left, or once it can be
// reached.
import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../sessions/index.js';
import { type Disposable, type Fitted, fitWindow, type Pane, unfitWindow } from '../tmux/index.js';

// A daemon that stops does not wait longer for a window far away: the next one gives it back.
const STOPPING_MS = 1000;

export class Fitting {
  // Who asked for another size.
  readonly #asking = new Map<Session, Set<object>>();
  readonly #owed = new Map<Session, Disposable>();

  async fit(
    session: Session,
    who: object,
    { columns, rows }: { columns: number; rows: number },
  ): Promise<Fitted | 'gone' | 'host_down'> {
    const { tracker, row } = session;
    if (!tracker) return row.state === 'gone' ? 'gone' : 'host_down';
    const asking = this.#asking.get(session) ?? new Set();
    this.#asking.set(session, asking.add(who));
    return fitWindow(tracker.pane, columns, rows).catch(() => 'host_down' as const);
  }

  async left(session: Session, who: object): Promise<void> {
    const asking = this.#asking.get(session);
    if (!asking?.delete(who) || asking.size > 0) return;
    this.#asking.delete(session);
    await this.#giveBack(session);
  }

  // All of them, while they can be reached.
  async close(): Promise<void> {
    const sessions = [...this.#asking.keys()];
    this.#asking.clear();
    const stopped = new AbortController();
    const given = Promise.all(sessions.map((session) => this.#giveBack(session)));
    await Promise.race([given, delay(STOPPING_MS, undefined, { signal: stopped.signal })]);
    stopped.abort();
    for (const wait of this.#owed.values()) wait.dispose();
    this.#owed.clear();
  }

  // Without a tracker whoever follows its pane next does it.
  async #giveBack(session: Session): Promise<void> {
    const pane = session.tracker?.pane;
    if (!pane) return;
    await unfitWindow(pane).catch(() => this.#later(session, pane));
  }

  // When its link is back, unless somebody has asked again by then.
  #later(session: Session, { link }: Pane): void {
    if (link.state.kind === 'up' || link.state.kind === 'gone') return;
    this.#owed.get(session)?.dispose();
    const wait = link.onState(({ kind }) => {
      if (kind === 'down' || kind === 'connecting') return;
      wait.dispose();
      this.#owed.delete(session);
      if (kind === 'up' && !this.#asking.has(session)) void this.#giveBack(session);
    });
    this.#owed.set(session, wait);
  }
}
