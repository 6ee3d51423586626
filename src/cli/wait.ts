// Waiting for receipts after a send.
import type { Message, Receipt, SendResponse } from '../api/types.js';
import { brokeOff, connect } from './connect.js';
import { EXIT, type Exit } from './errors.js';
import { note, say, sayJson, visible } from './print.js';
import { duration } from './time.js';

// The longest that the daemon waits in one request.
const LONGEST_MS = 3_600_000;
const ORDER: readonly Receipt[] = ['queued', 'typed', 'submitted', 'received', 'done'];

// While it is in one of these its receipt may climb.
const ON_ITS_WAY: ReadonlySet<Message['state']> = new Set(['pending', 'attempting', 'accepted']);

type Goal = 'submitted' | 'received' | 'done';

const reached = (message: Message, goal: Goal): boolean =>
  ORDER.indexOf(message.receipt) >= ORDER.indexOf(goal);
const isOver = (message: Message, goal: Goal): boolean =>
  reached(message, goal) || !ON_ITS_WAY.has(message.state);

export async function waitForAll(
  response: SendResponse,
  goal: Goal,
  timeoutMs: number,
  json: boolean,
): Promise<Exit> {
  const end = Date.now() + timeoutMs;
  const messages = await Promise.all(
    response.messages.map((message) => waitForOne(message, goal, end)),
  ).catch((error: unknown) => {
    const ids = response.messages.map(({ id }) => id).join(', ');
    throw brokeOff(error)
      ? Object.assign(error as Error, { hint: `nothing is lost: ${ids} is stored` })
      : error;
  });
  if (json) sayJson({ ...response, messages });
  else for (const message of messages) tell(message, goal, timeoutMs);
  if (messages.some((message) => isOver(message, goal) && !reached(message, goal))) return EXIT.failed;
  return messages.every((message) => reached(message, goal)) ? EXIT.ok : EXIT.timeout;
}

async function waitForOne(message: Message, goal: Goal, end: number): Promise<Message> {
  let latest = message;
  for (;;) {
    const left = end - Date.now();
    if (isOver(latest, goal) || left <= 0) return latest;
    latest = await connect().wait(message.id, { for: goal, timeout: Math.min(left, LONGEST_MS) / 1000 });
  }
}

function tell(message: Message, goal: Goal, timeoutMs: number): void {
  const { id, to, receipt, state, held, held_detail } = message;
  const why = held ? `: ${visible(held_detail ?? held)}` : '';
  const stays = receipt === 'queued' ? 'it stays queued' : `it is ${receipt} so far`;
  if (reached(message, goal)) say(`${receipt} ${id} to ${to.name}`);
  else if (isOver(message, goal))
    note(`sm: ${id} for ${to.name} is ${state} and was not ${goal}; the best known is "${receipt}"`);
  else
    note(
      `sm: ${id} for ${to.name} was not ${goal} within ${duration(timeoutMs)}; ${stays}${why} (sm show ${id}; sm cancel ${id})`,
    );
}
