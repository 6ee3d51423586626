// Waits until an agent rests after all that it was sent; on events alone, and never on a rest from before a send.
import { GENERIC, type Status } from '../agents/index.js';
import { type Doors, type Registry, type Session, shownStatusOf } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import { judgeRest, type RestFacts, type Verdict } from './idle-rule.js';
import type { Ledger } from './ledger.js';
import { epochOf } from './whereabouts.js';

export interface IdleWaitDeps {
  doors: Doors;
  registry: Registry;
  ledger: Ledger;
  clock: () => number;
}

export interface Rest {
  outcome: 'reached' | 'never' | 'timeout';
  // Why it is not reached.
  reason: string | null;
  status: Status;
}

// Of so many it is looked whether its agent has taken them in.
const LATELY = 20;
// Output comes in many pieces; one look serves those of this long.
const LOOK_MS = 100;

export class IdleWait {
  constructor(readonly deps: IdleWaitDeps) {}

  wait(session: Session, ms: number, signal: AbortSignal): Promise<Rest> {
    const { ledger, registry, clock } = this.deps;
    return new Promise((resolve) => {
      let next: NodeJS.Timeout | undefined;
      let nextAt = Number.POSITIVE_INFINITY;
      const finish = (outcome: Rest['outcome'], reason: string | null): void => {
        clearTimeout(end);
        clearTimeout(next);
        entry.dispose();
        change.dispose();
        signal.removeEventListener('abort', stop);
        resolve({ outcome, reason, status: this.#status(session) });
      };
      const look = (): void => {
        clearTimeout(next);
        nextAt = Number.POSITIVE_INFINITY;
        const verdict = this.judge(session);
        if (verdict.kind === 'idle') finish('reached', null);
        else if (verdict.kind === 'never') finish('never', verdict.reason);
        else if (verdict.at !== undefined) lookAt(verdict.at);
      };
      const lookAt = (at: number): void => {
        if (at >= nextAt) return;
        clearTimeout(next);
        nextAt = at;
        next = setTimeout(look, Math.max(1, at - clock()));
      };
      const entry = ledger.onEntry(({ message }) => {
        if (message.recipient === session.id) look();
      });
      const change = registry.onEvent(({ type, session: other }) => {
        if (other !== session) return;
        if (type !== 'stirred') look();
        // What a pane prints tells nothing where something better tells.
        else if (this.#status(session).source === 'screen') lookAt(clock() + LOOK_MS);
      });
      const stop = (): void => {
        const verdict = this.judge(session);
        finish('timeout', verdict.kind === 'idle' ? null : verdict.reason);
      };
      const end = setTimeout(stop, ms);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      else look();
    });
  }

  judge(session: Session): Verdict {
    return judgeRest(this.#facts(session), this.deps.clock());
  }

  #status(session: Session): Status {
    return shownStatusOf(session, this.deps.doors.of(session), this.deps.clock());
  }

  #facts(session: Session): RestFacts {
    const { ledger, registry, doors } = this.deps;
    const { messages } = ledger;
    const { id, row } = session;
    const tells = doors.mayTell(session, row.epoch);
    // What the process before was given says nothing of this one.
    const isIts = (message: MessageRow): boolean => epochOf(ledger, message.id) === row.epoch;
    const lately = messages.lately(id, LATELY);
    const taken = lately.filter((message) => isTaken(message) && isIts(message));
    const shown = messages.inTurn(id).filter(isIts);
    const mayShow = (message: MessageRow): boolean =>
      tells && !this.#isSilent(message) && !isOvertaken(message, lately);
    return {
      session: registry.get(id) === session ? row.state : 'removed',
      status: this.#status(session),
      mayTell: tells || session.profile !== GENERIC,
      waiting: messages.waitingCount(id) + messages.accepted(id).length,
      openAt: this.#latest([...shown, ...taken.filter(mayShow)]),
      silentAt: this.#latest(taken.filter((message) => !mayShow(message))),
    };
  }

  // A command carries no id that its agent could show; and of what is uncertain nothing more will be heard.
  #isSilent({ id, command }: MessageRow): boolean {
    return command === 1 || this.deps.ledger.messages.events(id).at(-1)?.kind === 'uncertain';
  }

  #latest(rows: readonly MessageRow[]): number | null {
    return rows.length === 0 ? null : Math.max(...rows.map((row) => this.#takenAt(row)));
  }

  #takenAt({ id, settled_at, created_at }: MessageRow): number {
    const shown = this.deps.ledger.messages.events(id).findLast(({ kind }) => kind === 'received');
    return shown?.at ?? settled_at ?? created_at;
  }
}

// The box has let go of it, and its agent has not shown it.
const isTaken = ({ state, receipt }: MessageRow): boolean => state === 'settled' && receipt === 'submitted';

// One that came after it, and does not go ahead of others, was shown: it would have been shown before.
const isOvertaken = ({ seq }: MessageRow, rows: readonly MessageRow[]): boolean =>
  rows.some(
    (other) =>
      other.seq > seq &&
      other.mode === 'sequential' &&
      (other.receipt === 'received' || other.receipt === 'done'),
  );
