// May mail go past what is in the box? A table of the judged box and the policy; pure.
import type { Decision } from '../composer/index.js';
import type { PastDraft } from '../store/index.js';
import type { Config } from './config.js';

export interface Occasion {
  decision: Decision;
  policy: PastDraft;
  // Some protocol of the agent reads and restores a draft exactly.
  exact: boolean;
  // Some protocol can take a draft out of the box at all.
  possible: boolean;
  // Its agent takes keys that waited in their order.
  keepsKeys: boolean;
  // How long the keys of a person waited at the last delivery there, and when they were let go.
  heldMs: number;
  heldAt: number;
  // When a person last pressed a key there, and since when the box has looked the same.
  lastKeyAt: number;
  unchangedSince: number;
  now: number;
}

export type Passage =
  // Into an empty box.
  | { kind: 'direct' }
  // Past whatever is there, once the persons' keys are held.
  | { kind: 'past' }
  // `detail`: why, where what was judged does not say it.
  | { kind: 'wait'; retryAt?: number | undefined; detail?: string };

// An agent that kept keys waiting for longer leaves a person before a dead keyboard, and may take many keys at once for
// something else: Gemini at its 300th turn, 10 to 30 s.
const LONGEST_HELD_MS = 3000;
// A person who never pauses has so many times as long of a live keyboard behind it.
const RESTS = 3;
// One that kept them for longer still may not take a draft back before the person types on after a pause: Gemini behind its
// 250th turn on a busy machine, 40 s at the median, harmed one draft in two.
const LONGEST_PAUSE_MS = 20_000;

export function passage(occasion: Occasion, { inputStaleMs }: Pick<Config, 'inputStaleMs'>): Passage {
  const { decision, policy, exact, possible, keepsKeys, heldMs, now } = occasion;
  const staleAt = Math.max(occasion.lastKeyAt, occasion.unchangedSince) + inputStaleMs;
  const past: Passage = { kind: 'past' };
  if (decision.kind === 'empty') return { kind: 'direct' };
  switch (decision.reason) {
    case 'user_typing': {
      const wait: Passage = { kind: 'wait', retryAt: decision.retryAt };
      if (policy !== 'now' || !possible || !keepsKeys) return wait;
      const restsUntil = restOf(occasion);
      if (now >= restsUntil) return past;
      return {
        kind: 'wait',
        retryAt: Math.min(decision.retryAt ?? restsUntil, restsUntil),
        detail: slow(heldMs),
      };
    }
    case 'draft':
    case 'composer_unknown': {
      if (policy === 'never' || !possible) return { kind: 'wait' };
      if (now >= staleAt) return past;
      const wait: Passage = { kind: 'wait', retryAt: staleAt };
      if (policy !== 'now' && !(policy === 'auto' && exact)) return wait;
      return heldMs > LONGEST_PAUSE_MS ? { ...wait, detail: verySlow(heldMs) } : past;
    }
    default:
      return { kind: 'wait', retryAt: decision.retryAt };
  }
}

function restOf({ heldMs, heldAt }: Occasion): number {
  if (heldMs <= LONGEST_HELD_MS) return 0;
  return heldMs > LONGEST_PAUSE_MS ? Number.POSITIVE_INFINITY : heldAt + heldMs * RESTS;
}

const waited = (heldMs: number): string =>
  `at the last delivery a person's keys waited ${(heldMs / 1000).toFixed(1)} s`;
const slow = (heldMs: number): string =>
  `a person is typing, and ${waited(heldMs)}: it waits for a pause, or for them to have typed on for a while`;
const verySlow = (heldMs: number): string =>
  `${waited(heldMs)}: it waits until the draft is gone or nobody has touched it for a while`;
