// Brings to its end what a daemon that is gone began with a stash: our text goes out alone, the draft comes back.
// The screen may be older than the last key of the dead daemon: a key is pressed only on what that key must lead to.
import type { PaneView } from '../tmux/index.js';
import type { StashProfile } from './box-profile.js';
import { countMarks } from './evidence.js';
import type { Draft, Recovered, Restored, SwapStep } from './protocol.js';
import { boxText, RESTORED_MS, SEEN_MS, type StashScreen } from './stash-screen.js';

const MAX_ENTERS = 3;
// The row of the cursor may move while a key is pinned to it.
const MAX_PRESSES = 3;

const BACK: Restored = { kind: 'restored', proof: 'look', caret: true };

export interface StashScene {
  screen: StashScreen;
  stash: StashProfile;
  // What the screen showed of the draft before it was put aside.
  saved: Draft | null;
  keys: 'held' | 'freed';
}

export class StashRecovery {
  readonly #wanted: string;

  constructor(readonly scene: StashScene) {
    this.#wanted = scene.saved?.text ?? '';
  }

  run(step: SwapStep): Promise<Recovered> {
    if (step === 'reading' || step === 'undoing') return this.#putAside(step);
    return step === 'typed' ? this.#typed() : this.#entered(MAX_ENTERS);
  }

  // The stash key alone was pressed: nothing of ours is in the box.
  async #putAside(step: 'reading' | 'undoing'): Promise<Recovered> {
    const { screen } = this.scene;
    const isDone = step === 'reading' ? screen.isPutAside.bind(screen) : this.#isBack;
    // Later than any agent paints, the key has had no effect.
    await screen.wait(isDone, SEEN_MS + RESTORED_MS);
    await this.#pop('undoing');
    return { submitted: false, restored: await this.#untilBack() };
  }

