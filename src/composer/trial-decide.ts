// What editing keys mean, decided from what a trial saw. Pure.
import type { LineKeys } from './box-profile.js';

export type Reach = 'row' | 'line';

// What a trial saw of one set of keys; null where it was not tried.
export interface TrialSeen {
  start: string;
  end: string;
  kill: string;
  backspace: string;
  // A typed text showed, and backspace took it away.
  types: boolean;
  erases: boolean;
  // On one short line: the caret went to its start, to its end; the kill emptied it; arrows moved by one character.
  toStart: boolean;
  toEnd: boolean;
  kills: boolean;
  arrows: boolean;
  // Several characters typed at once in the middle of a line stay in their order.
  keepsOrder: boolean;
  // On a line that wraps: how far the keys went. null: such a line does not wrap there.
  wrapped: { start: Reach; end: Reach; kill: Reach } | null;
  // On two lines, where the program takes a pasted newline: Left goes on to the line before, Right to the next one; the
  // kill at an end takes the newline, backspace at a start does.
  lines: { crosses: boolean; killJoins: boolean; backspaceJoins: boolean } | null;
  // The longest time from a key to its echo.
  slowestMs: number;
}

export type TrialReason =
  | 'no_echo'
  | 'no_backspace'
  | 'no_line_start'
  | 'no_line_end'
  | 'no_kill'
  | 'no_arrows'
  | 'scrambles'
  | 'lines_not_crossed'
  | 'lines_not_joined';

export type TrialVerdict =
  | { kind: 'keys'; lineKeys: LineKeys }
  | { kind: 'unsupported'; reason: TrialReason };

// A screen may lag more under load than it did in the trial.
const LAG_FACTOR = 3;
const LEAST_LAG_MS = 20;

export function decideKeys(seen: TrialSeen): TrialVerdict {
  const reason = reasonAgainst(seen);
  if (reason) return { kind: 'unsupported', reason };
  const { wrapped, lines } = seen;
  return {
    kind: 'keys',
    lineKeys: {
      start: { key: seen.start, moves: wrapped?.start ?? 'line' },
      end: { key: seen.end, moves: wrapped?.end ?? 'line' },
      killToEnd: { key: seen.kill, kills: wrapped?.kill ?? 'line', joins: lines?.killJoins ?? false },
      backspace: seen.backspace,
      echoMs: Math.max(LEAST_LAG_MS, Math.ceil(seen.slowestMs * LAG_FACTOR)),
    },
  };
}

function reasonAgainst(seen: TrialSeen): TrialReason | undefined {
  if (!seen.types) return 'no_echo';
  if (!seen.erases) return 'no_backspace';
  if (!seen.arrows) return 'no_arrows';
  if (!seen.keepsOrder) return 'scrambles';
  if (!seen.toStart) return 'no_line_start';
  if (!seen.toEnd) return 'no_line_end';
  if (!seen.kills) return 'no_kill';
  if (seen.lines && !seen.lines.crosses) return 'lines_not_crossed';
  if (seen.lines && !seen.lines.killJoins && !seen.lines.backspaceJoins) return 'lines_not_joined';
  return undefined;
}
