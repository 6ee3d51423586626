// How fast keys that waited are let through: at the program's pace, but a paste, which tmux 3.3 cannot tell from keys, at once.

export interface HoldPace {
  // Between two keys that are let through.
  stepMs: number;
  // Before and after an Enter among them.
  enterMs: number;
  // The next key is let through once the cursor has moved by the one before, or after so long.
  echoMs?: number | undefined;
}

// `e`: an Enter; `x`: an Escape; `o`: our own key, which reaches no program; `k`: any other.
const KINDS = ['e', 'x', 'o', 'k'] as const;
export type KeyKind = (typeof KINDS)[number];
export const kindOf = (letter: string | undefined): KeyKind => KINDS.find((kind) => kind === letter) ?? 'k';

// What was let through so far.
export interface Run {
  keys: number;
  enters: number;
  // Keys in a row that did not move the cursor.
  silent: number;
  // Enters that did not move it: inside a paste none does.
  lostEnters: number;
  // The longest time that one took to move it.
  slowestMs: number;
}

export interface Step {
  beforeMs: number;
  // How often that time is waited again while the cursor still moves.
  settles: number;
  // How long to wait for the cursor to move, if it is waited for.
  echoMs: number | undefined;
  afterMs: number;
}

// More keys in a row than a person types during a hold. After so many Enters it is lines of a text that they end.
const RUN_KEYS = 64;
const RUN_ENTERS = 3;
// A program slower than a person is far behind after a hold; its cursor moves by each key of theirs, and not inside a paste.
const ECHO_RUN_KEYS = 512;
const SILENT_KEYS = 6;
const SILENT_ECHO_MS = 5;
// A program may lag far more than its profile says: the first key finds out how much, and the others have some times that.
const FIRST_ECHO_MS = 1500;
const LAG_FACTOR = 3;
const MOST_ECHO_MS = 2500;
// An agent that lags takes an Enter for a part of what came before it, and throws away what comes before it has emptied its
// box. Seen on OpenCode and Copilot at a load of three times the cores: more than a second.
const ENTER_SETTLES = 8;
const ENTER_ECHO_MS = 2500;
const NEXT_ENTER_ECHO_MS = 300;
// Agents take an Escape and a key within 50 ms of it for one key with Alt; whatever comes next, of theirs or ours, waits.
export const ESCAPE_MS = 60;

export const NO_RUN: Run = { keys: 0, enters: 0, silent: 0, lostEnters: 0, slowestMs: 0 };

export function stepOf(kind: KeyKind, run: Run, pace: HoldPace): Step {
  const isLong = run.keys >= (pace.echoMs === undefined ? RUN_KEYS : ECHO_RUN_KEYS);
  const isSilent = pace.echoMs !== undefined && run.silent >= SILENT_KEYS;
  const isPaste = isLong || isSilent;
  const isEnter = kind === 'e' && !(isPaste && run.enters >= RUN_ENTERS);
  const echoMs = isSilent ? SILENT_ECHO_MS : patience(run, pace);
  return {
    beforeMs: isEnter ? pace.enterMs : 0,
    settles: isEnter ? ENTER_SETTLES : 0,
    echoMs: isEnter ? enterEchoMs(run) : kind === 'o' || isLong ? undefined : echoMs,
    afterMs: isEnter ? pace.enterMs : afterMs(kind, isPaste, pace),
  };
}

const enterEchoMs = ({ lostEnters }: Run): number => (lostEnters > 0 ? NEXT_ENTER_ECHO_MS : ENTER_ECHO_MS);

function patience({ keys, slowestMs }: Run, { echoMs }: HoldPace): number | undefined {
  if (echoMs === undefined) return undefined;
  if (keys === 0) return Math.max(echoMs, FIRST_ECHO_MS);
  return Math.max(echoMs, Math.min(MOST_ECHO_MS, slowestMs * LAG_FACTOR));
}

function afterMs(kind: KeyKind, isPaste: boolean, pace: HoldPace): number {
  if (kind === 'x') return ESCAPE_MS;
  return kind === 'o' || isPaste ? 0 : pace.stepMs;
}

// `shownMs`: how long it took to move the cursor, if it did.
export function nextRun(kind: KeyKind, run: Run, shownMs: number | undefined): Run {
  if (kind === 'o') return run;
  return {
    keys: run.keys + 1,
    enters: run.enters + (kind === 'e' ? 1 : 0),
    lostEnters: run.lostEnters + (kind === 'e' && shownMs === undefined ? 1 : 0),
    silent: shownMs === undefined ? run.silent + 1 : 0,
    slowestMs: Math.max(run.slowestMs, shownMs ?? 0),
  };
}
