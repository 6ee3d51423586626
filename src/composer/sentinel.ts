// The sentinel protocol: reads a draft between marks typed into it, saves it, empties the box by editing keys, and puts it back.
//
// Why this order is safe: reading deletes nothing. Every mark carries the attempt's token, so whatever is cut off, what we
// left in the box is known as ours and is taken out by walking to it. The whole draft is on disk before the first key that
// deletes any of it, so from then on the box may be emptied at any time. Keys go only where the caret was seen to be.
import type { PaneView } from '../tmux/index.js';
import { sentinelAbilities } from './abilities.js';
import type { LineKeys } from './box-profile.js';
import { stillHolds } from './evidence.js';
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
import { SentinelBox } from './sentinel-box.js';
import { Hand, Stop } from './sentinel-hand.js';
import { makeMarks } from './sentinel-marks.js';
import { type Reading, SentinelReader } from './sentinel-reader.js';
import { back, DraftReturn, marked, sameRow } from './sentinel-return.js';
import { hasJoinedEmoji, isJoined, rowsAbove } from './sentinel-screen.js';
import { unmark } from './sentinel-unmark.js';
import { settle } from './settle.js';

// Where Home and End stop at the rows of the screen, nothing tells the end of a row from the end of a line.
export function suitsSentinel(lineKeys: LineKeys | undefined): lineKeys is LineKeys {
  return lineKeys?.start.moves === 'line' && lineKeys.end.moves === 'line';
}

export class SentinelProtocol implements Protocol {
  readonly name = 'sentinel';
  readonly abilities: Abilities;
  readonly #hand: Hand;
  readonly #box: SentinelBox;
  readonly #return: DraftReturn;
  #loaded: PaneView | undefined;
  #lastReader: SentinelReader | undefined;

  constructor(readonly tools: SwapTools) {
    const { lineKeys, submitKey } = tools.profile;
    if (!lineKeys) throw new Error('the sentinel protocol needs the line keys of a profile');
    this.#hand = new Hand(tools, lineKeys, makeMarks(tools.token));
    this.#box = new SentinelBox(this.#hand);
    this.#return = new DraftReturn(this.#hand, this.#box);
    this.abilities = sentinelAbilities(lineKeys, submitKey);
  }

