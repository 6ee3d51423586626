// The input box as its agent's editor key shows it: handed over whole to our shim, and taken back as we say.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { rowText } from '../terminal/cells.js';
import type { EditorProfile } from './box-profile.js';
import { MARKS, type Mark, withoutKeys } from './caret.js';
import { placeCaret } from './editor-caret.js';
import { cutFrom, fileFor, folded } from './editor-file.js';
import { dropLetter } from './editor-residue.js';
import type { Answer, Handover, Otherwise } from './handover.js';
import type { Held, Refusal, SwapStep, SwapTools } from './protocol.js';
import { findOurs } from './settle.js';

// The shim ends within milliseconds of its answer.
const SHIM_END_MS = 3000;
const SHOWN_MS = 3000;
// Gemini reads its file a second after the editor has ended, in a conversation of 200 turns on a busy machine.
const TAKEN_MS = 5000;
// An agent that prints nothing when it is back is taken to be there after this.
const BACK_MS = 1000;
// Something was printed before the end, so it is there, or about to be: Copilot paints every 250 ms.
const EARLY_MS = 250;
// OpenCode forgets the first key of two after 2 s.
const PAIR_MS = 2100;
const MAX_CALLS = 3;

// The editor was called: this is what the box holds, and the call waits for an answer.
export type Called = { token: string; content: string };
export type NotCalled = { refusal: Refusal; detail: string };

const LATE: NotCalled = {
  refusal: 'user_typing',
  detail: 'its editor may be called yet, for a key that it did not hear in time',
};
const UNHEARD: NotCalled = {
  refusal: 'not_at_prompt',
  detail: 'its editor key opened no editor: a dialog, a menu or another view has the keys',
};

export class EditorBox {
  // What a dead daemon left in files must not be taken for an answer to us.
  readonly #nonce = randomBytes(3).toString('hex');
  #calls = 0;
  // What the last call was for.
  step: SwapStep = 'reading';
  // When its last mark was typed.
  markedAt = 0;
  // It had not shown the mark when it was given up.
  isLate = false;
  // Those that may stand in the box because of us.
  marks: readonly Mark[] = MARKS;

  constructor(
    readonly tools: SwapTools,
    readonly handover: Handover,
    readonly profile: EditorProfile,
  ) {}

  // Opens the editor, also where an agent hears only the second key of two at first. With a mark, its caller takes both away.
  async open(step: SwapStep, otherwise: Otherwise, mark?: string): Promise<Called | NotCalled> {
    if (mark !== undefined || this.profile.keys.length === 1) return this.#call(step, otherwise, mark);
    for (let calls = 1; ; calls++) {
      const before = await this.tools.view();
      const called = await this.#call(step, otherwise);
      if (!('refusal' in called) || !(await dropLetter(this, before, step)) || calls === MAX_CALLS)
        return called;
    }
  }

  // Presses the editor's key and waits for the shim to be called.
  async #call(step: SwapStep, otherwise: Otherwise, mark?: string): Promise<Called | NotCalled> {
    const { tools, handover } = this;
    this.step = step;
    const { keys, markGapMs, shownMs, callMs, file } = this.profile;
    if (!(await this.#hasCursor()))
      return { refusal: 'not_at_prompt', detail: 'the program shows no cursor: a dialog or a menu is open' };
    if (handover.mayBeCalled) await handover.lateOver();
    const token = `${tools.token}-${this.#nonce}-${++this.#calls}`;
    const typed = mark === undefined ? [] : [{ type: mark }];
    if (mark !== undefined) this.markedAt = tools.clock();
    const waits = mark !== undefined && this.profile.seesMark !== undefined;
    const writes =
      markGapMs === 0 && !waits
        ? [[...typed, { keys }]]
        : [...typed.map((one) => [one]), ...keys.map((key) => [{ keys: [key] }])];
    // Until the key is pressed, and then until the call.
    const keysMs = (waits ? shownMs : 0) + writes.length * markGapMs;
    handover.ask({ token, otherwise, pattern: file, callMs: keysMs + callMs, ...(mark && { mark }) });
    for (const [i, strokes] of writes.entries()) {
      if (i > 0) await delay(markGapMs);
      if (i === 1 && waits && !(await this.#isShown(mark))) {
        handover.withdraw(token);
        this.isLate = true;
        return { refusal: 'user_typing', detail: 'the agent does not show what was typed' };
      }
      const injection = await tools.strokes(strokes, step);
      if (injection.outcome === 'injected') continue;
      handover.withdraw(token);
      return {
        refusal: refusalOf(injection.reason),
        detail: `the keys were not pressed (${injection.reason})`,
      };
    }
    const content = await handover.draft(token, callMs, tools.signal);
    if (content !== undefined) return { token, content: withoutKeys(content, keys) };
    if (handover.giveUp()) {
      // Not waited for to the end: it is about to come, and the shim does by itself what is to be done.
      if (tools.signal.aborted) await handover.lateOver();
      return this.#misfit(handover.noteMisfit(file)) ?? UNHEARD;
    }
    const late = await handover.draft(token, SHIM_END_MS);
    if (late !== undefined) return { token, content: withoutKeys(late, keys) };
    return { refusal: 'not_at_prompt', detail: 'the editor was called and handed nothing over' };
  }

  // The last call came with a file that is not the box: the key is left alone for a while. Or it may come yet: nobody's keys
  // wait for that.
  get misfit(): NotCalled | undefined {
    const { handover, profile } = this;
    return this.#misfit(handover.misfit(profile.file)) ?? (handover.mayBeCalled ? LATE : undefined);
  }

  #misfit(path: string | undefined): NotCalled | undefined {
    if (path === undefined) return undefined;
    const detail = `its editor was called on ${path}, which \`editor.file: ${this.profile.file}\` of its profile does not fit`;
    return { refusal: 'draft_unreadable', detail };
  }

  // Where a dialog is open the key may be an answer to it.
  async #hasCursor(): Promise<boolean> {
    const { tools } = this;
    if (!tools.profile.cursorShownInBox) return true;
    const look = async (): Promise<true | undefined> => (await tools.view()).cursor.visible || undefined;
    // It is hidden for a moment while a screen is painted.
    return (await tools.pane.waitUntil(look, BACK_MS)).outcome === 'seen';
  }

