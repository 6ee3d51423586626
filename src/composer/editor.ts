// The editor protocol: the agent's own external-editor key, with our shim as the editor, hands over the exact draft and
// takes back another text. That it is called at all proves that the box has the focus.
import type { PaneView } from '../tmux/index.js';
import { editorAbilities } from './abilities.js';
import { freshMark, MARKS, type Mark, splitAtMark, withoutOldMarks } from './caret.js';
import { type Called, EditorBox, type NotCalled } from './editor-box.js';
import { painted, placeCaret } from './editor-caret.js';
import { fileFor, hasPlaceholder, otherwiseFor } from './editor-file.js';
import { dropMark, dropMarks, withoutLetter } from './editor-residue.js';
import { seenInBox } from './evidence.js';
import type { Handover, Settled } from './handover.js';
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
import { type Box, isCut, settle } from './settle.js';

const SHOWN_MS = 3000;
// A put-back that did not come out right is tried once more.
const MAX_PUTS = 2;
const MAX_LOOKS = 5;
// A whole screen is painted with shorter pauses than this.
const REPAINT_MS = 20;

export class EditorProtocol implements Protocol {
  readonly name = 'editor';
  readonly abilities: Abilities;
  readonly #box: EditorBox;
  #before: PaneView | undefined;

  constructor(
    readonly tools: SwapTools,
    readonly handover: Handover,
  ) {
    const { editor } = tools.profile;
    if (!editor) throw new Error('the editor protocol needs the editor data of a profile');
    this.#box = new EditorBox(tools, handover, editor);
    this.abilities = editorAbilities(editor, tools.profile.submitKey);
  }

  async load(): Promise<Loaded> {
    const { tools } = this;
    const before = await tools.view();
    this.#before = before;
    const old = this.handover.marks;
    const silent = this.#box.misfit ?? (await this.#box.isSilent('reading'));
    if (silent) return { kind: 'refused', reason: silent.refusal, detail: silent.detail };
    const mark = freshMark(before);
    this.#box.marks = [mark];
    const called = await this.#box.open('reading', otherwiseFor(this.#box.profile), mark);
    if ('refusal' in called) return this.#backOut(called.refusal, called.detail);
    const { token, content } = called;
    const found = splitAtMark(content, mark);
    if (!found) return this.#withoutMark(called);
    const { text, caret } = withoutOldMarks(found, old);
    // Elsewhere, out of sight: nobody can tell which is ours.
    if (text.includes(mark)) {
      await this.#box.keep(called, 'reading');
      return this.#backOut('draft_unreadable', 'the draft has the character that is to mark its caret');
    }
    if (hasPlaceholder(this.#box.profile, text)) {
      await this.#box.keepAtMark(called, mark, 'reading');
      return this.#backOut(
        'draft_unreadable',
        'the agent hands over only a placeholder for a long paste in the draft',
      );
    }
    const draft: Draft | null = text === '' ? null : { text, caret, exact: true };
    if (draft) await tools.save(draft);
    return this.#putOurs(token, draft, before);
  }

  async restore(draft: Draft | null, over: 'nothing' | 'ours'): Promise<Restored> {
    const text = draft?.text ?? '';
    // Until the box has been read, nothing is known of what became of our text.
    const before = over === 'nothing' ? 'entered' : 'typed';
    const called = await this.#box.open(before, 'keep');
    if ('refusal' in called) return { kind: 'mismatch', found: null, detail: called.detail };
    const whose = this.#box.whose(called.content);
    const isRight = called.content === text;
    if (whose === 'ours' && over === 'nothing') {
      await this.#box.keep(called, before);
      const brokeLine = called.content.endsWith('\n') && !this.tools.envelope.payload.endsWith('\n');
      return { kind: 'still_ours', ...(brokeLine && { brokeLine }) };
    }
    if (whose === 'other' && !isRight) {
      await this.#box.keep(called, before);
      return { kind: 'mismatch', found: called.content, detail: 'the box holds something else by now' };
    }
    const isGone = over === 'ours' && whose === 'nothing';
    const step = over === 'nothing' ? 'restoring' : isGone ? 'typed' : 'undoing';
    await this.tools.strokes([], step);
    const restored = await this.#putBack(called, draft, step, isRight ? 'is_there' : 'put');
    if (restored.kind === 'restored') this.handover.forgetMarks();
    return restored.kind === 'restored' && isGone ? { kind: 'ours_gone' } : restored;
  }

