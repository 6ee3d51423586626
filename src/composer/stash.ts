// The stash protocol: the agent's own key puts the draft aside, and the agent brings it back after the next submit.
// Nothing is read but the screen; every step is seen before the next, so a dialog or another view stops it harmlessly.
import { rowText } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import type { StashProfile } from './box-profile.js';
import { seenInBox, stillHolds } from './evidence.js';
import { looksEmpty } from './look.js';
import type {
  Abilities,
  Draft,
  Held,
  Loaded,
  Protocol,
  Recovered,
  Refusal,
  Restored,
  SwapStep,
  SwapTools,
} from './protocol.js';

// Copilot paints every 250 ms; a long transcript slows Claude Code down to half a second.
const SEEN_MS = 1500;
const RESTORED_MS = 3000;
// A box that has not changed for so long after Enter did not take it.
const RELEASED_MS = 1000;

export class StashProtocol implements Protocol {
  readonly name = 'stash';
  readonly abilities: Abilities;
  readonly #stash: StashProfile;
  #before: PaneView | undefined;
  #typed: PaneView | undefined;

  constructor(readonly tools: SwapTools) {
    const { stash, submitKey } = tools.profile;
    if (!stash) throw new Error('the stash protocol needs the stash data of a profile');
    this.#stash = stash;
    this.abilities = {
      reads: 'screen',
      provesRestore: 'look',
      restoresCaret: true,
      provesFocus: true,
      keys: [stash.key, submitKey, 'BSpace'],
    };
  }

