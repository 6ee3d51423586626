// The editor protocol: the agent's own external-editor key, with our shim as the editor, hands over the exact draft and
// takes back another text. That it is called at all proves that the box has the focus.
import { randomBytes } from 'node:crypto';
import type { PaneView } from '../tmux/index.js';
import type { EditorProfile } from './box-profile.js';
import { caretKeys, endsBefore, freshMark, MARKS, type Mark, splitAtMark, withoutOldMark } from './caret.js';
import { seenInBox } from './evidence.js';
import type { Answer, Handover, Otherwise } from './handover.js';
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
import { settle } from './settle.js';

// The shim ends within milliseconds of its answer.
const SHIM_END_MS = 3000;
const SHOWN_MS = 3000;
// A put-back that did not come out right is tried once more.
const MAX_PUTS = 2;
const MAX_LOOKS = 5;

type Called = { token: string; content: string };

export class EditorProtocol implements Protocol {
  readonly name = 'editor';
  readonly abilities: Abilities;
  readonly #profile: EditorProfile;
  // What a dead daemon left in files must not be taken for an answer to us.
  readonly #nonce = randomBytes(3).toString('hex');
  #calls = 0;
  #before: PaneView | undefined;
  // Those that may stand in the box because of us.
  #marks: readonly Mark[] = MARKS;

  constructor(
    readonly tools: SwapTools,
    readonly handover: Handover,
  ) {
    const { editor } = tools.profile;
    if (!editor) throw new Error('the editor protocol needs the editor data of a profile');
    this.#profile = editor;
    this.abilities = {
      reads: 'exact',
      provesRestore: 'read',
      restoresCaret: true,
      provesFocus: !editor.harmsDialogs,
      keys: [...editor.keys, tools.profile.submitKey, 'Left', 'BSpace'],
    };
  }

