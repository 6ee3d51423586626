// The session that a command is about: the one that is named, or the one in which it runs.
import type { Session } from '../api/types.js';
import { ApiFailure, ask } from './connect.js';
import { UsageError } from './errors.js';
import { senderFrom } from './sender.js';

export async function namedOrOwn(name: string | undefined, how: string): Promise<Session> {
  if (name !== undefined) return ask((client) => client.session(name));
  const from = senderFrom(process.env);
  const own = from && (await orMissing(ask((client) => client.whoAmI(from))));
  if (own) return own;
  throw new UsageError('this is no session: name one', how);
}

export const orMissing = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  });