  async load(): Promise<Loaded> {
    const { tools } = this;
    const { look } = tools;
    const before = await tools.view();
    this.#before = before;
    if (!look)
      return refused(
        'not_at_prompt',
        'its empty input box was never seen, so a stash could not be told from a dialog',
      );
    if (this.#isTaken(before)) return refused('stash_taken', 'a draft is in its stash already');
    const draft: Draft = { text: this.#text(before), caret: null, exact: false };
    await tools.save(draft);
    const pressed = await tools.strokes([{ keys: [this.#stash.key] }], 'reading', before);
    if (pressed.outcome === 'refused')
      return refused('user_typing', `the screen changed (${pressed.reason})`);
    const empty = await this.#wait((view) => looksEmpty(view, look), SEEN_MS);
    if (!empty)
      return refused(
        'not_at_prompt',
        'its stash key did not empty the box: a dialog, a menu or another view has the keys',
      );
    const pasted = await tools.strokes([{ paste: tools.envelope.payload }], 'typed', empty);
    if (pasted.outcome === 'refused') return this.#takeBack(draft, `the screen changed (${pasted.reason})`);
    const seen = await this.#wait((view) => !looksEmpty(view, look), SEEN_MS);
    if (!seen)
      return {
        kind: 'stuck',
        reason: 'text_not_found',
        detail: 'our text was pasted and is not seen',
        draft,
      };
    this.#typed = seen;
    const evidence = seenInBox(seen, tools.envelope, empty) ?? 'placeholder';
    return { kind: 'loaded', draft, view: seen, evidence };
  }

  async check(): Promise<Held> {
    const view = await this.tools.view();
    if (this.#isBack(view)) return 'nothing';
    if (this.tools.look && looksEmpty(view, this.tools.look)) return 'nothing';
    return seenInBox(view, this.tools.envelope, undefined) === 'ending' ? 'ours' : 'unknown';
  }

  // The agent does it by itself; it is waited for until the box looks as it did.
  async restore(_draft: Draft | null, over: 'nothing' | 'ours'): Promise<Restored> {
    const isBack = (now: PaneView): boolean => this.#isBack(now);
    const soon = await this.#wait(isBack, RELEASED_MS);
    if (!soon && over === 'nothing' && (await this.#isKept())) return { kind: 'still_ours' };
    const view = soon ?? (await this.#wait(isBack, RESTORED_MS - RELEASED_MS));
    if (view) return { kind: 'restored', proof: 'look', caret: true };
    return this.#mismatch('the draft did not come back from the stash as it looked before');
  }

  // Enter had no effect, or became a newline, which is taken away again.
  async #isKept(): Promise<boolean> {
    const { tools } = this;
    const view = await tools.view();
    const holds = stillHolds(view, tools.envelope, this.#typed);
    if (holds !== 'text_and_newline') return holds === 'text';
    await tools.strokes([{ keys: ['BSpace'] }], 'entered', view);
    return (
      (await this.#wait((now) => stillHolds(now, tools.envelope, this.#typed) === 'text', SEEN_MS)) !==
      undefined
    );
  }

  async recover(step: SwapStep, saved: Draft | null, keys: 'held' | 'freed'): Promise<Recovered> {
    const { tools } = this;
    const view = await tools.view();
    const isEmpty = tools.look !== null && looksEmpty(view, tools.look);
    let entered = step === 'entered' || step === 'restoring' || step === 'restored';
    if (stillHolds(view, tools.envelope, undefined) === 'text') {
      // Our text alone can only be sent on: the key that would take it out would throw the stashed draft away.
      const restored = await this.#mismatch('our text is in the box, and a person may have typed behind it');
      if (keys === 'freed') return { submitted: 'unknown', restored: { ...restored, found: null } };
      await tools.strokes([{ keys: [tools.profile.submitKey] }], 'entered', view);
      entered = true;
    } else if (!entered && isEmpty && this.#isTaken(view)) {
      // The slot is taken and the box is empty: the same key brings the draft back.
      await tools.strokes([{ keys: [this.#stash.key] }], 'undoing', view);
    }
    const wanted = saved?.text ?? '';
    const back = await this.#wait((now) => this.#text(now) === wanted && !this.#isTaken(now), RESTORED_MS);
    if (back) return { submitted: entered, restored: { kind: 'restored', proof: 'look', caret: true } };
    const restored = await this.#mismatch('after an interruption the box does not look as it did before');
    return { submitted: entered, restored };
  }

  // What the screen shows of the draft, without the prompt before it.
  #text(view: PaneView): string {
    const prompt = this.tools.look?.left ?? '';
    const [first = '', ...rest] = boxText(view).split('\n');
    const own = first.startsWith(prompt) ? first.slice(prompt.length) : first;
    return [
      own,
      ...rest.map((row) => (row.slice(0, prompt.length).trim() === '' ? row.slice(prompt.length) : row)),
    ].join('\n');
  }

  // While the slot is taken the draft may come back yet; otherwise what is seen is all that can be told.
  async #mismatch(detail: string): Promise<Extract<Restored, { kind: 'mismatch' }>> {
    const view = await this.tools.view();
    return { kind: 'mismatch', found: this.#isTaken(view) ? null : boxText(view), detail };
  }

  // Nothing of ours is in the box yet: the key that stashed the draft pops it.
  async #takeBack(draft: Draft, detail: string): Promise<Loaded> {
    const view = await this.tools.view();
    if (this.tools.look && looksEmpty(view, this.tools.look)) {
      await this.tools.strokes([{ keys: [this.#stash.key] }], 'reading', view);
      if (await this.#wait((now) => this.#isBack(now), SEEN_MS)) return refused('user_typing', detail);
    }
    return { kind: 'stuck', reason: 'user_typing', detail, draft };
  }

  // The literal makes us wait, never act: an empty box is what allows the next key.
  #isTaken(view: PaneView): boolean {
    return view.rows.some((row) => rowText(row).includes(this.#stash.taken));
  }

  // A draft higher than the box may be shown from another row on: what both show must be the same.
  #isBack(view: PaneView): boolean {
    const before = this.#before;
    if (!before || this.#isTaken(view) || view.cursor.x !== before.cursor.x) return false;
    const [then, now] = [boxRows(before), boxRows(view)];
    const shift = then.cursor - now.cursor;
    return (
      then.rows.length === now.rows.length &&
      now.rows.every((row, y) => row === (then.rows[y + shift] ?? row))
    );
  }

  async #wait(test: (view: PaneView) => boolean, ms: number): Promise<PaneView | undefined> {
    const look = async (): Promise<PaneView | undefined> => {
      const view = await this.tools.view();
      return test(view) ? view : undefined;
    };
    const waited = await this.tools.pane.waitUntil(look, ms, this.tools.signal);
    return waited.outcome === 'seen' ? waited.value : undefined;
  }
}

const RULE = /^\s*[─━═╭╮╰╯┌┐└┘]{3}/u;

// What the screen shows of the draft: the rows around the cursor up to the lines drawn above and below, else its row alone.
function boxRows(view: PaneView): { rows: string[]; cursor: number } {
  const rows = view.rows.map((row) => rowText(row).trimEnd());
  const isRule = (y: number): boolean => RULE.test(rows[y] ?? '');
  const { y } = view.cursor;
  let top = y;
  while (top > 0 && !isRule(top - 1)) top--;
  let bottom = y;
  while (bottom < rows.length - 1 && !isRule(bottom + 1)) bottom++;
  const ruled = top > 0 && isRule(top - 1) && isRule(bottom + 1);
  return ruled
    ? { rows: rows.slice(top, bottom + 1), cursor: y - top }
    : { rows: [rows[y] ?? ''], cursor: 0 };
}

const boxText = (view: PaneView): string => boxRows(view).rows.join('\n');

const refused = (reason: Refusal, detail: string): Loaded => ({ kind: 'refused', reason, detail });
