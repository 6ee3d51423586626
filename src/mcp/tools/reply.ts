import { z } from 'zod';
import { shownSent } from '../shown.js';
import { defineTool } from '../tool.js';
import { mode, text } from './fields.js';

export const reply = defineTool({
  name: 'reply',
  title: 'Reply',
  description:
    'Answers the message that you are handling, or the one whose id you give. You need not know who sent it.',
  effect: 'sends',
  input: z.strictObject({
    text,
    to: z
      .string()
      .min(1)
      .optional()
      .describe('id of the message, or the name of who sent it; otherwise the one that you are handling'),
    mode: mode.optional(),
  }),
  async run(input, { ask, from }) {
    const sent = await ask((client) => client.reply({ ...input, ...(from && { from }) }));
    return { answers: sent.answers, ...shownSent(sent) };
  },
});