  // Our text was pasted into the empty box.
  async #typed(): Promise<Recovered> {
    const { screen, keys } = this.scene;
    // An empty box that nothing was put aside from looks the same before our text and after it.
    const isSent = (view: PaneView): boolean => this.#wanted !== '' && this.#isBack(view);
    const seen = await screen.wait((view) => this.#isOurs(view) || isSent(view), SEEN_MS);
    if (seen && this.#isOurs(seen)) return this.#send(MAX_ENTERS);
    // Somebody else sent it.
    if (seen) return { submitted: 'unknown', restored: BACK };
    // It may be on its way in: the stash key would put it into the slot, and the draft out of it.
    if (keys === 'held') return unread('our text was pasted and is not seen');
    // Whole seconds later it is lost.
    if (await this.#pop('undoing')) return { submitted: 'unknown', restored: await this.#untilBack() };
    return this.#other('typed');
  }

  async #send(enters: number): Promise<Recovered> {
    const { submitKey } = this.scene.screen.tools.profile;
    const pressed = await this.#press(submitKey, 'entered', this.#isOurs);
    return pressed ? this.#entered(enters - 1) : unread('the box changed before Enter was pressed');
  }

  // Enter was pressed on our text. As long as it is seen there, Enter may only not show yet: a second one, too early,
  // would send the draft.
  async #entered(enters: number): Promise<Recovered> {
    const { screen, keys } = this.scene;
    const isNewline = (view: PaneView): boolean => screen.endsInOurs(view, 'text_and_newline');
    const seen = await screen.wait((view) => this.#isBack(view) || isNewline(view), RESTORED_MS);
    if (seen && this.#isBack(seen)) return { submitted: true, restored: BACK };
    // The box was seen with our text in it before Enter was pressed, and is empty now.
    if (await this.#pop('restoring'))
      return { submitted: keys === 'held' ? true : 'unknown', restored: await this.#untilBack() };
    if (enters === 0) return unread('Enter was pressed and the box kept our text');
    if (seen && keys === 'held' && (await this.#press('BSpace', 'entered', isNewline)))
      await screen.wait(this.#isOurs, SEEN_MS);
    if (this.#isOurs(await screen.tools.view())) return this.#send(enters);
    return this.#other('entered');
  }

  // Neither our text alone nor the draft as it was.
  async #other(step: 'typed' | 'entered'): Promise<Recovered> {
    const { screen } = this.scene;
    const view = await screen.tools.view();
    if (screen.isMarked(view) || screen.endsInOurs(view))
      return unread('our text is in the box, and a person may have typed behind it');
    const isTaken = screen.isTaken(view);
    if (!screen.isBox(view) || (isTaken && step === 'typed'))
      return unread('the box does not show whether our text is in it');
    const submitted = step === 'entered' && !isTaken ? true : 'unknown';
    const isIn = !isTaken && (this.#wanted === '' || holds(screen.text(view), this.#wanted));
    return { submitted, restored: isIn ? BACK : differs(boxText(view)) };
  }

  // While a person's keys waited, whatever came into the box beside a taken slot is ours, also as a label for a long
  // paste; once they were freed, only what can be read whole.
  #isOurs = (view: PaneView): boolean => {
    const { screen, keys } = this.scene;
    const isTaken = screen.isTaken(view);
    if (keys === 'freed')
      return isTaken && screen.isOursAlone(view) && countMarks(view, screen.tools.envelope) <= 1;
    if (screen.endsInOurs(view)) return true;
    const isOther = screen.isEmpty(view) || screen.endsInOurs(view, 'text_and_newline');
    return !isOther && screen.isTakenBeside(view) && screen.isFocused(view);
  };

  #isBack = (view: PaneView): boolean => {
    const { screen, saved } = this.scene;
    if (screen.isTaken(view)) return false;
    if (this.#wanted === '') return screen.isEmpty(view);
    const now = { text: screen.text(view), caret: screen.caret(view) };
    return sameRows({ text: this.#wanted, caret: saved?.caret ?? now.caret }, now);
  };

  // The slot is taken and the box is empty: the key that put the draft aside brings it back.
  #pop(step: SwapStep): Promise<boolean> {
    const { screen, stash } = this.scene;
    return this.#press(stash.key, step, (view) => screen.isPutAside(view));
  }

  async #press(key: string, step: SwapStep, test: (view: PaneView) => boolean): Promise<boolean> {
    const { tools } = this.scene.screen;
    for (let presses = 0; presses < MAX_PRESSES; presses++) {
      const view = await tools.view();
      if (!test(view)) return false;
      if ((await tools.strokes([{ keys: [key] }], step, view)).outcome === 'injected') return true;
    }
    return false;
  }

  async #untilBack(): Promise<Restored> {
    const { screen } = this.scene;
    if (await screen.wait(this.#isBack, RESTORED_MS)) return BACK;
    const view = await screen.tools.view();
    // While the slot is taken the draft may come back yet; otherwise what is seen is all that can be told.
    return differs(screen.isTaken(view) ? null : boxText(view));
  }
}

const holds = (text: string, wanted: string): boolean =>
  wanted.trim() !== '' && text.includes(wanted.trimEnd());

const differs = (found: string | null): Restored => ({
  kind: 'mismatch',
  found,
  detail: 'after an interruption the box does not look as it did before',
});

// Nothing is settled: it is looked at again.
const unread = (detail: string): Recovered => ({
  submitted: 'unknown',
  restored: { kind: 'mismatch', found: null, detail },
});

interface Shown {
  text: string;
  caret: number;
}

// A draft higher than the box may be shown from another row on: what both show must be the same, and the caret too.
function sameRows(then: Shown, now: Shown): boolean {
  const [before, after] = [placeOf(then), placeOf(now)];
  const rows = then.text.split('\n');
  const shift = before.row - after.row;
  const shown = now.text.split('\n');
  return (
    rows.length === shown.length &&
    before.column === after.column &&
    shown.every((row, y) => row === (rows[y + shift] ?? row))
  );
}

function placeOf({ text, caret }: Shown): { row: number; column: number } {
  const rows = text.slice(0, caret).split('\n');
  return { row: rows.length - 1, column: rows.at(-1)?.length ?? 0 };
}
