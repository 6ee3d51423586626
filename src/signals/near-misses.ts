// What almost was a signal: said in the log, and the latest of each session kept for the doctor.
import type { SignalDoor } from './signal.js';

export interface NearMiss {
  session: string;
  door: SignalDoor;
  // As it was seen, cleaned.
  text: string;
  reason: string;
  at: number;
}

export interface NearMissesDeps {
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

// Of each session.
export const MOST_KEPT = 20;
const SHOWN_CHARACTERS = 300;
// The log is told of so many of a session in so long; then how many more there were.
export const LOGGED = 10;
export const LOGGED_MS = 60_000;

export class NearMisses {
  readonly #kept = new Map<string, NearMiss[]>();
  readonly #logged = new Map<string, { since: number; count: number }>();

  constructor(readonly deps: NearMissesDeps) {}

  record(miss: Omit<NearMiss, 'at'>): void {
    const { session, door } = miss;
    const text = miss.text.slice(0, SHOWN_CHARACTERS);
    if (this.#mayLog(session))
      this.deps.log('potential missed signal', { session, door, text, reason: miss.reason });
    const before = this.#kept.get(session) ?? [];
    this.#kept.set(session, [...before.slice(1 - MOST_KEPT), { ...miss, text, at: this.deps.clock() }]);
  }

  #mayLog(session: string): boolean {
    const now = this.deps.clock();
    const logged = this.#logged.get(session);
    if (logged && now - logged.since < LOGGED_MS) return ++logged.count <= LOGGED;
    this.#tellMore(session);
    this.#logged.set(session, { since: now, count: 1 });
    return true;
  }

  #tellMore(session: string): void {
    const more = (this.#logged.get(session)?.count ?? 0) - LOGGED;
    if (more > 0) this.deps.log('more potential missed signals', { session, more });
  }

  // Oldest first.
  of(session: string): readonly NearMiss[] {
    return this.#kept.get(session) ?? [];
  }

  forget(session: string): void {
    this.#tellMore(session);
    this.#logged.delete(session);
    this.#kept.delete(session);
  }
}
