// What sessions and groups may be called.
import { z } from '@hono/zod-openapi';

const NAME_RULE =
  'letters, digits, ".", "_" or "-", starting with a letter or digit, at most 64, and not 8 hex digits';

// A name that looks like an id could mean two sessions.
export const SessionName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: `must be ${NAME_RULE}` })
  .refine((name) => !/^[0-9a-f]{8}$/.test(name), { error: `must be ${NAME_RULE}` })
  .refine((name) => name.toLowerCase() !== 'sm', {
    error: 'must be another name: "sm" is what Suremail itself sends under',
  })
  .refine((name) => name.toLowerCase() !== 'user', {
    error: 'must be another name: "user" is what a person sends under, and mail to it is theirs',
  });

// Not those that have a meaning of their own.
export const GroupName = z
  .string()
  .regex(/^(?!(?:me|all|parent|children)$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    error:
      'must be letters, digits, ".", "_" or "-", starting with a letter or digit, at most 64, and not me, all, parent or children',
  });

export const Groups = z.array(GroupName).max(50).openapi({ description: 'the groups that it is in' });
