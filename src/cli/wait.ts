// Waiting for receipts after a send.
import type { MessageWait, SendResponse } from '../api/types.js';
import { type Goal, waitForReceipt } from '../api/waiting.js';
import { brokeOff, connect } from './connect.js';
import { EXIT, type Exit } from './errors.js';
import { note, say, sayJson, visible } from './print.js';
import { duration } from './time.js';
import { uncertainty } from './uncertain.js';

export async function waitForAll(
  response: SendResponse,
  goal: Goal,
  timeoutMs: number,
  json: boolean,
): Promise<Exit> {
  const messages = await Promise.all(
    response.messages.map(({ id }) => waitForReceipt(connect(), id, goal, timeoutMs)),
  ).catch((error: unknown) => {
    throw sayStored(
      error,
      response.messages.map(({ id }) => id),
    );
  });
  if (json) sayJson({ ...response, messages });
  else for (const message of messages) tell(message, goal, timeoutMs);
  if (messages.some(({ outcome }) => outcome === 'never')) return EXIT.failed;
  return messages.every(({ outcome }) => outcome === 'reached') ? EXIT.ok : EXIT.timeout;
}

// A daemon that dies while it is waited for has the messages all the same.
export const sayStored = (error: unknown, ids: readonly string[]): unknown =>
  brokeOff(error)
    ? Object.assign(error as Error, { hint: `nothing is lost: ${ids.join(', ')} is stored` })
    : error;

function tell(message: MessageWait, goal: Goal, timeoutMs: number): void {
  const { id, to, receipt, state, outcome, held, held_detail } = message;
  const why = held ? `: ${visible(held_detail ?? held)}` : '';
  const stays = receipt === 'queued' ? 'it stays queued' : `it is ${receipt} so far`;
  if (outcome === 'reached') say(`${receipt} ${id} to ${to.name}`);
  else if (outcome === 'never')
    note(
      `sm: ${uncertainty(message, goal) ?? `${id} for ${to.name} is ${state} and was not ${goal}; the best known is "${receipt}"`}`,
    );
  else
    note(
      `sm: ${id} for ${to.name} was not ${goal} within ${duration(timeoutMs)}; ${stays}${why} (sm show ${id}; sm cancel ${id})`,
    );
}
