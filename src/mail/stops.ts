// Whose end of a turn is whose, for agents that do not tell which message a turn took: a pure machine of two phases.
import type { StopWatch } from '../store/index.js';

// What its agent is known to do.
export type Work = 'working' | 'idle' | 'unknown';

export type Watch = Pick<StopWatch, 'message_id' | 'phase'>;

export type StopEvent =
  // A message whose sender wants to hear of the end was submitted; what the agent did before it was typed.
  | { kind: 'submitted'; message: string; agent: Work }
  // The agent worked, and rests now.
  | { kind: 'stopped' }
  // Its process is no more.
  | { kind: 'ended' };

export interface Stops {
  watches: readonly Watch[];
  // The messages whose senders are told now.
  told: readonly string[];
}

// Pure. What was typed into a running turn is taken only after it: that turn's end arms it, and the next end is its own.
export function next(watches: readonly Watch[], event: StopEvent): Stops {
  switch (event.kind) {
    case 'submitted': {
      const phase = event.agent === 'working' ? 'buffered' : 'armed';
      const others = watches.filter(({ message_id }) => message_id !== event.message);
      return { watches: [...others, { message_id: event.message, phase }], told: [] };
    }
    case 'stopped': {
      const armed = watches.filter(({ phase }) => phase === 'armed');
      const buffered = watches.filter(({ phase }) => phase === 'buffered');
      return {
        watches: buffered.map(({ message_id }) => ({ message_id, phase: 'armed' })),
        told: armed.map(({ message_id }) => message_id),
      };
    }
    case 'ended':
      return { watches: [], told: watches.map(({ message_id }) => message_id) };
  }
}
