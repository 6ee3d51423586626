// Where a message is that an agent was given, by the agent's own records: of the process that runs, or of one that is gone.
import type { Found } from '../agents/index.js';
import type { Doors, Session } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { Form } from './envelope.js';
import type { Ledger } from './ledger.js';
import type { Way } from './lifecycle.js';

interface Begun {
  n: number;
  epoch: number;
  way: Way;
  bell?: true;
}

function lastAttempt({ messages }: Ledger, id: string): Begun | undefined {
  const row = messages.events(id).findLast(({ kind }) => kind === 'attempt');
  return row && (JSON.parse(row.data) as Begun);
}

// As what it was typed then; the last time where no attempt is named.
export function formOf({ messages }: Ledger, id: string, n?: number): Form {
  const attempts = messages.events(id).filter(({ kind }) => kind === 'attempt');
  const begun = attempts.map(({ data }) => JSON.parse(data) as Begun);
  return begun.findLast((one) => n === undefined || one.n === n)?.bell ? 'bell' : 'whole';
}

// The process that its last attempt was made for, and the way it took.
export const epochOf = (ledger: Ledger, id: string): number | undefined => lastAttempt(ledger, id)?.epoch;
export const wayOf = (ledger: Ledger, { id }: Pick<MessageRow, 'id'>): Way | undefined =>
  lastAttempt(ledger, id)?.way;

export const isRunning = ({ row }: Session, epoch: number | undefined): boolean =>
  row.state === 'live' && row.epoch === epoch;

// Records that cannot be read tell nothing.
export const whereIs = (
  doors: Doors,
  session: Session,
  epoch: number | undefined,
  id: string,
): Promise<Found> =>
  ask(doors, session, epoch, id).catch((error: unknown) => ({ at: 'unknown', reason: String(error) }));

async function ask(doors: Doors, session: Session, epoch: number | undefined, id: string): Promise<Found> {
  if (isRunning(session, epoch)) {
    const door = doors.of(session);
    return door ? door.find(id) : { at: 'unknown', reason: 'its door is not open yet' };
  }
  const { door: maker } = session.profile;
  const facts = session.doorFactsOf(epoch);
  if (!maker?.findLast || !facts)
    return { at: 'unknown', reason: 'its agent has ended, and nothing is left to ask' };
  return maker.findLast(facts, id);
}
