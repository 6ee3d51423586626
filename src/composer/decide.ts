// May we type now? Decided from one view of the pane, what is remembered of its input box, and who is at the keys.
import type { PaneView } from '../tmux/index.js';
import { type Look, looksEmpty } from './look.js';

// What is remembered of a session's input box; kept on disk, so that a restart does not forget it.
export interface ComposerMemory {
  // When the program was started, while it may still be starting; null once that does not matter.
  startedAt: number | null;
  // The persons' activity (see `activityOf`) when the box was known to be empty; null if it never was.
  activityAt: number | null;
  look: Look | null;
  // An attempt has begun: from then on what is in the box may be ours, and no look of it is learned by the way.
  tried: boolean;
  // A delivery has shown that the box comes back to this look.
  proven: boolean;
  // How long this program was seen to swallow an Enter after a paste.
  enterGapMs: number;
  // The program asked for bracketed paste.
  bracketed: boolean;
  // The cursor stands at the caret, so that typing shows in the look; false: it was seen to stand elsewhere.
  cursorTells?: boolean | undefined;
  // When we last pressed Ctrl-C there, on disk before it was pressed.
  interruptedAt?: number | undefined;
  // How long the keys of a person waited at the last delivery.
  heldMs?: number | undefined;
  // A trial of its keys is under way: what is in the box is the trial's, until it has been seen empty again.
  trying?: true | undefined;
}

export const NEW_COMPOSER: ComposerMemory = {
  startedAt: null,
  activityAt: null,
  look: null,
  tried: false,
  proven: false,
  enterGapMs: 0,
  bracketed: false,
};

export type HoldReason =
  | 'user_typing'
  | 'draft'
  | 'composer_unknown'
  | 'not_at_prompt'
  | 'in_mode'
  | 'synchronized'
  | 'dead';

export type Decision =
  | { kind: 'empty' }
  | { kind: 'hold'; reason: HoldReason; detail: string; retryAt?: number };

// A person who pressed a key so recently is still typing.
export const TYPING_PAUSE_MS = 2000;

export interface Circumstances {
  view: PaneView;
  memory: ComposerMemory;
  now: number;
  ownClients: ReadonlySet<number>;
  typingPauseMs?: number;
}

export function decide({
  view,
  memory,
  now,
  ownClients,
  typingPauseMs = TYPING_PAUSE_MS,
}: Circumstances): Decision {
  if (view.dead) return hold('dead', 'the program in the pane has ended');
  if (view.inMode) return hold('in_mode', 'a person is in copy mode or a menu of tmux there');
  if (view.synchronized)
    return hold('synchronized', 'the pane is synchronized: keys would go to other panes too');
  const retryAt = quietAt(view, ownClients, typingPauseMs);
  if (now < retryAt) return { ...hold('user_typing', 'a person pressed a key there a moment ago'), retryAt };
  const touched = isTouched(view, memory, ownClients);
  if (memory.look === null) {
    if (!touched) return { kind: 'empty' };
    return hold(
      'composer_unknown',
      'a person has typed there, and the empty input box was never seen; clear it and run: sm adopt --empty',
    );
  }
  if (looksEmpty(view, memory.look)) {
    // A program that draws a caret of its own looks the same whatever is typed into it.
    if (!touched || memory.cursorTells || isOnlyAttached(view, ownClients)) return { kind: 'empty' };
    return hold(
      'composer_unknown',
      'a person has typed there, and its cursor does not show whether the box is empty; clear it and run: sm adopt --empty',
    );
  }
  if (touched) return hold('draft', "a person's text is in the input box, or something else has its place");
  // What nobody typed is no draft; but a box that has come back before will come back again, and a dialog is no box.
  if (!memory.proven) return { kind: 'empty' };
  return hold(
    'not_at_prompt',
    'the program does not show its empty input box at the cursor: a dialog, a menu, or work that hides it',
  );
}

// Clients that may be a person's: a terminal that can type, or a foreign control client (its keys cannot be seen).
export const persons = (view: PaneView, own: ReadonlySet<number>) =>
  view.clients.filter((client) => !own.has(client.pid) && !client.readOnly);

// From when on the person at the keys counts as pausing. tmux tells whole seconds: the key may have come up to one later.
export function quietAt(view: PaneView, own: ReadonlySet<number>, pauseMs = TYPING_PAUSE_MS): number {
  const seconds = persons(view, own).flatMap(({ kind, activity }) => (kind === 'terminal' ? [activity] : []));
  return seconds.length ? (Math.max(...seconds) + 1) * 1000 + pauseMs : 0;
}

// The last second in which a person may have pressed a key there, also one who has left since. Attaching counts, ours too.
export function activityOf(view: PaneView, own: ReadonlySet<number>): number {
  return Math.max(view.sessionActivity, ...persons(view, own).map(({ activity }) => activity));
}

// From where on keys count when the box is known to be empty now. In a second in which a person was active more of their
// keys may follow unseen, so all of it counts.
export function baseline(view: PaneView, own: ReadonlySet<number>, now: number): number {
  const activity = activityOf(view, own);
  const stillRuns = persons(view, own).length > 0 && activity >= Math.floor(now / 1000);
  return stillRuns ? activity - 1 : activity;
}

// A person may have pressed a key since the box was known to be empty.
export function isTouched(view: PaneView, memory: ComposerMemory, own: ReadonlySet<number>): boolean {
  const since = memory.activityAt;
  if (since === null || view.sessionActivity > since) return true;
  return persons(view, own).some(
    ({ kind, activity, attached }) =>
      // One who attached in that very second may have typed in it as well.
      kind === 'control' || activity > since || (activity === since && attached >= since),
  );
}

// All that is known since is that somebody attached; a key in the very second of it would not show.
export function isOnlyAttached(view: PaneView, own: ReadonlySet<number>): boolean {
  return (
    view.sessionActivity <= view.sessionLastAttached &&
    persons(view, own).every(({ kind, activity, attached }) => kind === 'terminal' && activity <= attached)
  );
}

// For a program that has just started: as long as nobody is attached, nobody has typed.
export const freshComposer = (
  view: PaneView,
  own: ReadonlySet<number>,
  startedAt: number,
): ComposerMemory => ({
  ...NEW_COMPOSER,
  startedAt,
  activityAt: persons(view, own).length === 0 ? activityOf(view, own) : null,
});

const hold = (reason: HoldReason, detail: string): Extract<Decision, { kind: 'hold' }> => ({
  kind: 'hold',
  reason,
  detail,
});
