// The direct protocol: into an input box known to be empty, one guarded paste, seen, then one guarded Enter, seen.
import { rowText } from '../terminal/cells.js';
import {
  type Guard,
  type Injection,
  type Mark,
  type Pane,
  type PaneView,
  TmuxError,
  type Waited,
} from '../tmux/index.js';
import {
  countMarks,
  type Envelope,
  type Evidence,
  endsAtCursor,
  hasId,
  isTaken,
  leftItsRow,
  sameScreen,
  seenInBox,
  stillHolds,
} from './evidence.js';
import { beginsLike, isWithoutCursor, type Look, looksEmpty } from './look.js';

// A text whose Enter was pressed. `typed`: the screen with it in the box. `isBlind`: the box looks empty with it, too.
export interface Sent {
  empty: Look | null;
  envelope: Envelope;
  typed: PaneView | undefined;
  isBlind: boolean;
}

export interface Seen {
  view: PaneView;
  evidence: Evidence;
}

// What became of the box after Enter.
export type Aftermath =
  // It is empty again: it let go of our text.
  | { kind: 'released'; view: PaneView }
  // It holds our text and nothing else: Enter had no effect, or became a newline at its end.
  | { kind: 'kept'; view: PaneView; brokeLine: boolean };

// An agent that shows a long paste as a placeholder never shows our words: after this long without them the change counts.
// Measured: the slowest of the agents repaints every 250 ms.
const PLACEHOLDER_SETTLE_MS = 300;

export class DirectInput {
  readonly #recordKeys: (value: string) => string;

  constructor(
    readonly pane: Pane,
    readonly journalName: string,
    // The hold that keeps the persons' keys, if there is one. Held keys move the session's activity too, so it is no
    // evidence of anything then.
    public hold?: Mark,
    // Its program shows a cursor only in its box: without one a dialog has the keys.
    readonly cursorShownInBox = false,
  ) {
    // -g: a pane may move to another session; -h: no program started later inherits it.
    this.#recordKeys = (value) => `set-environment -g -h ${journalName} ${value}`;
  }

  async readJournal(): Promise<string> {
    return this.pane.format(`#{${this.journalName}}`);
  }

  // Takes the journal over: an injection by anyone who knew its old value is refused from now on.
  async claim(value: string): Promise<void> {
    await this.pane.link.command(this.#recordKeys(value));
  }

  type(envelope: Envelope, seen: PaneView, from: string, to: string): Promise<Injection> {
    return this.pane.paste(envelope.payload, this.#guard(seen, from), [this.#recordKeys(to)]);
  }

  // Waits until our text shows in the box. `empty` is how the box looks without it, `before` the screen before our paste;
  // without that one, what is on the screen may be from before, or stand beside a dialog that has opened since.
  async shown(
    envelope: Envelope,
    empty: Look | null,
    before: PaneView | undefined,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Waited<Seen>> {
    const look = (orPlaceholder: boolean) => async (): Promise<Seen | undefined> => {
      const view = await this.#look();
      if (isWithoutCursor(this, view)) return undefined;
      // A dialog that opens at this moment is a change too: its row does not begin as that of the box does.
      const changed = orPlaceholder && empty !== null && beginsLike(view, empty) && !looksEmpty(view, empty);
      const seen = before ? seenInBox(view, envelope, before) : seenAgain(view, envelope, empty);
      const evidence = seen ?? (changed ? 'placeholder' : undefined);
      return evidence && { view, evidence };
    };
    const first = await this.pane.waitUntil(look(true), deadlineMs, signal);
    if (first.outcome !== 'seen' || first.value.evidence !== 'placeholder') return first;
    const settled = await this.pane.waitUntil(look(false), PLACEHOLDER_SETTLE_MS, signal);
    if (settled.outcome !== 'deadline') return settled;
    const last = await look(true)();
    return last ? { outcome: 'seen', value: last } : { outcome: 'deadline' };
  }

  press(key: string, seen: PaneView, from: string, to: string): Promise<Injection> {
    return this.pane.press([key], this.#guard(seen, from), [this.#recordKeys(to)]);
  }

  // Waits until the box has let go of our text; at the deadline says whether it still holds it.
  async released(
    { empty, envelope, typed, isBlind }: Sent,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Waited<Aftermath>> {
    const hasLeft = (view: PaneView): boolean =>
      !isBlind || (typed !== undefined && leftItsRow(view, typed, envelope));
    const look = async (): Promise<Aftermath | undefined> => {
      const view = await this.#look();
      const isEmpty = empty !== null && looksEmpty(view, empty);
      return isEmpty && hasLeft(view) ? { kind: 'released', view } : undefined;
    };
    const waited = await this.pane.waitUntil(look, deadlineMs, signal);
    if (waited.outcome !== 'deadline') return waited;
    const view = await this.#look();
    if (isBlind) {
      // A screen that has changed in any way may be that of a dialog.
      const isKept = typed !== undefined && sameScreen(view, typed);
      return isKept ? { outcome: 'seen', value: { kind: 'kept', view, brokeLine: false } } : waited;
    }
    const holds = stillHolds(view, envelope, typed);
    return holds && !isTaken(view, typed, envelope)
      ? { outcome: 'seen', value: { kind: 'kept', view, brokeLine: holds === 'text_and_newline' } }
      : waited;
  }

  // A dead pane keeps its last screen, which proves nothing any more.
  async #look(): Promise<PaneView> {
    const view = await this.pane.view();
    if (view.dead) throw new TmuxError('look', `can't find a program in ${this.pane.id}: it has ended`);
    return view;
  }

  #guard(view: PaneView, journal: string): Guard {
    const guard = pinned(view, { name: this.journalName, value: journal });
    return this.hold
      ? { ...guard, hold: this.hold }
      : { ...guard, activity: view.sessionActivity, keyedAt: { seen: view.keyedAt } };
  }
}

// Our text is there, and the cursor stands where it does in the box.
function seenAgain(view: PaneView, envelope: Envelope, empty: Look | null): Evidence | undefined {
  if (endsAtCursor(view, envelope)) return 'ending';
  const isInBox = empty !== null && empty.left.trim() !== '' && beginsLike(view, empty);
  return isInBox && hasId(envelope) && countMarks(view, envelope) > 0 ? 'id' : undefined;
}

// What was seen must still be so: the program, the cursor, the row it stands in, and our own last record.
export function pinned(view: PaneView, mark: Guard['mark']): Guard {
  const row = rowText(view.rows[view.cursor.y] ?? []).trim();
  return {
    program: view.program,
    cursor: { x: view.cursor.x, y: view.cursor.y },
    visible: row === '' ? [] : [row],
    mark,
  };
}
