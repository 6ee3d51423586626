// How it stands with another machine, and what follows from what happens: pure.
import { needsPerson, type SshProblem } from './ssh-failure.js';

export type HostState =
  // Nobody needs it. `reason`: why it was not reached when it was last tried.
  | { kind: 'idle'; reason?: string }
  // `tries`: how often it failed since it last was up for long.
  | { kind: 'connecting'; tries: number }
  | { kind: 'up'; tries: number; since: number }
  | { kind: 'down'; problem: SshProblem; reason: string; tries: number; retryAt: number };

export type HostEvent =
  | { type: 'wanted' }
  | { type: 'unwanted' }
  | { type: 'connected' }
  | { type: 'failed'; problem: SshProblem; reason: string }
  // It is time to try again, or a person wants it at once.
  | { type: 'due' };

const FIRST_MS = 1000;
const LAST_MS = 60_000;
// One that held this long was good: the next wait is short again.
const STEADY_MS = 10_000;

// `chance` in [0, 1): many that lost the same machine do not come back in the same moment.
export function nextHost(state: HostState, event: HostEvent, now: number, chance: number): HostState {
  switch (event.type) {
    case 'wanted':
      return state.kind === 'idle' ? { kind: 'connecting', tries: 0 } : state;
    case 'unwanted':
      if (state.kind === 'idle') return state;
      return state.kind === 'down' ? { kind: 'idle', reason: state.reason } : { kind: 'idle' };
    case 'connected':
      return state.kind === 'connecting' ? { kind: 'up', tries: state.tries, since: now } : state;
    case 'due':
      return state.kind === 'down' ? { kind: 'connecting', tries: state.tries } : state;
    case 'failed': {
      if (state.kind === 'idle' || state.kind === 'down') return state;
      const wasGood = state.kind === 'up' && now - state.since >= STEADY_MS;
      const tries = wasGood ? 1 : state.tries + 1;
      const { problem, reason } = event;
      return { kind: 'down', problem, reason, tries, retryAt: now + waitMs(problem, tries, chance) };
    }
  }
}

function waitMs(problem: SshProblem, tries: number, chance: number): number {
  const ms = needsPerson(problem) ? LAST_MS : Math.min(LAST_MS, FIRST_MS * 2 ** (tries - 1));
  return Math.round(ms * (0.75 + chance / 4));
}
