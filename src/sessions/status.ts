// What a session's agent does: what is known well enough to act on, and what is shown to somebody who looks.
import { type Door, GENERIC, NO_STATUS, nextStatus, type Status, screenStatus } from '../agents/index.js';
import type { SessionRow } from '../store/index.js';
import type { Session } from './session.js';
import { REST_MS } from './tracker.js';
import { wentOnWith } from './went-on.js';

export function statusOf(session: Session): Status {
  const known = session.status ?? NO_STATUS;
  const isGone = known.state === 'gone';
  return (session.row.state === 'live') === isGone ? NO_STATUS : known;
}

// Where nothing is known of an agent, what its screen suggests; never where its door tells.
export function shownStatusOf(session: Session, door: Door | undefined, now: number): Status {
  const known = statusOf(session);
  const printing = session.row.state === 'live' && session.tracker?.printing;
  const isAgent = session.profile !== GENERIC;
  if (known.state !== 'unknown' || !printing || !isAgent || (door && door.state.kind !== 'shut'))
    return known;
  return screenStatus(printing, now, REST_MS);
}

// What a report changes in the row of its session; undefined where it tells nothing new.
export function reported(session: Session, report: Status): Pick<SessionRow, 'status'> | undefined {
  const known = session.status ?? NO_STATUS;
  const status = nextStatus(known, report);
  return status === known ? undefined : kept(session, status, wentOnWith(session.wentOnAt, known, status));
}

// As its row keeps it.
export function kept(
  { row: { epoch }, wentOnAt: before }: Session,
  status: Status,
  wentOnAt = before,
): { status: string } {
  return { status: JSON.stringify({ epoch, ...status, wentOnAt }) };
}

// Without what it does.
export const forgotten = ({ wentOnAt }: Session): { status: string | null } => ({
  status: wentOnAt === 0 ? null : JSON.stringify({ wentOnAt }),
});

// What changes when its door is opened and does not tell what it does: what an earlier daemon was told may be over by now.
// That hooks told of a dialog stays, where they are heard: they tell its end too.
export function doubted(session: Session, door: Door | undefined): Pick<SessionRow, 'status'> | undefined {
  const { status } = session;
  return !status || (door && status.source === 'hook') ? undefined : forgotten(session);
}
