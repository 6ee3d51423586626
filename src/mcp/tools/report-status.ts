import { z } from 'zod';
import { ToolFailure } from '../failures.js';
import { defineTool } from '../tool.js';

export const reportStatus = defineTool({
  name: 'report_status',
  title: 'Hold mail, or take it again',
  description:
    'busy: you are in a piece of work that sequential mail shall not break into; it waits, also between your turns, until you report ready. Important and urgent mail still comes.',
  effect: 'sends',
  input: z.strictObject({
    status: z.enum(['busy', 'ready'], 'must be busy or ready'),
    with: z
      .string('must be text')
      .regex(/^[^\p{Cc}]{1,200}$/u, 'must be up to 200 characters in one line')
      .optional()
      .describe('with what you are busy, in a few words'),
  }),
  async run({ status, with: work }, { ask, me }) {
    const session = await me();
    if (!session)
      throw new ToolFailure({
        code: 'no_session',
        message: 'only the agent of a session has a status, and this is no session',
        field: 'status',
        value: status,
        expected: 'a call from inside a session; "sm new" starts one, "sm adopt" takes a pane over',
      });
    const busy = status === 'busy' ? (work ?? true) : false;
    await ask((client) => client.update(session.id, { busy }));
    return { session: session.name, status };
  },
});
