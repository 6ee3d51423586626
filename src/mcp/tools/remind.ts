import { z } from 'zod';
import { invalid } from '../failures.js';
import { defineTool } from '../tool.js';
import { text } from './fields.js';

const MAX_SECONDS = 366 * 24 * 3600;
const SECONDS = 'must be seconds, more than 0 and at most 366 days';
const EVERY = 'must be seconds, at least 1 and at most 366 days';

export const remind = defineTool({
  name: 'remind',
  title: 'Set a reminder',
  description:
    'Has something said later, to you or to another: in so many seconds, at a time, or again and again. You need not wait or sleep: end your turn, and the reminder comes as a message.',
  effect: 'sends',
  input: z.strictObject({
    text: text.describe('what is said then'),
    in_seconds: z
      .number(SECONDS)
      .positive(SECONDS)
      .max(MAX_SECONDS, SECONDS)
      .optional()
      .describe('so long from now'),
    at: z.iso
      .datetime({ offset: true, error: 'must be a date and time with a zone, such as 2026-07-25T17:30:00Z' })
      .optional(),
    every_seconds: z
      .number(EVERY)
      .min(1, EVERY)
      .max(MAX_SECONDS, EVERY)
      .optional()
      .describe('again and again, so far apart'),
    to: z
      .string()
      .min(1)
      .optional()
      .describe('name or id of a session, or @me for the person; otherwise you'),
  }),
  async run(input, { ask, from }) {
    const { in_seconds, at, every_seconds } = input;
    if (in_seconds !== undefined && at !== undefined)
      throw invalid('at', at, 'either in_seconds or at, not both');
    if (in_seconds === undefined && at === undefined && every_seconds === undefined)
      throw invalid('in_seconds', null, 'in_seconds, at, or every_seconds');
    const reminder = await ask((client) => client.remind({ ...input, ...(from && { from }) }));
    return {
      id: reminder.id,
      to: reminder.to?.name ?? 'the person',
      due_at: reminder.due_at,
      ...(reminder.every_seconds && { every_seconds: reminder.every_seconds }),
    };
  },
});
