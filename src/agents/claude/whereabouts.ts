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
  if (place === 'none') return { at: 'nowhere', evidence: 'neither in the transcript nor on its way' };
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
  const found = await inTranscripts(transcript, id, since ?? Number.POSITIVE_INFINITY);
  if (found?.at === 'received') return found;
  inbox?.forget(id);
  return { at: 'nowhere', evidence: 'it has ended, and its transcript does not show it' };
}

// A hook may be killed after it has said so and before it has woken the agent. Undefined: that cannot be told now.
async function afterLongIdle(
  inbox: Inbox,
  { transcript, status, now, lookAgain }: AgentNow,
  id: string,
  since: number,
): Promise<Found | undefined> {
  if (status?.state !== 'idle') return undefined;
  const early = Math.max(since, status.since) + LOST_MS - now;
  if (early > 0) {
    lookAgain(early);
    return undefined;
  }
  const found = await inTranscripts(transcript, id, since);
  if (found) return found;
  // There were turns since then, and nothing that tells what was in them.
  if (status.since > since && (transcript === undefined || !fs.existsSync(transcript))) return undefined;
  inbox.forget(id);
  return { at: 'nowhere', evidence: 'the wake hook ended before it handed it over' };
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
