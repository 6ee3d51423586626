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
  lease: string;
  way: Way;
  bell?: true;
  riders?: string[];
}

function attemptOf({ messages }: Ledger, id: string, n?: number): Begun | undefined {
  const attempts = messages.events(id).filter(({ kind }) => kind === 'attempt');
  const begun = attempts.map(({ data }) => JSON.parse(data) as Begun);
  return begun.findLast((one) => n === undefined || one.n === n);
}

// As what it was typed then; the last time where no attempt is named.
export const formOf = (ledger: Ledger, id: string, n?: number): Form =>
  attemptOf(ledger, id, n)?.bell ? 'bell' : 'whole';

// What went along with it then.
export const ridersIn = (ledger: Ledger, id: string, n?: number): MessageRow[] =>
  (attemptOf(ledger, id, n)?.riders ?? []).flatMap((rider) => ledger.messages.get(rider) ?? []);

// The process that its last attempt was made for, and the way it took.
export const epochOf = (ledger: Ledger, id: string): number | undefined => attemptOf(ledger, id)?.epoch;
// The daemon that made it.
export const leaseOf = (ledger: Ledger, id: string): string | undefined => attemptOf(ledger, id)?.lease;
export const wayOf = (ledger: Ledger, { id }: Pick<MessageRow, 'id'>): Way | undefined =>
  attemptOf(ledger, id)?.way;

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