  async load(): Promise<Loaded> {
    const { tools } = this;
    const before = await tools.view();
    this.#before = before;
    const mark = freshMark(before);
    this.#marks = [mark];
    const called = await this.#open('reading', this.#otherwise, mark);
    if ('refusal' in called) return this.#backOut(called.refusal, called.detail);
    const { token, content } = called;
    const found = splitAtMark(content, mark);
    if (!found) return this.#withoutMark(called);
    if (found.several) {
      await this.#keep(called, 'reading');
      return this.#backOut('draft_unreadable', 'the draft has the character that is to mark its caret');
    }
    if (this.#isPlaceholder(found.text)) {
      await this.#keep(called, 'reading');
      return this.#backOut(
        'draft_unreadable',
        'the agent hands over only a placeholder for a long paste in the draft',
      );
    }
    const { text, caret } = found;
    const draft: Draft | null = text === '' ? null : { text, caret, exact: true };
    if (draft) await tools.save(draft);
    return this.#putOurs(token, draft, before);
  }

  async check(): Promise<Held> {
    const called = await this.#open('entered', 'keep');
    if ('refusal' in called) return 'unknown';
    await this.#keep(called, 'entered');
    return this.#whose(called.content);
  }

  async restore(draft: Draft | null, over: 'nothing' | 'ours'): Promise<Restored> {
    const text = draft?.text ?? '';
    let found: string | null = null;
    const step = over === 'nothing' ? 'restoring' : 'undoing';
    for (let puts = 0; puts < MAX_PUTS; puts++) {
      const called = await this.#open(step, 'put-if-empty', undefined, this.#file(text));
      if ('refusal' in called) return { kind: 'mismatch', found: null, detail: called.detail };
      const whose = this.#whose(called.content);
      const isRight = called.content === text;
      if (whose === 'ours' && over === 'nothing' && puts === 0) {
        await this.#keep(called, step);
        return { kind: 'still_ours' };
      }
      if (whose === 'other' && !isRight && puts === 0) {
        await this.#keep(called, step);
        return { kind: 'mismatch', found: called.content, detail: 'the box holds something else by now' };
      }
      if (isRight) {
        await this.#keep(called, step);
        return { kind: 'restored', proof: 'read', caret: await this.#placeCaret(draft, step) };
      }
      await this.#put(called.token, text, step);
      found = await this.#read(step);
      if (found === text)
        return { kind: 'restored', proof: 'read', caret: await this.#placeCaret(draft, step) };
    }
    return { kind: 'mismatch', found, detail: 'the agent did not take the draft back as it was' };
  }

  async recover(step: SwapStep, saved: Draft | null): Promise<Recovered> {
    const handed = await this.handover.settled();
    // With the mark: it is not known how much of the way back the caret had gone.
    const mark = freshMark(await this.tools.view());
    const called = await this.#open(step, this.#otherwise, mark);
    if ('refusal' in called) {
      await this.#dropMark();
      const restored: Restored = { kind: 'mismatch', found: null, detail: called.detail };
      return { submitted: step === 'reading' ? false : 'unknown', restored };
    }
    if (this.#isPlaceholder(called.content)) {
      await this.#keep(called, step);
      while (await this.#dropMark());
      return { submitted: false, restored: { kind: 'restored', proof: 'look', caret: true } };
    }
    const marked = splitAtMark(called.content, mark) ?? {
      text: called.content,
      caret: called.content.length,
    };
    const box = withoutOldMark(marked);
    const known = saved ?? this.#caretOf(handed, box.text);
    if (!saved && known) await this.tools.save(known);
    const wanted = settle(box, known, this.tools.envelope.payload, step);
    // What was found out is recorded before the box is changed: a second interruption finds a box that no longer tells.
    const settled = SETTLED[wanted.submitted] ?? step;
    await this.tools.strokes([], settled);
    await this.#put(called.token, wanted.text, settled);
    const found = await this.#read(settled);
    const restored: Restored =
      found === wanted.text
        ? {
            kind: 'restored',
            proof: 'read',
            caret: await this.#placeCaret({ ...wanted, exact: true }, settled),
          }
        : { kind: 'mismatch', found, detail: 'the agent did not take the draft back as it was' };
    const { submitted } = wanted;
    return { submitted: submitted === 'unknown' ? submitted : submitted === 'yes', restored };
  }

  // Presses the editor's key and waits for the shim to be called.
  async #open(
    step: SwapStep,
    otherwise: Otherwise,
    mark?: string,
    text?: string,
  ): Promise<Called | { refusal: Refusal; detail: string }> {
    const { tools, handover } = this;
    const { keys, markGapMs, callMs, file } = this.#profile;
    const token = `${tools.token}-${this.#nonce}-${++this.#calls}`;
    handover.ask({
      token,
      otherwise,
      pattern: file,
      ...(mark && { mark }),
      ...(text !== undefined && { text }),
    });
    const typed = mark === undefined ? [] : [{ type: mark }];
    const [first, ...rest] =
      markGapMs === 0
        ? [[...typed, { keys }]]
        : [...typed.map((one) => [one]), ...keys.map((key) => [{ keys: [key] }])];
    for (const strokes of [first ?? [], ...rest]) {
      if (strokes !== first) await delay(markGapMs);
      const injection = await tools.strokes(strokes, step);
      if (injection.outcome === 'injected') continue;
      handover.withdraw();
      return {
        refusal: refusalOf(injection.reason),
        detail: `the keys were not pressed (${injection.reason})`,
      };
    }
    const content = await handover.draft(token, callMs, tools.signal);
    if (content !== undefined) return { token, content };
    if (handover.giveUp())
      return {
        refusal: 'not_at_prompt',
        detail: 'its editor key opened no editor: a dialog, a menu or another view has the keys',
      };
    const late = await handover.draft(token, SHIM_END_MS);
    if (late !== undefined) return { token, content: late };
    return { refusal: 'not_at_prompt', detail: 'the editor was called and handed nothing over' };
  }

  async #close(token: string, answer: Answer): Promise<void> {
    await this.handover.answer(token, answer);
    await this.handover.outcome(token, SHIM_END_MS);
    await this.tools.pane.waitForGap(this.#profile.restoredMs, SHOWN_MS);
  }

  // Leaves the box as it is. An agent that takes the file back all the same cuts the end of it once more.
  async #keep({ token, content }: Called, step: SwapStep): Promise<void> {
    await this.#close(token, { kind: 'keep' });
    if (this.#profile.retakes) await this.#typeCut(content, step);
  }

  // The exact content of the box, left as it is.
  async #read(step: SwapStep): Promise<string | null> {
    const called = await this.#open(step, 'keep');
    if ('refusal' in called) return null;
    await this.#keep(called, step);
    return called.content;
  }

  async #putOurs(token: string, draft: Draft | null, before: PaneView): Promise<Loaded> {
    const { tools, handover } = this;
    const { envelope } = tools;
    // Recorded before the shim is let go: from here on our text may be in the box.
    await tools.strokes([], 'typed');
    await handover.answer(token, { kind: 'put', text: this.#file(envelope.payload) });
    const look = async (): Promise<Extract<Loaded, { kind: 'loaded' }> | undefined> => {
      const view = await tools.view();
      const evidence = seenInBox(view, envelope, before);
      return evidence && { kind: 'loaded', draft, view, evidence };
    };
    await handover.outcome(token, SHIM_END_MS);
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const seen = await tools.pane.waitUntil(look, SHOWN_MS, tools.signal);
      if (seen.outcome !== 'seen') break;
      // The same words may stand at the cursor while the screen is painted anew: they must still stand there after it.
      if (seen.value.evidence === 'id') return seen.value;
      await tools.pane.waitForGap(this.#profile.restoredMs, SHOWN_MS);
      const again = await look();
      if (again) return again;
    }
    // It may show a long text in some other way; what the box holds can still be read.
    const content = await this.#read('typed');
    if (content !== null && this.#whose(content) === 'ours')
      return { kind: 'loaded', draft, view: await tools.view(), evidence: 'read' };
    const restored = await this.restore(draft, 'ours');
    const detail = 'our text was handed over but is not in the box';
    if (restored.kind === 'restored') return { kind: 'refused', reason: 'text_not_found', detail };
    return { kind: 'stuck', reason: 'text_not_found', detail, draft };
  }

  // The mark was not taken as text (vim's NORMAL mode), or comes only after the hand-over: see which.
  async #withoutMark(first: Called): Promise<Loaded> {
    const { content } = first;
    await this.#keep(first, 'reading');
    if (await this.#dropMark())
      return { kind: 'refused', reason: 'user_typing', detail: 'the agent had not taken in all keys yet' };
    const called = await this.#open('reading', 'keep');
    if ('refusal' in called) return { kind: 'refused', reason: called.refusal, detail: called.detail };
    if (called.content !== content) {
      await this.#keep(called, 'reading');
      await this.#dropMark();
      return { kind: 'refused', reason: 'user_typing', detail: 'the box changed between two readings' };
    }
    const draft: Draft | null = content === '' ? null : { text: content, caret: null, exact: true };
    if (draft) await this.tools.save(draft);
    return this.#putOurs(called.token, draft, this.#before ?? (await this.tools.view()));
  }

  async #backOut(reason: Refusal, detail: string): Promise<Loaded> {
    await this.#dropMark();
    return { kind: 'refused', reason, detail };
  }

  // Takes away what stands right before the cursor and is ours: the mark, and the letter of a key that opened nothing.
  async #dropMark(): Promise<boolean> {
    const { tools } = this;
    const view = await tools.view();
    const letter = this.#profile.keys.at(-1) ?? '';
    const residues = this.#marks.flatMap((mark) => [`${mark}${letter}`, mark]);
    const residue = residues.find((text) => endsBefore(view, text));
    if (residue === undefined) return false;
    const keys = Array.from(residue, () => 'BSpace');
    return (await tools.strokes([{ keys }], 'reading', view)).outcome === 'injected';
  }

  // Puts a text into the box; what the agent would cut from its end is typed behind it.
  async #put(token: string, text: string, step: SwapStep): Promise<void> {
    const { tools } = this;
    if (text === '' && this.#profile.ignoresEmpty) {
      await this.#close(token, { kind: 'put', text: ' ' });
      await tools.strokes([{ keys: ['BSpace'] }], step);
      await tools.pane.waitForGap(this.#profile.restoredMs, SHOWN_MS);
      return;
    }
    await this.#close(token, { kind: 'put', text: this.#file(text) });
    await this.#typeCut(text, step);
  }

  async #typeCut(text: string, step: SwapStep): Promise<void> {
    const { tools } = this;
    const cut = this.#cut(text);
    if (cut === '') return;
    const strokes = [...cut].map((char) => (char === '\n' ? { keys: ['C-j'] } : { type: char }));
    await tools.strokes(strokes, step);
    await tools.pane.waitForGap(this.#profile.restoredMs, SHOWN_MS);
  }

  // The file whose content becomes `text`, as far as the agent allows.
  #file(text: string): string {
    return this.#profile.trims === 'newline'
      ? `${text}\n`
      : text.slice(0, text.length - this.#cut(text).length);
  }

  #cut(text: string): string {
    const { trims } = this.#profile;
    if (trims === 'nothing' || trims === 'newline') return '';
    const kept = trims === 'newlines' ? text.replace(/\n+$/, '') : text.trimEnd();
    return text.slice(kept.length);
  }

  // A reading that was cut off may have moved the caret; what it had handed over tells where it was.
  #caretOf(handed: string | undefined, text: string): Draft | null {
    const found = MARKS.map((mark) => splitAtMark(handed ?? '', mark)).find((one) => one?.text === text);
    return found ? { text, caret: found.caret, exact: true } : null;
  }

  // A placeholder put back as text would be the end of the paste that it stands for.
  get #otherwise(): Otherwise {
    return this.#profile.placeholder ? 'keep' : 'unmark';
  }

  #isPlaceholder(text: string): boolean {
    const { placeholder } = this.#profile;
    return placeholder !== undefined && new RegExp(placeholder, 'u').test(text);
  }

  #whose(content: string): Held {
    if (content.trim() === '') return 'nothing';
    return content.trimEnd() === this.tools.envelope.payload.trimEnd() ? 'ours' : 'other';
  }

  async #placeCaret(draft: Draft | null, step: SwapStep): Promise<boolean> {
    const { tools } = this;
    const keys = draft ? caretKeys(draft, this.#profile.caretMoves) : [];
    if (draft?.caret === null) return false;
    if (keys.length > 0) {
      await tools.strokes([{ keys }], step);
      await tools.pane.waitForGap(this.#profile.restoredMs, SHOWN_MS);
    }
    return true;
  }
}

const SETTLED: Partial<Record<string, SwapStep>> = { yes: 'restoring', no: 'undoing' };

const refusalOf = (reason: string): Refusal => {
  if (reason === 'in_mode' || reason === 'other_program') return reason;
  return reason === 'gone' || reason === 'dead' ? 'gone' : 'user_typing';
};

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
