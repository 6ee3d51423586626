// Where a message is that was left for the wake hook: by its file, and by all transcripts that may show it.
import fs from 'node:fs';
import type { Found } from '../door.js';
import type { Status } from '../status.js';
import type { Inbox } from './inbox.js';
import { findInTranscript, tracesIn, transcriptsSince } from './transcript-file.js';

// An agent that is idle takes what it was handed within half a second; this long idle, it was never handed over.
export const LOST_MS = 10_000;

// What is known of the agent at this moment.
export interface AgentNow {
  transcript: string | undefined;
  isArmed: boolean;
  lives: boolean;
  // By its registry: nothing else is sure that it is idle.
  status: Status | undefined;
  // The last turn whose beginning and end its hooks have told.
  completed: { begunAt: number; endedAt: number } | undefined;
  // Since when it could do something; undefined while it is stopped.
  awakeSince: number | undefined;
  // When its process began, where that is known.
  begunAt: number | undefined;
  now: number;
  // To be asked again after that time.
  lookAgain(ms: number): void;
}

// Where the file is is read first: it goes only after the transcript shows the message.
export async function findAlive(inbox: Inbox, agent: AgentNow, id: string): Promise<Found> {
  const place = inbox.where(id);
  const since = place === 'none' ? undefined : inbox.since(id, place);
  const taken = agent.transcript && (await findInTranscript(agent.transcript, id));
  if (taken) return { at: 'received', turn: taken.turn, evidence: taken.evidence };
  if (place === 'none') {
    // Its file goes as soon as a transcript shows it, which may be one from before a /clear.
    const found = await inTranscripts(agent.transcript, id, agent.begunAt ?? 0);
    return found?.at === 'received'
      ? found
      : { at: 'nowhere', evidence: 'neither in the transcript nor on its way' };
  }
  // Nobody rings for it again.
  if (place === 'put' && inbox.takeBack(id))
    return { at: 'nowhere', evidence: 'the wake hook never took it' };
  if (place === 'taken' && !agent.isArmed && inbox.takeBack(id, 'taken'))
    return { at: 'nowhere', evidence: 'the wake hook ended before it handed it over' };
  const onItsWay: Found = { at: 'queue', evidence: 'the wake hook handed it over' };
  if (since === undefined) return onItsWay;
  if (!agent.lives) return findGone(inbox, agent.transcript, id);
  return (await afterLongIdle(inbox, agent, id, since)) ?? onItsWay;
}

// Its process has ended, and has taken its queue with it.
export async function findGone(
  inbox: Inbox | undefined,
  transcript: string | undefined,
  id: string,
): Promise<Found> {
  const place = inbox?.where(id) ?? 'none';
  const since = place === 'none' ? undefined : inbox?.since(id, place);
  const found = await inTranscripts(transcript, id, since ?? 0);
  if (found?.at === 'received') return found;
  inbox?.forget(id);
  return { at: 'nowhere', evidence: 'it has ended, and its transcript does not show it' };
}

// Since when nothing that it was handed then can be in its queue any more; undefined where that cannot be told now.
export function emptySince(
  { status, completed, awakeSince }: Pick<AgentNow, 'status' | 'completed' | 'awakeSince'>,
  since: number,
): number | undefined {
  if (awakeSince === undefined) return undefined;
  if (status) return status.state === 'idle' ? Math.max(since, status.since, awakeSince) : undefined;
  // Its hooks alone tell: what it has at the beginning of a turn it takes before the turn ends, or right behind it.
  return completed && completed.begunAt > since ? Math.max(completed.endedAt, awakeSince) : undefined;
}

// A whole turn lies behind it: whatever the queue held when it began is out.
export const hadTurn = ({ completed, now }: Pick<AgentNow, 'completed' | 'now'>, since: number): boolean =>
  completed !== undefined && completed.begunAt > since && completed.endedAt + LOST_MS <= now;

// A hook may be killed after it has said so and before it has woken the agent. Undefined: that cannot be told now.
async function afterLongIdle(
  inbox: Inbox,
  agent: AgentNow,
  id: string,
  since: number,
): Promise<Found | undefined> {
  const { transcript, status, now, lookAgain } = agent;
  if (agent.awakeSince === undefined) {
    lookAgain(LOST_MS);
    return { at: 'unknown', reason: 'its agent is stopped' };
  }
  const empty = emptySince(agent, since);
  if (empty === undefined) return undefined;
  if (empty + LOST_MS > now) {
    lookAgain(empty + LOST_MS - now);
    return undefined;
  }
  const found = await inTranscripts(transcript, id, since);
  if (found?.at === 'received' || (found && !hadTurn(agent, since))) return found;
  const hadTurns = status === undefined || status.since > since;
  if (hadTurns && (transcript === undefined || !fs.existsSync(transcript)))
    return { at: 'unknown', reason: 'there were turns since, and no transcript that tells what was in them' };
  inbox.forget(id);
  return { at: 'nowhere', evidence: 'it was handed over, and its agent has not taken it' };
}

async function inTranscripts(
  transcript: string | undefined,
  id: string,
  since: number,
): Promise<Found | undefined> {
  let isQueued = false;
  for (const file of transcript === undefined ? [] : transcriptsSince(transcript, since)) {
    const traces = await tracesIn(file, id);
    if (traces.taken) return { at: 'received', turn: traces.taken.turn, evidence: traces.taken.evidence };
    isQueued ||= traces.isQueued;
  }
  return isQueued ? { at: 'queue', evidence: 'transcript: queue-operation' } : undefined;
}
