// The stash protocol: the agent's own key puts the draft aside, and the agent brings it back after the next submit.
// Nothing is read but the screen; every step is seen before the next, so a dialog or another view stops it harmlessly.
import type { PaneView } from '../tmux/index.js';
import { stashAbilities } from './abilities.js';
import type { StashProfile } from './box-profile.js';
import { seenInBox, stillHolds } from './evidence.js';
import type {
  Abilities,
  Draft,
  Loaded,
  Protocol,
  Recovered,
  Refusal,
  Restored,
  SwapStep,
  SwapTools,
} from './protocol.js';
import { StashRecovery } from './stash-recovery.js';
import { boxRows, boxText, RESTORED_MS, SEEN_MS, StashScreen } from './stash-screen.js';

// A box that has not changed for so long after Enter did not take it.
const RELEASED_MS = 1000;

export class StashProtocol implements Protocol {
  readonly name = 'stash';
  readonly abilities: Abilities;
  readonly #stash: StashProfile;
  readonly #screen: StashScreen;
  #before: PaneView | undefined;
  #typed: PaneView | undefined;

  constructor(readonly tools: SwapTools) {
    const { stash, submitKey } = tools.profile;
    if (!stash) throw new Error('the stash protocol needs the stash data of a profile');
    this.#stash = stash;
    this.#screen = new StashScreen(tools, stash.taken);
    this.abilities = stashAbilities(stash, submitKey);
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
    if (tools.envelope.payload.includes(this.#stash.taken))
      return refused('draft_unreadable', `the message holds "${this.#stash.taken}", which tells of a stash`);
    if (this.#screen.isTaken(before)) return refused('stash_taken', 'a draft is in its stash already');
    if (this.#screen.isMarked(before)) return this.#ownText(before);
    const draft: Draft = {
      text: this.#screen.text(before),
      caret: this.#screen.caret(before),
      exact: false,
    };
    await tools.save(draft);
    const pressed = await tools.strokes([{ keys: [this.#stash.key] }], 'reading', before);
    if (pressed.outcome === 'refused')
      return refused('user_typing', `the screen changed (${pressed.reason})`);
    const empty = await this.#screen.wait((view) => this.#screen.isEmpty(view), SEEN_MS);
    if (!empty)
      return refused(
        'not_at_prompt',
        'its stash key did not empty the box: a dialog, a menu or another view has the keys',
      );
    const pasted = await tools.strokes([{ paste: tools.envelope.payload }], 'typed', empty);
    if (pasted.outcome === 'refused') return this.#takeBack(draft, `the screen changed (${pasted.reason})`);
    const seen = await this.#screen.wait((view) => !this.#screen.isEmpty(view), SEEN_MS);
    if (!seen)
      return {
        kind: 'stuck',
        reason: 'text_not_found',
        detail: 'our text was pasted and is not seen',
        draft,
      };
    this.#typed = seen;
    // Whatever else it is: in the box it is ours, on a dialog it is not.
    const evidence =
      seenInBox(seen, tools.envelope, empty) ?? (this.#screen.isFocused(seen) ? 'placeholder' : undefined);
    if (evidence) return { kind: 'loaded', draft, view: seen, evidence };
    const detail = 'our text was pasted, and the box is not what is seen now';
    return { kind: 'stuck', reason: 'not_at_prompt', detail, draft };
  }

  // What an earlier attempt left in the box is no draft: it needs nothing but Enter.
  async #ownText(before: PaneView): Promise<Loaded> {
    const isAlone = this.#screen.isOursAlone(before);
    if (!isAlone || (await this.tools.strokes([], 'typed', before)).outcome === 'refused')
      return refused('user_typing', 'our own text is in its box, and more than that');
    this.#typed = before;
    return { kind: 'loaded', draft: null, view: before, evidence: 'ending' };
  }

  // The agent does it by itself; it is waited for until the box looks as it did.
  async restore(draft: Draft | null, over: 'nothing' | 'ours'): Promise<Restored> {
    const isBack = (now: PaneView): boolean => (draft ? this.#isBack(now) : this.#screen.isEmpty(now));
    const soon = await this.#screen.wait(isBack, RELEASED_MS);
    if (!soon && over === 'nothing' && (await this.#isKept())) return { kind: 'still_ours' };
    const view = soon ?? (await this.#screen.wait(isBack, RESTORED_MS - RELEASED_MS));
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
      (await this.#screen.wait((now) => stillHolds(now, tools.envelope, this.#typed) === 'text', SEEN_MS)) !==
      undefined
    );
  }

  async recover(step: SwapStep, saved: Draft | null, keys: 'held' | 'freed'): Promise<Recovered> {
    return new StashRecovery({ screen: this.#screen, stash: this.#stash, saved, keys }).run(step);
  }

  // While the slot is taken the draft may come back yet; otherwise what is seen is all that can be told.
  async #mismatch(detail: string): Promise<Extract<Restored, { kind: 'mismatch' }>> {
    const view = await this.tools.view();
    return { kind: 'mismatch', found: this.#screen.isTaken(view) ? null : boxText(view), detail };
  }

  // Nothing of ours is in the box yet: the key that stashed the draft pops it.
  async #takeBack(draft: Draft, detail: string): Promise<Loaded> {
    const view = await this.tools.view();
    if (this.#screen.isEmpty(view)) {
      await this.tools.strokes([{ keys: [this.#stash.key] }], 'undoing', view);
      if (await this.#screen.wait((now) => this.#isBack(now), SEEN_MS)) return refused('user_typing', detail);
    }
    return { kind: 'stuck', reason: 'user_typing', detail, draft };
  }

  // A draft higher than the box may be shown from another row on: what both show must be the same.
  #isBack(view: PaneView): boolean {
    const before = this.#before;
    if (!before || this.#screen.isTaken(view) || view.cursor.x !== before.cursor.x) return false;
    const [then, now] = [boxRows(before), boxRows(view)];
    const shift = then.cursor - now.cursor;
    return (
      then.rows.length === now.rows.length &&
      now.rows.every((row, y) => row === (then.rows[y + shift] ?? row))
    );
  }
}

const refused = (reason: Refusal, detail: string): Loaded => ({ kind: 'refused', reason, detail });
