// When a Ctrl-C may be pressed: never twice within the time in which an agent takes the second one for the wish to leave.
import type { InterruptProfile } from './box-profile.js';

// Of one session; outlives the daemon.
export interface InterruptJournal {
  // By when the agent has taken our last Ctrl-C at the latest, which may lie ahead; null if there was none.
  lastInterruptAt(): number | null;
  // `lastInterruptAt` tells `at` from this call on, also to others; on disk when this resolves.
  willInterrupt(at: number): Promise<void>;
}

export interface InterruptRules {
  journal: InterruptJournal;
  // When the person last pressed a key, which may have been a Ctrl-C; the end of that second where only seconds are known.
  quietSince: () => number;
}

// A program that is stopped or swapped out takes keys late, and two of them at once. Until it was seen to react, a Ctrl-C
// may be taken as late as this.
export const TAKEN_MS = 30_000;

export type Permission = { kind: 'now' } | { kind: 'wait'; whose: 'ours' | 'theirs'; until: number };

export function mayInterrupt(
  last: number | null,
  quietSince: number,
  profile: InterruptProfile,
  now: number,
): Permission {
  const { exitWindowMs } = profile;
  if (last !== null && now - last < exitWindowMs)
    return { kind: 'wait', whose: 'ours', until: last + exitWindowMs };
  if (now - quietSince < exitWindowMs)
    return { kind: 'wait', whose: 'theirs', until: quietSince + exitWindowMs };
  return { kind: 'now' };
}

export class InterruptWindow {
  readonly #rules: InterruptRules;
  readonly #profile: InterruptProfile;
  readonly #clock: () => number;

  constructor(rules: InterruptRules, profile: InterruptProfile, clock: () => number) {
    this.#rules = rules;
    this.#profile = profile;
    this.#clock = clock;
  }

  ask(): Permission {
    const { journal, quietSince } = this.#rules;
    return mayInterrupt(journal.lastInterruptAt(), quietSince(), this.#profile, this.#clock());
  }

  // A clock that was set back makes a past Ctrl-C look like one far ahead: it counts from now on, and not for hours.
  async mend(): Promise<void> {
    const last = this.#rules.journal.lastInterruptAt();
    const latest = this.#clock() + TAKEN_MS;
    if (last !== null && last > latest) await this.#rules.journal.willInterrupt(latest);
  }

  // Presses through `press` if it is time; the journal has it before the key goes out. `press` tells whether it did.
  async through(press: () => Promise<boolean>): Promise<Permission> {
    const { journal } = this.#rules;
    // Nothing is awaited between asking and taking the turn, so no other sender comes in between.
    const before = journal.lastInterruptAt();
    const permission = this.ask();
    if (permission.kind === 'wait') return permission;
    const taken = this.#clock() + TAKEN_MS;
    await journal.willInterrupt(taken);
    const ours = journal.lastInterruptAt() === taken;
    const again = ours ? this.#askAbout(before) : this.ask();
    if (ours && again.kind === 'now' && (await press())) return again;
    // Not pressed, for certain: the turn is given back.
    if (ours) await journal.willInterrupt(before ?? this.#clock() - this.#profile.exitWindowMs);
    return again;
  }

  // The agent was seen to have taken it.
  taken(): Promise<void> {
    return this.#rules.journal.willInterrupt(this.#clock());
  }

  // The person may have pressed a key while the journal was written.
  #askAbout(last: number | null): Permission {
    return mayInterrupt(last, this.#rules.quietSince(), this.#profile, this.#clock());
  }
}
