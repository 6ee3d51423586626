// How fast keys that waited are let through: at the program's pace, but a paste, which tmux 3.3 cannot tell from keys, at once.

export interface HoldPace {
  // Between two keys that are let through.
  stepMs: number;
  // Before and after an Enter among them.
  enterMs: number;
  // The next key is let through once the cursor has moved by the one before, or after so long.
  echoMs?: number | undefined;
  // With `echoMs`: text behind text is let through after so long, and what edits it once it is all to be seen.
  textMs?: number | undefined;
}

// `e`: an Enter; `x`: an Escape; `o`: our own key, which reaches no program; `t`: a letter, where it matters; `k`: any other.
const KINDS = ['e', 'x', 'o', 't', 'k'] as const;
export type KeyKind = (typeof KINDS)[number];
export const kindOf = (letter: string | undefined): KeyKind => KINDS.find((kind) => kind === letter) ?? 'k';

// What was let through so far.
export interface Run {
  keys: number;
  enters: number;
  // Keys in a row that did not move the cursor, less one that may have done so late.
  silent: number;
  // How long they were waited for in all, less a few that stood alone; and how many those are.
  silentMs: number;
  lone: number;
  // How long the last key was, if it may stand alone.
  loneMs: number;
  // The cursor was seen to move behind the last key.
  moved: boolean;
  // Enters that did not move it: inside a paste none does.
  lostEnters: number;
  // Where the cursor was last seen, if it stood where it was before the key.
  at?: string | undefined;
  // The longest time that one took to move it.
  slowestMs: number;
  // How long they take of late: one that was slow is forgotten by and by.
  lagMs: number;
  // Letters in a row that nothing was waited for.
  letters: number;
}

export interface Step {
  // How long before anything else, for letters that may not be seen yet.
  calmMs: number;
  beforeMs: number;
  // How often that time is waited again while the cursor still moves.
  settles: number;
  // How long to wait for the cursor to move, if it is looked at: 0 is a look without waiting.
  echoMs: number | undefined;
  // In what looks like a paste, what moved the cursor between two keys counts too: the end of the paste is not missed.
  isGlimpse: boolean;
  // How long this release may still wait for keys that show nothing.
  leftMs: number;
  afterMs: number;
}

// How long a key took to move the cursor, or how long that was waited for in vain.
// `at`: where the cursor stood all the time.
export type Seen = { shownMs: number } | { silentMs: number; at?: string | undefined };

// More keys in a row than a person types during a hold. After so many Enters it is lines of a text that they end.
const RUN_KEYS = 64;
const RUN_ENTERS = 3;
// A program slower than a person is far behind after a hold; its cursor moves by each key of theirs, and not inside a paste.
const ECHO_RUN_KEYS = 512;
const SILENT_KEYS = 6;
const GLIMPSE_MS = 5;
// All waiting in one release for keys that show nothing, Enters apart, of which there are few; from then on the pace alone
// counts. A part is kept for keys behind one that moved the cursor: what a person types behind a paste is waited for again.
export const SILENT_MS = 3000;
const KEPT_MS = 1000;
// A person presses a key now and then that moves nothing, Right at the end of a text: those are not of a paste, and what comes
// behind one is waited for as ever.
export const LONE_KEYS = 8;
// A program may lag far more than its profile says: the first key finds out how much, and the others have some times that.
const FIRST_ECHO_MS = 1500;
const LAG_FACTOR = 3;
const MOST_ECHO_MS = 2500;
// An agent that lags takes an Enter for a part of what came before it, and throws away what comes before it has emptied its
// box. Seen on OpenCode and Copilot at a load of three times the cores: more than a second.
const ENTER_SETTLES = 8;
const ENTER_ECHO_MS = 2500;
const NEXT_ENTER_ECHO_MS = 300;
// So many letters in a row, then it is looked whether they show.
const LETTERS = 16;
// What keys took of late tells how late letters may show, with half of that more.
const LEAST_CALM_MS = 60;
const CALM_FACTOR = 1.5;
const FORGETS = 0.6;
// Agents take an Escape and a key within 50 ms of it for one key with Alt; whatever comes next, of theirs or ours, waits.
export const ESCAPE_MS = 60;

export const NO_RUN: Run = {
  keys: 0,
  enters: 0,
  silent: 0,
  silentMs: 0,
  lone: 0,
  loneMs: 0,
  moved: true,
  lostEnters: 0,
  slowestMs: 0,
  lagMs: 0,
  letters: 0,
};

