import { z } from 'zod';
import type { MessageWait } from '../../api/types.js';
import { signalGoal } from '../../api/waiting.js';
import { type Desk, waitInSlices } from '../desk.js';
import { invalid } from '../failures.js';
import { shownMessage } from '../shown.js';
import { defineTool } from '../tool.js';
import { session, waitSeconds } from './fields.js';

type Goal = 'submitted' | 'received' | 'done';
const GOALS = 'must be submitted, received, done, idle, signal:any, or signal: and a state';
const isGoal = (goal: string): goal is Goal => ['submitted', 'received', 'done'].includes(goal);

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
    'Waits until a message is received or done, until a session’s agent is idle after all that it was sent, or until it signals (for: signal:needs_input, signal:any). Give either message or session. outcome is reached, never, or timeout: then call it again.',
  effect: 'reads',
  input: z.strictObject({
    message: z.string().min(1).optional().describe('id of a message that you sent'),
    session: session.optional().describe('name or id of a session, to wait until its agent is idle'),
    for: z
      .string(GOALS)
      .regex(/^(?:submitted|received|done|idle|signal:[a-z][a-z0-9_-]{0,31})$/, GOALS)
      .optional()
      .describe(
        'of a message: received (default), submitted or done; of a session: idle (default), signal:any, or signal: and a state',
      ),
    after: z
      .number('must be a whole number')
      .int('must be a whole number')
      .min(0, 'must be 0 or more')
      .optional()
      .describe('of a signal: only one with a higher seq, so that none is missed between two calls'),
    timeout_seconds: waitSeconds,
  }),
  async run({ message: id, session: name, for: goal, after, timeout_seconds }, desk) {
    const timeoutMs = timeout_seconds * 1000;
    if (id !== undefined && name === undefined) {
      const receipt = goal ?? 'received';
      if (!isGoal(receipt)) throw invalid('for', goal, 'of a message: submitted, received or done');
      const message = await waitForReceipt(desk, id, receipt, timeoutMs);
      return { outcome: message.outcome, message: shownMessage(message) };
    }
    if (name === undefined || id !== undefined)
      throw invalid('message', id ?? null, 'either message or session, not both and not none');
    if (goal !== undefined && isGoal(goal)) throw invalid('for', goal, 'of a session: idle, or signal:STATE');
    const wanted = goal?.startsWith('signal:')
      ? signalGoal(await desk.ask((client) => client.session(name)), goal, after)
      : { for: 'idle' };
    const { outcome, reason, status, signal } = await waitInSlices(
      desk,
      timeoutMs,
      (timeout) => desk.ask((client) => client.waitForSession(name, { ...wanted, timeout })),
      (one) => one.outcome !== 'timeout',
    );
    return {
      outcome,
      ...(reason && { reason }),
      status: status.state,
      ...(signal && { signal: { seq: signal.seq, state: signal.state, message: signal.message } }),
    };
  },
});