  async #isShown(mark: string): Promise<boolean> {
    const { tools, profile } = this;
    // Anywhere: at the end of a row it is not in the row of the cursor. It was nowhere before.
    const look = async (): Promise<true | undefined> =>
      (await tools.view()).rows.some((row) => rowText(row).includes(mark)) || undefined;
    const seen = await tools.pane.waitUntil(look, profile.shownMs, tools.signal);
    return seen.outcome === 'seen' || profile.seesMark === 'if_typed';
  }

  // An agent that did not call its editor last time is asked without a mark first: marks that it does not take would pile up.
  // Not where asking alone moves the caret.
  async isSilent(step: SwapStep): Promise<NotCalled | undefined> {
    if (!this.handover.wasSilent || this.profile.retakes) return undefined;
    const called = await this.open(step, 'keep');
    if ('refusal' in called) return called;
    await this.keep(called, step);
    return undefined;
  }

  async #close(token: string, answer: Answer): Promise<void> {
    await this.whenBack(async () => {
      await this.handover.answer(token, answer);
      await this.taken(token);
      return true;
    });
  }

  // How long it may take to read the file and remove it.
  get takenMs(): number {
    return this.profile.removesFile ? TAKEN_MS : 0;
  }

  // The call is over, and the agent has the text where that can be seen.
  async taken(token: string): Promise<void> {
    await this.handover.removed(token, this.takenMs);
    await this.handover.outcome(token, SHIM_END_MS);
  }

  // Keys that come before an agent is back from its editor are lost; its screen is the first that it prints then.
  // `end` says whether there was a call to be ended.
  async whenBack(end: () => Promise<boolean>): Promise<void> {
    let printed = (): void => {};
    let early = false;
    const reading = this.tools.pane.onOutput(() => {
      early = true;
      printed();
    });
    try {
      const ended = await end();
      if (ended && this.profile.restoredMs > 0) {
        // What came before the end may be the last that it printed before it called the editor.
        const output = new Promise<void>((resolve) => (printed = resolve));
        // One that has its terminal back may have nothing to print.
        await Promise.race([output, delay(early || this.handover.hasTerminal ? EARLY_MS : BACK_MS)]);
      }
    } finally {
      reading.dispose();
    }
    await this.rest();
  }

  // Until its screen has settled after a hand-over or our keys.
  async rest(): Promise<void> {
    const { restoredMs } = this.profile;
    if (restoredMs > 0) await this.tools.pane.waitForGap(restoredMs, SHOWN_MS);
  }

  // Leaves the box as it is. An agent that takes the file back all the same cuts the end of it once more.
  async keep({ token, content }: Called, step: SwapStep): Promise<void> {
    await this.#close(token, { kind: 'keep' });
    if (this.profile.retakes) await this.#typeCut(content, step);
  }

  // As `keep`, with the caret brought back behind the mark that was typed there, for an agent that has moved it.
  async keepAtMark(called: Called, mark: Mark, step: SwapStep): Promise<void> {
    await this.keep(called, step);
    if (!this.profile.retakes) return;
    const text = folded(this.profile, called.content);
    const at = text.indexOf(mark);
    if (at >= 0) await placeCaret(this, { text, caret: at + mark.length, exact: false }, step);
  }

  // The exact content of the box, left as it is.
  async read(step: SwapStep): Promise<string | null> {
    const called = await this.open(step, 'keep');
    if ('refusal' in called) return null;
    await this.keep(called, step);
    return called.content;
  }

  // The first key of two may have been pressed by a daemon that is gone: pressed again it would end the pair, and the
  // second would be text. It is waited for until the agent has forgotten it.
  async forgetFirstKey(): Promise<void> {
    if (this.profile.keys.length > 1) await delay(PAIR_MS);
  }

  // Puts a text into the box; what the agent would cut from its end is typed behind it.
  async put(token: string, text: string, step: SwapStep): Promise<void> {
    const { tools } = this;
    if (text === '' && this.profile.ignoresEmpty) {
      await this.#close(token, { kind: 'put', text: ' ' });
      await tools.strokes([{ keys: ['BSpace'] }], step);
      await this.rest();
      return;
    }
    await this.#close(token, { kind: 'put', text: fileFor(this.profile, text) });
    await this.#typeCut(text, step);
  }

  async #typeCut(text: string, step: SwapStep): Promise<void> {
    const { tools } = this;
    const cut = cutFrom(this.profile, text);
    if (cut === '') return;
    const strokes = [...cut].map((char) => (char === '\n' ? { keys: ['C-j'] } : { type: char }));
    await tools.strokes(strokes, step);
    await this.rest();
  }

  whose(content: string): Held {
    if (content.trim() === '') return 'nothing';
    const found = findOurs(content, this.tools.envelope.payload);
    return found?.length === content.trim().length ? 'ours' : 'other';
  }
}

const refusalOf = (reason: string): Refusal => {
  if (reason === 'in_mode' || reason === 'other_program') return reason;
  return reason === 'gone' || reason === 'dead' ? 'gone' : 'user_typing';
};
