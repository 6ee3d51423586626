// Waiting through the client for longer than one request may last: for a receipt, for rest, for an answer.
import { ApiFailure, type Client } from './client.js';
import type { Message, MessageWait, MessageWithEvents, SendRequest, Session, SessionWait } from './types.js';

// The longest that the daemon waits in one request.
const LONGEST_MS = 3_600_000;

export type Goal = 'submitted' | 'received' | 'done';
export type Outcome = SessionWait['outcome'];

const seconds = (end: number): number => Math.max(1, Math.min(end - Date.now(), LONGEST_MS)) / 1000;

export async function waitForReceipt(
  client: Client,
  id: string,
  goal: Goal,
  ms: number,
): Promise<MessageWait> {
  const end = Date.now() + ms;
  for (;;) {
    const message = await client.wait(id, { for: goal, timeout: seconds(end) });
    if (message.outcome !== 'timeout' || Date.now() >= end) return message;
  }
}

// `idle`, or `signal:STATE`: then one after the given number, or without it the state that it is in.
export async function waitForSession(
  client: Client,
  session: string,
  goal: { for: string; after?: number },
  ms: number,
): Promise<SessionWait> {
  const end = Date.now() + ms;
  for (;;) {
    const rest = await client.waitForSession(session, { ...goal, timeout: seconds(end) });
    if (rest.outcome !== 'timeout' || Date.now() >= end) return rest;
  }
}

// What to wait for by number, so that nothing is missed between two requests: the state that it is in counts, and of any only a
// new one.
export function signalGoal(
  { signal_seq, signal_state }: Pick<Session, 'signal_seq' | 'signal_state'>,
  goal: string,
  after: number | undefined,
): { for: string; after: number } {
  const isIn = goal === `signal:${signal_state}`;
  return { for: goal, after: after ?? (isIn ? signal_seq - 1 : signal_seq) };
}

// `answered`: with the agent's own words; `silent`: its turn is over, and it gave none; `interrupted`: somebody stopped it.
export interface Asked {
  outcome: 'answered' | 'silent' | 'interrupted' | 'never' | 'timeout';
  message: MessageWithEvents;
}

// Refused at once (`cannot_prove`) where the end of the turn would never be known.
export async function sendQuestion(
  client: Client,
  session: string,
  text: string,
  how: Omit<SendRequest, 'to' | 'text' | 'wait_for'>,
): Promise<Message> {
  checkOne(session);
  const { messages } = await client.send({ ...how, to: [session], text, wait_for: 'done' });
  const [sent] = messages;
  if (!sent) throw notOne(session);
  return sent;
}

// Apart from the sending: this may be done again.
export async function waitForAnswer(client: Client, id: string, ms: number): Promise<Asked> {
  const { outcome } = await waitForReceipt(client, id, 'done', ms);
  const message = await client.message(id);
  if (outcome !== 'reached') return { outcome, message };
  const ended = message.events.findLast(({ kind }) => kind === 'done')?.data.how;
  if (ended === 'interrupted') return { outcome: 'interrupted', message };
  return { outcome: message.answer === null ? 'silent' : 'answered', message };
}

// Before anything is sent: words for many would put the question to all of them, and only one answer is waited for.
export function checkOne(to: string): void {
  if (/[*?]|^@(?!parent$)/.test(to)) throw notOne(to);
}

export const notOne = (value: string): ApiFailure =>
  new ApiFailure(400, {
    code: 'invalid',
    message: 'one session is asked at a time',
    field: 'to',
    value,
    expected: 'the name or the id of a session, or @parent',
  });
