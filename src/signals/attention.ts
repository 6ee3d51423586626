// Who asks for attention: by the last signal, as long as its agent does not work again.
import type { Config } from '../mail/index.js';
import { type Session, statusOf } from '../sessions/index.js';
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
    return attention && !worksSince(session, signal_at ?? 0) ? [{ session, urgency }] : [];
  });
  const rank = ({ urgency }: Asking): number => URGENCIES.indexOf(urgency);
  const at = ({ session }: Asking): number => session.row.signal_at ?? 0;
  return asking.sort((a, b) => rank(a) - rank(b) || at(a) - at(b));
}

// Somebody has given it work: what it asked for is answered. What a screen suggests does not count.
function worksSince(session: Session, at: number): boolean {
  const { state, since, source } = statusOf(session);
  return state === 'busy' && source !== 'screen' && since > at;
}
