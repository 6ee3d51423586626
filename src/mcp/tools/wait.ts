import { z } from 'zod';
import type { MessageWait } from '../../api/types.js';
import { type Desk, waitInSlices } from '../desk.js';
import { invalid } from '../failures.js';
import { shownMessage } from '../shown.js';
import { defineTool } from '../tool.js';
import { session, waitSeconds } from './fields.js';

type Goal = 'submitted' | 'received' | 'done';

// Until the receipt is reached, never will be, or the time is over.
export const waitForReceipt = (
  desk: Pick<Desk, 'ask' | 'signal' | 'beat'>,
  id: string,
  goal: Goal,
  timeoutMs: number,
): Promise<MessageWait> =>
  waitInSlices(
    desk,
    timeoutMs,
    (timeout) => desk.ask((client) => client.wait(id, { for: goal, timeout })),
    ({ outcome }) => outcome !== 'timeout',
  );

export const wait = defineTool({
  name: 'wait',
  title: 'Wait',
  description:
    'Waits until a message is received or done, or until a session’s agent is idle after all that it was sent. Give either message or session. outcome is reached, never, or timeout: then call it again.',
  effect: 'reads',
  input: z.strictObject({
    message: z.string().min(1).optional().describe('id of a message that you sent'),
    session: session.optional().describe('name or id of a session, to wait until its agent is idle'),
    for: z
      .enum(['submitted', 'received', 'done', 'idle'], 'must be submitted, received, done or idle')
      .optional()
      .describe('of a message: received (default), submitted or done; of a session: idle'),
    timeout_seconds: waitSeconds,
  }),
  async run({ message: id, session: name, for: goal, timeout_seconds }, desk) {
    const timeoutMs = timeout_seconds * 1000;
    if (id !== undefined && name === undefined) {
      if (goal === 'idle') throw invalid('for', goal, 'of a message: submitted, received or done');
      const message = await waitForReceipt(desk, id, goal ?? 'received', timeoutMs);
      return { outcome: message.outcome, message: shownMessage(message) };
    }
    if (name === undefined || id !== undefined)
      throw invalid('message', id ?? null, 'either message or session, not both and not none');
    if (goal !== undefined && goal !== 'idle') throw invalid('for', goal, 'of a session: idle');
    const { outcome, reason, status } = await waitInSlices(
      desk,
      timeoutMs,
      (timeout) => desk.ask((client) => client.waitForSession(name, { timeout })),
      (one) => one.outcome !== 'timeout',
    );
    return { outcome, ...(reason && { reason }), status: status.state };
  },
});