  async load(): Promise<Loaded> {
    const { tools } = this;
    if (!suitsSentinel(tools.profile.lineKeys))
      return refused('draft_unreadable', 'its keys for the start and the end of a line stop at screen rows');
    const before = await tools.view();
    if (before.inMode) return refused('in_mode', 'a person is in a mode of tmux');
    if (hasJoinedEmoji(before))
      return refused('draft_unreadable', 'a joined emoji is on the screen, which tmux does not show whole');
    let reading: Reading;
    try {
      reading = await this.#read('reading', before);
      if (isJoined(reading.text)) throw new Stop('draft_unreadable', 'tmux does not show joined emoji whole');
      if (reading.isForeign) {
        const reader = this.#reader('reading');
        reader.hasFocus = true;
        reader.isClean = await unmark(this.#hand, 'reading', reading);
        throw new Stop('user_typing', FOREIGN);
      }
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      // Where not even the first mark showed, a dialog may have the keys: nothing more is pressed.
      const { reason, detail } = error;
      if (this.#lastReader?.hasFocus) return this.#backOut(error, before);
      return sameRow(await tools.view(), before)
        ? refused(reason, detail)
        : { kind: 'stuck', reason, detail: `${detail}, but the box changed`, draft: null };
    }
    this.#return.original = reading.before;
    this.#return.moves = reading.moves;
    const draft: Draft = { text: reading.text, caret: reading.caret, exact: true };
    if (this.#isLabel(draft.text))
      return this.#backOut(new Stop('draft_unreadable', 'the draft holds a label for a paste'), before);
    try {
      if (draft.text !== '') await tools.save(draft);
      const [probe] = this.#hand.marks.proof;
      const still = (view: PaneView): boolean => this.#hand.isBehind(view, probe);
      const proved = await this.#box.empty(marked(reading), 'typed', still, reading.after);
      if (!proved) throw new Stop('text_not_found', 'the box was not seen to be empty');
      if (!this.#box.look) {
        await this.#box.bare('typed');
        await this.#hand.press([{ paste: tools.envelope.payload }], 'typed');
      } else await this.#box.fill(tools.envelope.payload, 'typed', proved);
      const shown = await this.#box.shown(proved);
      if (!shown) throw new Stop('text_not_found', 'our text was pasted and is not seen');
      this.#loaded = shown.view;
      return { kind: 'loaded', draft: draft.text === '' ? null : draft, ...shown };
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      const isUntouched = !this.#hand.pressed.has('typed');
      return isUntouched ? this.#backOut(error, before) : this.#putBack(error, draft);
    }
  }

  async check(): Promise<Held> {
    const view = await this.tools.view();
    if (this.#box.look && looksEmpty(view, this.#box.look)) return 'nothing';
    return stillHolds(view, this.tools.envelope, this.#loaded) ? 'ours' : 'unknown';
  }

  async restore(draft: Draft | null, over: 'nothing' | 'ours'): Promise<Restored> {
    this.#return.step = over === 'ours' ? 'typed' : 'restoring';
    try {
      const held = over === 'ours' ? await this.check() : await this.#released();
      if (over === 'nothing' && held === 'ours') return { kind: 'still_ours' };
      return await this.#restore(draft, held, over);
    } catch (error) {
      return this.#mismatch(error);
    }
  }

  // An Enter may not show yet.
  async #released(): Promise<Held> {
    let held: Held = 'unknown';
    await this.#hand.tools.pane.waitUntil(
      async () => {
        held = await this.check();
        return held === 'nothing' || undefined;
      },
      this.#hand.lineKeys.echoMs * 2,
      this.tools.signal,
    );
    return held;
  }

  async recover(step: SwapStep, saved: Draft | null): Promise<Recovered> {
    try {
      return await this.#recover(step, saved);
    } catch (error) {
      return { submitted: step === 'reading' ? false : 'unknown', restored: await this.#mismatch(error) };
    }
  }

  // What stopped a restore leaves no marks behind where that can be helped.
  async #mismatch(error: unknown): Promise<Restored> {
    if (!(error instanceof Stop)) throw error;
    const { detail } = error;
    try {
      await this.#sweepVisible();
    } catch (again) {
      if (!(again instanceof Stop)) throw again;
    }
    return { kind: 'mismatch', found: null, detail };
  }

  async #recover(step: SwapStep, saved: Draft | null): Promise<Recovered> {
    this.#return.step = step;
    // The last keys of the dead attempt may not show yet.
    await this.#hand.settle();
    if (!(await this.#sweepVisible())) throw new Stop('draft_unreadable', 'marks are left in the box');
    // Nothing was deleted before the draft was saved: without our marks the box is as it was.
    if (step === 'reading') return { submitted: false, restored: back('look') };
    const { payload } = this.tools.envelope;
    let reading: Reading | undefined;
    try {
      reading = await this.#read(this.#return.step);
    } catch (error) {
      if (!(error instanceof Stop) || error.reason !== 'draft_unreadable') throw error;
    }
    if (!reading) {
      // A label for our own text, most likely; only what cannot be the draft may be deleted unread.
      await this.#sweep();
      if (step !== 'typed') throw new Stop('draft_unreadable', 'the box cannot be read');
      const restored = await this.#return.replace(saved, payload);
      return { submitted: false, restored };
    }
    // An emptying or a filling that was cut off leaves a part of the draft, which is saved whole.
    const remains = saved !== null && reading.text !== saved.text && isRemainder(reading.text, saved.text);
    const { submitted, text, caret } = settle(
      remains ? { text: '', caret: 0 } : reading,
      saved,
      payload,
      step,
    );
    this.#return.step = submitted === 'yes' ? 'restoring' : 'typed';
    const answer = submitted === 'unknown' ? (step === 'typed' ? false : 'unknown') : submitted === 'yes';
    if (text === reading.text) {
      const isClean = (await unmark(this.#hand, this.#return.step, reading)) || (await this.#sweep());
      if (!isClean) throw new Stop('draft_unreadable', 'marks are left in the box');
      this.#return.moves = reading.moves;
      const moved = await this.#return.moveCaret(text, reading.caret, caret, undefined);
      return { submitted: answer, restored: { ...back('read'), caret: moved } };
    }
    const proved = await this.#box.empty(marked(reading), this.#return.step);
    if (!proved) throw new Stop('text_not_found', 'the box was not seen to be empty');
    const restored = await this.#return.put({ text, caret, exact: saved?.exact ?? true }, proved);
    return { submitted: answer, restored };
  }

  #sweep = (): Promise<boolean> => this.#hand.sweep(this.#return.step, 'all');

  // While marks are in the box the caret stands beside one: where none is seen there is none, and maybe a dialog.
  async #sweepVisible(): Promise<boolean> {
    const isClean = this.#hand.visibleMarks(await this.tools.view()).length === 0;
    return isClean || this.#sweep();
  }

  async #restore(draft: Draft | null, held: Held, over: 'nothing' | 'ours'): Promise<Restored> {
    if (over === 'ours') return this.#return.replace(draft, this.tools.envelope.payload);
    if (draft === null || draft.text === '') {
      if (held === 'nothing') return back('look');
    } else if (held === 'nothing') return this.#return.put(draft, await this.tools.view());
    const reading = await this.#read(this.#return.step);
    const wanted = draft?.text ?? '';
    if (reading.text === '' && wanted !== '') {
      const proved = await this.#box.empty(marked(reading), this.#return.step);
      if (proved && draft) return this.#return.put(draft, proved);
    }
    await unmark(this.#hand, this.#return.step, reading);
    if (reading.text === wanted) return back('read');
    return { kind: 'mismatch', found: reading.text, detail: 'the box holds something else' };
  }

  // Nothing was deleted yet: without our marks the box is as it was.
  async #backOut({ reason, detail }: Stop, before: PaneView): Promise<Loaded> {
    try {
      const knowsKeys = this.#lastReader?.knowsKeys ?? false;
      const isClean = this.#lastReader?.isClean ?? false;
      if (isClean || (await this.#hand.sweep('reading', knowsKeys ? 'all' : 'visible'))) {
        const isBack = await this.#hand.until(
          (view) => (sameRow(view, before) ? true : undefined),
          this.#hand.lineKeys.echoMs,
        );
        if (isBack || reason === 'user_typing') return refused(reason, detail);
        return { kind: 'stuck', reason, detail: `${detail}; the box looks different now`, draft: null };
      }
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    return { kind: 'stuck', reason, detail: `${detail}; marks of ours are left in the box`, draft: null };
  }

  // Something of it is deleted, all of it is saved.
  async #putBack({ reason, detail }: Stop, draft: Draft): Promise<Loaded> {
    this.#return.step = 'typed';
    try {
      const back = await this.#return.replace(draft, `${draft.text}\n${this.tools.envelope.payload}`);
      if (back.kind === 'restored') return refused(reason, detail);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    return { kind: 'stuck', reason, detail, draft };
  }

  #isLabel(text: string): boolean {
    const placeholder = this.tools.profile.editor?.placeholder;
    return placeholder !== undefined && new RegExp(placeholder, 'u').test(text);
  }

  #reader(step: SwapStep): SentinelReader {
    this.#lastReader = new SentinelReader(this.#hand, step);
    return this.#lastReader;
  }

  async #read(step: SwapStep, view?: PaneView): Promise<Reading> {
    const before = view ?? (await this.tools.view());
    const above = rowsAbove(before, this.#box.look?.left ?? '');
    return this.#reader(step).read({ before, above, whose: 'unknown' });
  }
}

const refused = (reason: Refusal, detail: string): Loaded => ({ kind: 'refused', reason, detail });

const FOREIGN = 'a line was read that was not on the screen before';

// What an emptying or a filling that was cut off leaves of the draft.
const isRemainder = (content: string, draft: string): boolean =>
  draft.startsWith(content) || draft.endsWith(content);
