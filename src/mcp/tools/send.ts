import { z } from 'zod';
import { shownSent } from '../shown.js';
import { defineTool } from '../tool.js';
import { mode, session, text } from './fields.js';

const SECONDS = 'must be seconds, more than 0 and at most 30 days';
const seconds = z
  .number(SECONDS)
  .positive(SECONDS)
  .max(30 * 24 * 3600, SECONDS);

export const send = defineTool({
  name: 'send',
  title: 'Send a message',
  description:
    'Sends a message to one or more sessions. It is stored when this returns, and delivered as soon as nothing of a person’s is in the way. Use ask to get an answer at once, wait to learn that it was received.',
  effect: 'sends',
  input: z.strictObject({
    to: z
      .union([session, z.array(session).min(1).max(100)], 'must be a name, an id, or a list of them')
      .describe(
        'names or ids of sessions (list_sessions); also patterns such as worker-*, @GROUP, @parent, @children, and @me for the person',
      ),
    text,
    mode: mode.optional(),
    when: z
      .enum(['now', 'idle'], 'must be now or idle')
      .optional()
      .describe('idle: only once the agent is known to be idle'),
    timeout_seconds: seconds.optional().describe('it expires if it has not been delivered by then'),
    notify_on_delivery: z
      .boolean('must be true or false')
      .optional()
      .describe('be told when it is delivered'),
    notify_after_seconds: seconds.optional().describe('be told again so long after the delivery'),
    notify_on_stop: z
      .boolean('must be true or false')
      .optional()
      .describe('be told when the turn that took it has ended'),
    key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('sent twice with the same key it is one message: for a call that you repeat'),
  }),
  async run({ to, ...options }, { ask, from }) {
    const request = { ...options, to: typeof to === 'string' ? [to] : to, ...(from && { from }) };
    const sent = await ask((client) => client.send(request));
    return { ...shownSent(sent), ...(sent.repeated && { repeated: true }) };
  },
});
