// Which signals call for the person, each once: by the number of the signal and what was acknowledged before. Pure.
import type { Session } from '../../../src/api/types.js';
import { isOutdated, type SignalRules } from '../sessions/need.js';

export interface Call {
  session: string;
  name: string;
  seq: number;
  state: string;
  message: string;
}

export interface Heard {
  // The highest number that was acknowledged; 0 if none was.
  acknowledged: (session: string) => number;
  isMuted: (session: string) => boolean;
}

export interface Calls {
  // Those to be heard and shown.
  loud: Call[];
  // All that count as acknowledged from now on: a muted one is not heard later either, nor one whose agent has gone on.
  acknowledged: Call[];
}

export function callsOf(
  sessions: readonly Session[],
  rules: Readonly<Record<string, SignalRules>>,
  heard: Heard,
): Calls {
  const calls = sessions.flatMap((session): Call[] => {
    const { id, name, signal_seq: seq, signal_state: state } = session;
    if (state === null || !rules[state]?.attention || seq <= heard.acknowledged(id)) return [];
    return [{ session: id, name, seq, state, message: session.signal_message ?? '' }];
  });
  const over = new Set(sessions.filter(isOutdated).map(({ id }) => id));
  return {
    loud: calls.filter(({ session }) => !heard.isMuted(session) && !over.has(session)),
    acknowledged: calls,
  };
}
