// Whether an agent's rest counts as its rest after all that it was sent. Pure: a table of what is known, read from the top.
import type { Status } from '../agents/index.js';

export interface RestFacts {
  session: 'starting' | 'live' | 'ended' | 'gone' | 'removed';
  status: Status;
  // Something may yet tell what it does: its door, or the screen of an agent that is known.
  mayTell: boolean;
  // Messages that wait for it, are being delivered, or are in its own queue.
  waiting: number;
  // When it last took one of which it may yet show that it came, or whose turn has not been seen to end.
  openAt: number | null;
  // When its box last let go of one of which nothing more will be heard: a command, or an agent that tells nothing.
  silentAt: number | null;
}

export type Verdict =
  | { kind: 'idle' }
  | { kind: 'never'; reason: string }
  // `at`: then it may be otherwise, though nothing happens.
  | { kind: 'wait'; reason: string; at?: number };

// A turn whose end was lost keeps nobody waiting longer than this behind an agent that says it rests.
export const LOST_MS = 10_000;
// An agent that begins with something is heard of within this.
export const SILENT_MS = 3000;
// A screen counts as at rest after so long.
const SCREEN_MS = 500;

export function judgeRest(facts: RestFacts, now: number): Verdict {
  const { session, status, mayTell, waiting, openAt, silentAt } = facts;
  const { state, since, source } = status;
  if (session === 'removed') return never('the session was removed');
  if (session === 'ended') return never('its program has ended');
  if (session === 'gone') return never('its pane is gone');
  if (waiting > 0) return wait(waiting === 1 ? 'a message waits for it' : `${waiting} messages wait for it`);
  if (state === 'unknown')
    return mayTell || session === 'starting'
      ? wait('what it does is not known yet')
      : never('nothing tells what this program does');
  if (state === 'waiting') return wait('it waits for a person');
  // What is printed tells when it stops; that it has stopped is seen by looking.
  if (state === 'busy')
    return source === 'screen' ? wait('it prints', now + SCREEN_MS) : wait('its turn is running');
  if (state === 'gone') return wait('whether it has ended is being looked at');
  if (openAt !== null) {
    const lost = Math.max(since, openAt) + LOST_MS;
    return now >= lost ? IDLE : wait('the turn of a message has not been seen to end', lost);
  }
  // Known since before that: it may not have begun yet.
  if (silentAt !== null && since <= silentAt) {
    const heard = silentAt + SILENT_MS;
    return now >= heard ? IDLE : wait('it has only just been given something', heard);
  }
  return IDLE;
}

const IDLE: Verdict = { kind: 'idle' };
const never = (reason: string): Verdict => ({ kind: 'never', reason });
const wait = (reason: string, at?: number): Verdict =>
  at === undefined ? { kind: 'wait', reason } : { kind: 'wait', reason, at };
