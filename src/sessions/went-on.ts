// When an agent last went on: it began to work, or the dialog that it waited at was answered or dismissed. What it had asked for
// is over by then, and stays so when it rests again. Kept beside its status, of whatever process.
import type { Status } from '../agents/index.js';

type Kept = Partial<Status> & { wentOnAt?: number };

// A screen alone tells nothing of that.
const worksSince = ({ state, source, since = 0 }: Partial<Status>): number =>
  state === 'busy' && source !== 'screen' ? since : 0;

export function wentOnIn(kept: string | null): number {
  if (kept === null) return 0;
  const { wentOnAt, ...status } = JSON.parse(kept) as Kept;
  return wentOnAt ?? worksSince(status);
}

// The moment of a report may be older than the dialog that it ends.
export function wentOnWith(before: number, known: Status, report: Status): number {
  const isOver = known.state === 'waiting' && report.state === 'idle';
  // What it does in a turn may be told in other words while the turn goes on.
  const began = known.state === 'busy' ? 0 : worksSince(report);
  return Math.max(before, began, isOver ? Math.max(report.since, known.since + 1) : 0);
}
