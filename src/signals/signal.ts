// A signal: a status that an agent reports, numbered in its session; and the report of one, through whichever door.

// `inferred` is no report of the agent: somebody looked at its screen.
export const SIGNAL_DOORS = [
  'marker',
  'transcript',
  'command',
  'hook',
  'file',
  'mcp',
  'http',
  'inferred',
] as const;
export type SignalDoor = (typeof SIGNAL_DOORS)[number];

// What somebody says an agent reported.
export interface Report {
  // The id of a session.
  session: string;
  state: string;
  message: string;
  // Given by the agent: the same id of the same session is the same signal, through any door.
  id?: string | undefined;
  door: SignalDoor;
  // Its identity inside its door (an entry of the spool, a place in a file, an occurrence on the screen): the same key again is
  // the same signal.
  key?: string | undefined;
  // When the agent said it, as far as that is known.
  at: number;
  // Where only its presence was found, later: it may have been said at any time from then on.
  since?: number | undefined;
  // Of an inferred one, from 0 to 1.
  confidence?: number | undefined;
}

export interface Signal {
  // Among those of all sessions; grows.
  ordinal: number;
  session: string;
  seq: number;
  state: string;
  message: string;
  id: string | null;
  door: SignalDoor;
  at: number;
  confidence: number | null;
}

export interface Refusal {
  reason: string;
  field: 'session' | 'state' | 'id' | 'confidence';
  value: unknown;
  expected: string;
}

export type Reported =
  | { outcome: 'new'; signal: Signal }
  | { outcome: 'known'; signal: Signal }
  | ({ outcome: 'refused' } & Refusal);

export const STATE_WORD = /^[a-z][a-z0-9_-]{0,31}$/;
export const SIGNAL_ID = /^[A-Za-z0-9_.-]{1,64}$/;
export const MESSAGE_CHARACTERS = 2000;
