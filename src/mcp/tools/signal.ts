import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ToolFailure } from '../failures.js';
import { defineTool } from '../tool.js';

export const signal = defineTool({
  name: 'signal',
  title: 'Signal what you do',
  description:
    'Tells the user, who follows several agents at once, that something has become true: needs_input (you need an answer or a decision), needs_testing (something is ready to be tried), completed (the task is done), error (you cannot go on), working (you begin), idle, or a state that the user has added. Once for each time, not for every step.',
  effect: 'sends',
  input: z.strictObject({
    state: z
      .string('must be a state such as needs_input')
      .describe('needs_input, needs_testing, completed, error, working, idle, or one of the user'),
    message: z.string('must be text').optional().describe('one line about it'),
    id: z
      .string('must be text')
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be 1 to 64 letters, digits, "_", "." or "-"')
      .optional()
      .describe('the same id again is the same signal'),
  }),
  async run({ state, message = '', id }, { ask, me }) {
    const session = await me();
    if (!session)
      throw new ToolFailure({
        code: 'no_session',
        message: 'only the agent of a session signals, and this is no session',
        field: 'state',
        value: state,
        expected: 'a call from inside a session; "sm new" starts one, "sm adopt" takes a pane over',
      });
    // The request may be made twice.
    const key = randomUUID();
    const { outcome, signal } = await ask((client) =>
      client.signal(session.id, { state, message, ...(id !== undefined && { id }), key, door: 'mcp' }),
    );
    return { outcome, session: session.name, seq: signal.seq, state: signal.state };
  },
});