  // Puts the draft in, reads it again, and only then brings the caret back.
  async #putBack(
    called: Called,
    draft: Draft | null,
    step: SwapStep,
    how: 'put' | 'is_there' = 'put',
  ): Promise<Restored> {
    const text = draft?.text ?? '';
    let open: Called | NotCalled = called;
    let found: string | null = null;
    if (how === 'is_there') {
      await this.#box.keep(called, step);
      return { kind: 'restored', proof: 'read', caret: await placeCaret(this.#box, draft, step) };
    }
    for (let puts = 0; puts < MAX_PUTS && !('refusal' in open); puts++) {
      await this.#box.put(open.token, text, step);
      await painted(this.#box, draft && { ...draft, caret: text.length });
      found = await this.#box.read(step);
      if (found === text) {
        // On record as the caret moves: from here on what the box holds is the person's.
        const done = step === 'restoring' ? 'restored' : step;
        return { kind: 'restored', proof: 'read', caret: await placeCaret(this.#box, draft, done) };
      }
      if (puts + 1 < MAX_PUTS) open = await this.#box.open(step, 'keep');
    }
    return { kind: 'mismatch', found, detail: 'the agent did not take the draft back as it was' };
  }

  async abandon(): Promise<void> {
    if (!this.handover.isOpen) return;
    await this.#box.whenBack(() => this.handover.abandon(this.#box.takenMs));
    // Where the shim must not write the draft anew, the mark is left to us; it stays known where no key can be pressed.
    if (this.handover.marks.length > 0) await dropMarks(this.#box, this.#box.step).catch(() => {});
  }

  async recover(step: SwapStep, saved: Draft | null, keys: 'held' | 'freed'): Promise<Recovered> {
    let handed: Settled = { ended: false, content: undefined, marks: [] };
    await this.#box.whenBack(async () => {
      handed = await this.handover.settled(this.#box.takenMs);
      return handed.ended;
    });
    // With the mark: it is not known how much of the way back the caret had gone.
    const mark = freshMark(await this.tools.view());
    const isUnheard = !handed.ended && this.handover.wasSilent;
    if (isUnheard) await this.#box.forgetFirstKey();
    const called =
      (await this.#box.isSilent(step)) ?? (await this.#box.open(step, otherwiseFor(this.#box.profile), mark));
    if ('refusal' in called) {
      await dropMarks(this.#box, step);
      const restored: Restored = { kind: 'mismatch', found: null, detail: called.detail };
      return { submitted: step === 'reading' ? false : 'unknown', restored };
    }
    const theirs = called.content.replace(this.tools.envelope.payload.trimEnd(), '');
    if (hasPlaceholder(this.#box.profile, theirs)) {
      await this.#box.keepAtMark(called, mark, step);
      await dropMarks(this.#box, step);
      // Before our text was put in, the box holds what it held; later nobody can tell what became of either.
      if (step === 'reading')
        return { submitted: false, restored: { kind: 'restored', proof: 'look', caret: true } };
      const detail = 'the agent hands over only a placeholder for a long paste that came since';
      return { submitted: 'unknown', restored: { kind: 'mismatch', found: null, detail } };
    }
    const found = this.#boxOf(called.content, mark, handed);
    const box = isUnheard && keys === 'held' ? withoutLetter(this.#box, found, saved, step) : found;
    const known = saved ?? this.#caretOf(handed.content, box.text);
    const wanted = settle(box, known, this.tools.envelope.payload, step, keys);
    // The box is about to be written anew, with a text that may be on no disk yet.
    const isTheirs = wanted.text === box.text && box.text !== '';
    const unsaved = saved
      ? null
      : (known ?? (isTheirs ? { text: box.text, caret: box.caret, exact: true } : null));
    if (unsaved) await this.tools.save(unsaved);
    // What was found out is recorded before the box is changed: a second interruption finds a box that no longer tells.
    const settled = SETTLED[wanted.submitted] ?? step;
    await this.tools.strokes([], settled);
    const draft: Draft = { text: wanted.text, caret: wanted.caret, exact: true };
    const back = await this.#putBack(called, draft, settled);
    if (back.kind === 'restored') this.handover.forgetMarks();
    const restored: Restored = wanted.offer
      ? {
          kind: 'mismatch',
          found: wanted.text,
          detail: 'keys went into the box while the draft was on its way back',
        }
      : back;
    const { submitted } = wanted;
    return { submitted: submitted === 'unknown' ? submitted : submitted === 'yes', restored };
  }

  // Without the marks; the caret is where the last one stands, or where that of a reading that was cut off does.
  #boxOf(content: string, mark: Mark, handed: Settled): Box {
    const left = [mark, ...MARKS.filter((one) => handed.marks.includes(one))];
    const found = left.map((one) => splitAtMark(content, one)).find((one) => one !== undefined);
    const seen = withoutOldMarks(found ?? { text: content, caret: content.length }, handed.marks);
    const box = { ...seen, isSeen: found !== undefined };
    // Taken back as it was handed over, with the mark in it and the caret moved away from there.
    const own = this.#marked(handed.content);
    return own && isCut(box.text, handed.content ?? '') ? own : box;
  }

  #marked(content = ''): { text: string; caret: number } | undefined {
    return MARKS.map((mark) => splitAtMark(content, mark)).find((one) => one !== undefined);
  }

  async #putOurs(token: string, draft: Draft | null, before: PaneView): Promise<Loaded> {
    const { tools, handover } = this;
    const { envelope } = tools;
    // Recorded before the shim is let go: from here on our text may be in the box.
    await tools.strokes([], 'typed');
    await handover.answer(token, { kind: 'put', text: fileFor(this.#box.profile, envelope.payload) });
    const look = async (): Promise<Extract<Loaded, { kind: 'loaded' }> | undefined> => {
      const view = await tools.view();
      const evidence = seenInBox(view, envelope, before);
      return evidence && { kind: 'loaded', draft, view, evidence };
    };
    await this.#box.taken(token);
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const seen = await tools.pane.waitUntil(look, SHOWN_MS, tools.signal);
      if (seen.outcome !== 'seen') break;
      // The same words may stand at the cursor while the screen is painted anew: they must still stand there after it.
      if (seen.value.evidence === 'id') return seen.value;
      await tools.pane.waitForGap(Math.max(REPAINT_MS, this.#box.profile.restoredMs), SHOWN_MS);
      const again = await look();
      if (again) return again;
    }
    // It may show a long text in some other way; what the box holds can still be read.
    const content = await this.#box.read('typed');
    if (content !== null && this.#box.whose(content) === 'ours')
      return { kind: 'loaded', draft, view: await tools.view(), evidence: 'read' };
    const restored = await this.restore(draft, 'ours');
    const detail = 'our text was handed over but is not in the box';
    if (restored.kind === 'restored') return { kind: 'refused', reason: 'text_not_found', detail };
    return { kind: 'stuck', reason: 'text_not_found', detail, draft };
  }

  // The mark was not taken as text (vim's NORMAL mode), or comes only after the hand-over: see which.
  async #withoutMark(first: Called): Promise<Loaded> {
    const { content } = first;
    await this.#box.keep(first, 'reading');
    if (await dropMark(this.#box, 'reading'))
      return { kind: 'refused', reason: 'user_typing', detail: 'the agent had not taken in all keys yet' };
    const called = await this.#box.open('reading', 'keep');
    if ('refusal' in called) return { kind: 'refused', reason: called.refusal, detail: called.detail };
    if (called.content !== content) {
      await this.#box.keep(called, 'reading');
      await dropMark(this.#box, 'reading');
      return { kind: 'refused', reason: 'user_typing', detail: 'the box changed between two readings' };
    }
    const draft: Draft | null = content === '' ? null : { text: content, caret: null, exact: true };
    if (draft) await this.tools.save(draft);
    return this.#putOurs(called.token, draft, this.#before ?? (await this.tools.view()));
  }

  async #backOut(reason: Refusal, detail: string): Promise<Loaded> {
    await dropMark(this.#box, 'reading');
    return { kind: 'refused', reason, detail };
  }

  // A reading that was cut off may have moved the caret; what it had handed over tells where it was.
  #caretOf(handed: string | undefined, text: string): Draft | null {
    const found = this.#marked(handed);
    return found && isCut(text, found.text) ? { ...found, exact: true } : null;
  }
}

const SETTLED: Partial<Record<string, SwapStep>> = { yes: 'restoring', no: 'undoing' };
