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
const KEPT = 20;
const SHOWN_CHARACTERS = 300;

export class NearMisses {
  readonly #kept = new Map<string, NearMiss[]>();

  constructor(readonly deps: NearMissesDeps) {}

  record(miss: Omit<NearMiss, 'at'>): void {
    const { session, door } = miss;
    const text = miss.text.slice(0, SHOWN_CHARACTERS);
    this.deps.log('potential missed signal', { session, door, text, reason: miss.reason });
    const before = this.#kept.get(session) ?? [];
    this.#kept.set(session, [...before.slice(1 - KEPT), { ...miss, text, at: this.deps.clock() }]);
  }

  // Oldest first.
  of(session: string): readonly NearMiss[] {
    return this.#kept.get(session) ?? [];
  }

  forget(session: string): void {
    this.#kept.delete(session);
  }
}
