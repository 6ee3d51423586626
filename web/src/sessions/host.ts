// The machine that a session runs on; null: the daemon's own.
import type { Session } from '../../../src/api/types.js';

export const hostOf = (session: Session): string | null => {
  const { host } = session as Session & { host?: string | null };
  return host ?? null;
};
