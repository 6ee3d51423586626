// What a tool works with for one call: the daemon, who calls, and word to a client that waits.
import { ApiFailure, type Client } from '../api/client.js';
import type { From } from '../api/sender.js';
import type { Session } from '../api/types.js';

export interface Desk {
  // Starts the daemon where none runs. One request a call: it may be made twice.
  ask<T>(request: (client: Client) => Promise<T>): Promise<T>;
  readonly from: From | undefined;
  // The session that calls; null for a program outside of all sessions, which speaks for a person.
  me(): Promise<Session | null>;
  // The client has taken its call back.
  readonly signal: AbortSignal;
  // Says that the call is still under way, to a client that wants to hear it.
  beat(): Promise<void>;
}

// The longest that one request waits, so that a client hears from us while a call takes its time.
const SLICE_MS = 10_000;
// As many as the contract takes.
const MOST_THREADS = 4;

// Codex runs one server for all its conversations, and says with each call which one makes it.
export function callerOf(
  from: From | undefined,
  { threadId }: Readonly<Record<string, unknown>>,
): From | undefined {
  if (typeof threadId !== 'string' || threadId === '') return from;
  return { ...from, threads: [...new Set([threadId, ...(from?.threads ?? [])])].slice(0, MOST_THREADS) };
}

export async function whoCalls({ ask, from }: Pick<Desk, 'ask' | 'from'>): Promise<Session | null> {
  if (!from) return null;
  try {
    return await ask((client) => client.whoAmI(from));
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

// Looks again and again, each look waiting for a while in the daemon, until it is over or the time is.
export async function waitInSlices<T>(
  { signal, beat }: Pick<Desk, 'signal' | 'beat'>,
  timeoutMs: number,
  look: (seconds: number) => Promise<T>,
  isOver: (value: T) => boolean,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const left = end - Date.now();
    const value = await look(Math.max(1, Math.min(left, SLICE_MS)) / 1000);
    if (isOver(value) || end - Date.now() <= 0 || signal.aborted) return value;
    await beat();
  }
}
