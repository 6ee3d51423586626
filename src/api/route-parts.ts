// What the descriptions of endpoints are made of.
import { z } from '@hono/zod-openapi';
import * as s from './schemas.js';

export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
export const body = <T extends z.ZodType>(schema: T) => ({
  body: { required: true, content: { 'application/json': { schema } } },
});
export const failures = {
  400: json(s.ApiError, 'the input is wrong: `field` and `expected` say how'),
  404: json(s.ApiError, 'no such session, message or draft'),
  409: json(s.ApiError, 'not possible in the present state'),
};
// Of what stores messages.
export const queueFull = { 429: json(s.ApiError, 'too many messages wait for that session') };

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
export const count = (most: number, initial: number) =>
  z.coerce.number().int().min(1).max(most).default(initial);

export const sessionRef = z.object({
  session: z.string().openapi({
    param: { name: 'session', in: 'path' },
    description: 'id, name, or an unambiguous beginning of an id',
  }),
});

const MAX_WAIT_SECONDS = 3600;
export const waitSeconds = z.coerce
  .number()
  .positive()
  .max(MAX_WAIT_SECONDS)
  .default(30)
  .openapi({ description: 'seconds' });
