import { z } from 'zod';
import { checkOne, notOne } from '../../api/waiting.js';
import { ToolFailure } from '../failures.js';
import { shownMessage } from '../shown.js';
import { defineTool } from '../tool.js';
import { mode, session, text, waitSeconds } from './fields.js';
import { waitForReceipt } from './wait.js';

export const ask = defineTool({
  name: 'ask',
  title: 'Ask',
  description:
    'Sends a message to one session, waits until the turn that takes it has ended, and returns what its agent answered. outcome timeout: it is stored and will be answered later; wait for the message (for: done) and call ask again with answer_of.',
  effect: 'sends',
  input: z.strictObject({
    to: session.describe('name or id of one session, or @parent').optional(),
    text: text.optional(),
    mode: mode.optional(),
    answer_of: z
      .string()
      .min(1)
      .optional()
      .describe('instead of to and text: id of a message that was sent before, whose answer is waited for'),
    timeout_seconds: waitSeconds,
  }),
  async run({ to, text: words, mode, answer_of, timeout_seconds }, desk) {
    const id = answer_of ?? (await sent());
    const message = await waitForReceipt(desk, id, 'done', timeout_seconds * 1000);
    const { answer } = await desk.ask((client) => client.message(message.id));
    return { outcome: message.outcome, answer, message: shownMessage(message) };

    async function sent(): Promise<string> {
      const missing = to === undefined ? 'to' : words === undefined ? 'text' : undefined;
      if (to === undefined || words === undefined)
        throw new ToolFailure({
          code: 'invalid_input',
          message: `${missing}: is needed, or answer_of instead of to and text`,
          field: missing,
          expected: 'to and text, or answer_of',
        });
      checkOne(to);
      const { ask, from } = desk;
      const request = {
        to: [to],
        text: words,
        wait_for: 'done' as const,
        ...(mode && { mode }),
        ...(from && { from }),
      };
      const { messages } = await ask((client) => client.send(request));
      const [first] = messages;
      if (!first) throw notOne(to);
      return first.id;
    }
  },
});
