// Fields that several tools take.
import { z } from 'zod';

export const text = z
  .string('must be text')
  .regex(/\S/, 'must hold more than blanks')
  .describe('the message, as the other is to read it');

export const session = z.string('must be a name or an id').min(1, 'must be a name or an id');

export const mode = z
  .enum(['sequential', 'important', 'urgent'], 'must be sequential, important or urgent')
  .describe(
    'sequential (default): after the running turn; important: at the next safe point inside it; urgent: interrupts the turn, for emergencies',
  );

// Many clients give a call up after a minute.
export const WAIT_SECONDS = 50;
const MOST_SECONDS = 3600;
const SECONDS = `must be seconds, more than 0 and at most ${MOST_SECONDS}`;

export const waitSeconds = z
  .number(SECONDS)
  .positive(SECONDS)
  .max(MOST_SECONDS, SECONDS)
  .default(WAIT_SECONDS)
  .describe(
    `how long to wait; at most ${MOST_SECONDS}. Your client may give a call up after a minute: call again instead`,
  );
