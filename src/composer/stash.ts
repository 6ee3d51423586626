// The stash protocol: the agent's own key puts the draft aside, and the agent brings it back after the next submit.
// Nothing is read but the screen; every step is seen before the next, so a dialog or another view stops it harmlessly.
import { rowText } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import type { StashProfile } from './box-profile.js';
import { seenInBox } from './evidence.js';
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

export class StashProtocol implements Protocol {
  readonly name = 'stash';
  readonly abilities: Abilities;
  readonly #stash: StashProfile;
  #before: PaneView | undefined;

  constructor(readonly tools: SwapTools) {
    const { stash, submitKey } = tools.profile;
    if (!stash) throw new Error('the stash protocol needs the stash data of a profile');
    this.#stash = stash;
    this.abilities = {
      reads: 'screen',
      provesRestore: 'look',
      restoresCaret: true,
      provesFocus: true,
      keys: [stash.key, submitKey],
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
    const draft: Draft = { text: boxText(before), caret: null, exact: false };
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
  async restore(): Promise<Restored> {
    const view = await this.#wait((now) => this.#isBack(now), RESTORED_MS);
    if (view) return { kind: 'restored', proof: 'look', caret: true };
    return {
      kind: 'mismatch',
      found: null,
      detail: 'the draft did not come back from the stash as it looked before',
    };
  }

  async recover(step: SwapStep, saved: Draft | null): Promise<Recovered> {
    const { tools } = this;
    const entered = step === 'entered' || step === 'restoring';
    const view = await tools.view();
    const isEmpty = tools.look !== null && looksEmpty(view, tools.look);
    if (!entered && isEmpty && this.#isTaken(view)) {
      // The slot is taken and the box is empty: the same key brings the draft back.
      await tools.strokes([{ keys: [this.#stash.key] }], 'restoring', view);
    }
    const wanted = saved?.text ?? '';
    const back = await this.#wait((now) => boxText(now) === wanted && !this.#isTaken(now), RESTORED_MS);
    if (back) return { submitted: entered, restored: { kind: 'restored', proof: 'look', caret: true } };
    const detail = 'after an interruption the box does not look as it did before';
    return { submitted: entered, restored: { kind: 'mismatch', found: null, detail } };
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

  #isBack(view: PaneView): boolean {
    const before = this.#before;
    return before !== undefined && view.cursor.x === before.cursor.x && boxText(view) === boxText(before);
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
function boxText(view: PaneView): string {
  const rows = view.rows.map((row) => rowText(row).trimEnd());
  const isRule = (y: number): boolean => RULE.test(rows[y] ?? '');
  let top = view.cursor.y;
  while (top > 0 && !isRule(top - 1)) top--;
  let bottom = view.cursor.y;
  while (bottom < rows.length - 1 && !isRule(bottom + 1)) bottom++;
  const ruled = top > 0 && isRule(top - 1) && isRule(bottom + 1);
  return (ruled ? rows.slice(top, bottom + 1) : [rows[view.cursor.y] ?? '']).join('\n');
}

const refused = (reason: Refusal, detail: string): Loaded => ({ kind: 'refused', reason, detail });
