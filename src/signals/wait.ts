// Waits until a session has a signal: of a state, or any; on events alone.
import type { Registry, Session } from '../sessions/index.js';
import type { SignalDesk } from './desk.js';
import type { Signal } from './signal.js';

export interface SignalWaitDeps {
  registry: Pick<Registry, 'get' | 'onEvent'>;
  desk: Pick<SignalDesk, 'onSignal' | 'list' | 'lastOf'>;
}

export interface SignalGoal {
  // Undefined: any.
  state: string | undefined;
  // Only one with a higher number. Undefined: the state that it is in counts, and of any only a new one.
  after: number | undefined;
}

export type SignalFound =
  | { outcome: 'reached'; signal: Signal }
  | { outcome: 'never' | 'timeout'; reason: string; signal: null };

// So many are looked through at once.
const PAGE = 500;

export function waitForSignal(
  { registry, desk }: SignalWaitDeps,
  session: Session,
  goal: SignalGoal,
  ms: number,
  aborted: AbortSignal,
): Promise<SignalFound> {
  const isIt = (signal: Signal): boolean => goal.state === undefined || signal.state === goal.state;
  const before = session.row.signal_seq;
  return new Promise((resolve) => {
    const finish = (found: SignalFound): void => {
      clearTimeout(end);
      heard.dispose();
      changed.dispose();
      aborted.removeEventListener('abort', stop);
      resolve(found);
    };
    const wish = goal.state ?? 'new';
    const stop = (): void =>
      finish({ outcome: 'timeout', reason: `no ${wish} signal came in time`, signal: null });
    const look = (): void => {
      const reason = goneBy(registry, session);
      if (reason !== undefined) finish({ outcome: 'never', reason, signal: null });
    };
    const heard = desk.onSignal((signal) => {
      if (signal.session === session.id && signal.seq > (goal.after ?? before) && isIt(signal))
        finish({ outcome: 'reached', signal });
    });
    const changed = registry.onEvent(({ session: other }) => {
      if (other === session) look();
    });
    const end = setTimeout(stop, ms);
    aborted.addEventListener('abort', stop);
    const found = said(desk, session.id, goal, isIt);
    if (found) finish({ outcome: 'reached', signal: found });
    else if (aborted.aborted) stop();
    else look();
  });
}

// What counts and is there already.
function said(
  desk: SignalWaitDeps['desk'],
  session: string,
  { state, after }: SignalGoal,
  isIt: (signal: Signal) => boolean,
): Signal | undefined {
  if (after === undefined) {
    const last = desk.lastOf(session);
    return last && state !== undefined && isIt(last) ? last : undefined;
  }
  for (let from = after; ; ) {
    const page = desk.list({ session, after: from, limit: PAGE });
    const found = page.find(isIt);
    const last = page.at(-1);
    if (found || !last || page.length < PAGE) return found;
    from = last.seq;
  }
}

function goneBy(registry: SignalWaitDeps['registry'], session: Session): string | undefined {
  if (registry.get(session.id) !== session) return 'the session was removed';
  const { state, state_reason } = session.row;
  if (state === 'ended') return state_reason ?? 'its program has ended';
  return state === 'gone' ? (state_reason ?? 'its pane is gone') : undefined;
}
