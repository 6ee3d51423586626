// Where a message is that was rung for: by the transcripts that show its bell and its text, and by its file.
import type { Found } from '../door.js';
import type { Bells } from './bells.js';
import { type Traces, tracesIn, transcriptsSince } from './transcript-file.js';
import { type AgentNow, LOST_MS } from './whereabouts.js';

type Agent = Pick<AgentNow, 'transcript' | 'status' | 'now' | 'lookAgain'>;

const nowhere = (evidence: string): Found => ({ at: 'nowhere', evidence });

// Its agent runs. Once that is certain its file goes, first of all before `nowhere` is said: what the hook cannot find any
// more is not told later.
export async function findRung(bells: Bells, agent: Agent, id: string, since: number): Promise<Found> {
  const { taken, bell, isQueued, isPulled } = await tracesOf(agent.transcript, id, since);
  const isOnItsWay = bell === 'rung' || (isQueued && !isPulled);
  if (!taken && bell !== 'missed' && (isOnItsWay || !idleLong(agent, since)))
    return { at: 'queue', evidence: 'its bell was submitted' };
  bells.forget(id);
  if (taken) return { at: 'received', turn: taken.turn, evidence: taken.evidence };
  return nowhere(bell === 'missed' ? 'its bell came without its text' : 'its bell was never taken');
}

// Its process has ended, and has taken its queue with it.
export async function findRungLast(
  bells: Bells,
  transcript: string | undefined,
  id: string,
  since: number,
): Promise<Found> {
  const { taken } = await tracesOf(transcript, id, since);
  bells.forget(id);
  if (taken) return { at: 'received', turn: taken.turn, evidence: taken.evidence };
  return nowhere('it has ended, and its transcript does not show the text');
}

// One that has done nothing for so long has nothing in its queue.
function idleLong({ status, now, lookAgain }: Agent, since: number): boolean {
  if (status?.state !== 'idle') return false;
  const early = Math.max(since, status.since) + LOST_MS - now;
  if (early > 0) lookAgain(early);
  return early <= 0;
}

// /clear and /resume go on in another file.
async function tracesOf(transcript: string | undefined, id: string, since: number): Promise<Traces> {
  const all: Traces = { taken: undefined, isQueued: false, isPulled: false, bell: 'none' };
  for (const file of transcript === undefined ? [] : transcriptsSince(transcript, since)) {
    const { taken, isQueued, isPulled, bell } = await tracesIn(file, id);
    all.taken ??= taken;
    all.isQueued ||= isQueued;
    all.isPulled ||= isPulled;
    if (bell !== 'none') all.bell = bell;
  }
  return all;
}
