// Who asks for attention: by the last signal, until its agent has gone on.
import type { Config } from '../mail/index.js';
import type { Session } from '../sessions/index.js';
import { rulesOf } from './states.js';

export interface Asking {
  session: Session;
  urgency: 'low' | 'normal' | 'high';
}

const URGENCIES = ['high', 'normal', 'low'] as const;

// The most urgent first, then whoever has waited longest.
export function askingFor(
  sessions: readonly Session[],
  config: Pick<Config, 'signalStates'>,
): readonly Asking[] {
  const asking = sessions.flatMap((session): Asking[] => {
    const { signal_state, signal_at } = session.row;
    if (signal_state === null) return [];
    const { urgency, attention } = rulesOf(signal_state, config);
    // Somebody has answered it, or given it other work.
    return attention && session.wentOnAt <= (signal_at ?? 0) ? [{ session, urgency }] : [];
  });
  const rank = ({ urgency }: Asking): number => URGENCIES.indexOf(urgency);
  const at = ({ session }: Asking): number => session.row.signal_at ?? 0;
  return asking.sort((a, b) => rank(a) - rank(b) || at(a) - at(b));
}