export function stepOf(kind: KeyKind, run: Run, pace: HoldPace): Step {
  const { textMs } = pace;
  // How much it lags, the first key tells.
  const isText = kind === 't' && textMs !== undefined && run.keys > 0 && run.letters < LETTERS;
  if (isText) return { ...NO_WAIT, leftMs: left(run, SILENT_MS), afterMs: textMs };
  const isLong = run.keys >= (pace.echoMs === undefined ? RUN_KEYS : ECHO_RUN_KEYS);
  const isSilent = pace.echoMs !== undefined && run.silent >= SILENT_KEYS;
  const isPaste = isLong || isSilent;
  const isEnter = kind === 'e' && !(isPaste && run.enters >= RUN_ENTERS);
  const isWatched = pace.echoMs !== undefined && kind !== 'o' && !isLong;
  const echoMs = isWatched ? patience(run, pace.echoMs) : undefined;
  // A glimpse that is no longer waited for has its time all the same: what comes behind a paste comes in order.
  const stepMs = !isPaste ? pace.stepMs : echoMs === 0 ? GLIMPSE_MS : 0;
  return {
    calmMs: kind === 'o' ? 0 : calmOf(run),
    beforeMs: isEnter ? pace.enterMs : 0,
    settles: isEnter ? ENTER_SETTLES : 0,
    echoMs: isEnter ? enterEchoMs(run) : echoMs,
    isGlimpse: isSilent && !isEnter,
    leftMs: left(run, SILENT_MS),
    afterMs: isEnter ? pace.enterMs : kind === 'x' ? ESCAPE_MS : kind === 'o' ? 0 : stepMs,
  };
}

const NO_WAIT = { calmMs: 0, beforeMs: 0, settles: 0, echoMs: undefined, isGlimpse: false } as const;

// How long until letters that were let through without waiting are to be seen; 0 where there are none.
export function calmOf({ letters, lagMs }: Run): number {
  if (letters === 0) return 0;
  return Math.max(LEAST_CALM_MS, Math.min(MOST_ECHO_MS, lagMs * CALM_FACTOR));
}

const enterEchoMs = ({ lostEnters }: Run): number => (lostEnters > 0 ? NEXT_ENTER_ECHO_MS : ENTER_ECHO_MS);

const left = ({ silentMs }: Run, most: number): number => Math.max(0, most - silentMs);

function patience(run: Run, echoMs = 0): number {
  const lagMs = run.keys === 0 ? FIRST_ECHO_MS : Math.min(MOST_ECHO_MS, run.slowestMs * LAG_FACTOR);
  const wanted = run.silent >= SILENT_KEYS ? GLIMPSE_MS : Math.max(echoMs, lagMs);
  return Math.min(wanted, left(run, run.moved ? SILENT_MS : SILENT_MS - KEPT_MS));
}

// `seen`: undefined where nobody looked.
export function nextRun(kind: KeyKind, run: Run, seen: Seen | undefined): Run {
  if (kind === 'o') return run;
  const letters = kind === 't' && seen === undefined ? run.letters + 1 : 0;
  const enters = run.enters + (kind === 'e' ? 1 : 0);
  const next = { ...run, keys: run.keys + 1, enters, letters, at: undefined };
  if (seen === undefined) return next;
  if ('shownMs' in seen) {
    const slowestMs = Math.max(run.slowestMs, seen.shownMs);
    const lagMs = Math.max(seen.shownMs, run.lagMs * FORGETS);
    return { ...next, ...afterMove(run), loneMs: 0, slowestMs, lagMs };
  }
  return {
    ...next,
    ...afterSilence(run, seen.silentMs),
    silent: run.silent + 1,
    moved: false,
    at: seen.at,
    lostEnters: run.lostEnters + (kind === 'e' ? 1 : 0),
  };
}

// Two in a row are no two that stand alone.
function afterSilence({ silent, silentMs, lone, loneMs }: Run, ms: number): Partial<Run> {
  if (silent === 0 && lone < LONE_KEYS) return { lone: lone + 1, loneMs: ms };
  return { silentMs: silentMs + loneMs + ms, lone: lone - (loneMs > 0 ? 1 : 0), loneMs: 0 };
}

// Behind keys that showed nothing it may be one of theirs that shows late: a single movement takes back one of them, and lets
// the next key be waited for; only a second one in a row is the end of a paste.
const afterMove = ({ silent, moved }: Run): Pick<Run, 'silent' | 'moved'> => ({
  silent: moved || silent === 0 ? 0 : Math.min(silent, SILENT_KEYS) - 1,
  moved: true,
});
