// Waiting through the client for longer than one request may last: for a receipt, for rest, for an answer.
import type { Client } from './client.js';
import type { Message, MessageWithEvents, Receipt, SendRequest, SessionWait } from './types.js';

// The longest that the daemon waits in one request.
const LONGEST_MS = 3_600_000;
const ORDER: readonly Receipt[] = ['queued', 'typed', 'submitted', 'received', 'done'];
const ENDED: readonly Message['state'][] = ['settled', 'cancelled', 'expired', 'dead'];

export type Goal = 'submitted' | 'received' | 'done';
export type Outcome = SessionWait['outcome'];

const seconds = (end: number): number => Math.max(1, Math.min(end - Date.now(), LONGEST_MS)) / 1000;

export const hasReached = ({ receipt }: Pick<Message, 'receipt'>, goal: Goal): boolean =>
  ORDER.indexOf(receipt) >= ORDER.indexOf(goal);

export async function waitForReceipt(
  client: Client,
  id: string,
  goal: Goal,
  ms: number,
): Promise<{ outcome: Outcome; message: Message }> {
  const end = Date.now() + ms;
  for (;;) {
    const message = await client.wait(id, { for: goal, timeout: seconds(end) });
    if (hasReached(message, goal)) return { outcome: 'reached', message };
    if (Date.now() >= end) return { outcome: 'timeout', message };
    // Answered before the time was over: it never will be.
    if (ENDED.includes(message.state)) return { outcome: 'never', message };
  }
}

export async function waitForRest(client: Client, session: string, ms: number): Promise<SessionWait> {
  const end = Date.now() + ms;
  for (;;) {
    const rest = await client.waitForSession(session, { timeout: seconds(end) });
    if (rest.outcome !== 'timeout' || Date.now() >= end) return rest;
  }
}

// `answered`: with the agent's own words; `silent`: its turn is over, and it gave none; `interrupted`: somebody stopped it.
export interface Asked {
  outcome: 'answered' | 'silent' | 'interrupted' | 'never' | 'timeout';
  message: MessageWithEvents;
}

// Refused at once (`cannot_prove`) where the end of the turn would never be known.
export async function askSession(
  client: Client,
  session: string,
  text: string,
  { ms, ...how }: { ms: number } & Omit<SendRequest, 'to' | 'text' | 'wait_for'>,
): Promise<Asked> {
  const { messages } = await client.send({ ...how, to: [session], text, wait_for: 'done' });
  const [sent, ...others] = messages;
  if (!sent || others.length > 0) throw new Error(`one session is asked at a time, not ${messages.length}`);
  const { outcome } = await waitForReceipt(client, sent.id, 'done', ms);
  const message = await client.message(sent.id);
  if (outcome !== 'reached') return { outcome, message };
  const how_ended = message.events.findLast(({ kind }) => kind === 'done')?.data.how;
  if (how_ended === 'interrupted') return { outcome: 'interrupted', message };
  return { outcome: message.answer === null ? 'silent' : 'answered', message };
}
