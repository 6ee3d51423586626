// Where a message is that was rung for: by the transcripts that show its bell and its text, and by its file.
import type { Found } from '../door.js';
import type { Bells } from './bells.js';
import { type Traces, tracesIn, transcriptsSince } from './transcript-file.js';
import { type AgentNow, emptySince, hadTurn, LOST_MS } from './whereabouts.js';

type Agent = Pick<AgentNow, 'transcript' | 'status' | 'completed' | 'awakeSince' | 'now' | 'lookAgain'>;

const nowhere = (evidence: string): Found => ({ at: 'nowhere', evidence });

// Its agent runs. Once that is certain its file goes, first of all before `nowhere` is said: what the hook cannot find any
// more is not told later.
export async function findRung(bells: Bells, agent: Agent, id: string, since: number): Promise<Found> {
  const { taken, bell, isQueued } = await tracesOf(agent.transcript, id, since);
  if (!taken && bell !== 'missed' && ((isQueued && !hadTurn(agent, since)) || !idleLong(agent, since)))
    return { at: 'queue', evidence: 'its bell was submitted' };
  bells.forget(id);
  if (taken) return { at: 'received', turn: taken.turn, evidence: taken.evidence };
  return nowhere(bell !== 'none' ? 'its bell came without its text' : 'its bell was never taken');
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
function idleLong(agent: Agent, since: number): boolean {
  const { now, lookAgain } = agent;
  const empty = emptySince(agent, since);
  if (empty === undefined) return false;
  if (empty + LOST_MS > now) lookAgain(empty + LOST_MS - now);
  return empty + LOST_MS <= now;
}

// /clear and /resume go on in another file.
async function tracesOf(transcript: string | undefined, id: string, since: number): Promise<Traces> {
  const all: Traces = { taken: undefined, isQueued: false, bell: 'none' };
  for (const file of transcript === undefined ? [] : transcriptsSince(transcript, since)) {
    const { taken, isQueued, bell } = await tracesIn(file, id);
    all.taken ??= taken;
    all.isQueued ||= isQueued;
    if (bell !== 'none') all.bell = bell;
  }
  return all;
}
