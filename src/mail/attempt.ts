// One attempt at one message through the direct way: type, see it, press Enter, see that the box let go.
import { setTimeout as delay } from 'node:timers/promises';
import { type Aftermath, endsInFullRow, looksEmpty, type Seen, type Sent } from '../composer/index.js';
import { rowText } from '../terminal/cells.js';
import type { PaneView, RefusalReason, Waited } from '../tmux/index.js';
import {
  type AttemptContext,
  type AttemptOutcome,
  LOOK_AGAIN_MS,
  lost,
  SHOWN_MS,
} from './attempt-context.js';
import { isBlankRow, PersonWatch, sameRow } from './attempt-person.js';
import { formatEntry, type JournalStep } from './journal.js';

// So soon a healthy agent has let go of a submitted text.
const RELEASED_MS = 1000;
// One that is slow may have taken it all the same: a second Enter would send it twice.
const LATE_MS = 3000;
const MAX_ENTERS = 4;
// The first gap tried on a program that swallowed an Enter; then doubled. Gemini needs 50 ms, Qwen 100.
const FIRST_GAP_MS = 60;
// No agent that was measured needs more than half of it.
const LONGEST_GAP_MS = 1000;
// In a box without a prompt an Enter that became a newline looks like a submit, so it is never pressed early there.
const PROMPTLESS_GAP_MS = 150;

export class Attempt {
  readonly #context: AttemptContext;
  #journal: string;
  #typedAt: number;
  #enterGapMs: number;
  readonly #person: PersonWatch;

  constructor(context: AttemptContext, journal: string) {
    this.#context = context;
    this.#journal = journal;
    this.#typedAt = context.clock();
    this.#person = new PersonWatch(context);
    const promptless = context.composer.bracketed && context.composer.look?.left.trim() === '';
    this.#enterGapMs = Math.max(
      context.enterGapMs,
      context.composer.enterGapMs,
      promptless ? PROMPTLESS_GAP_MS : 0,
    );
  }

  get journal(): string {
    return this.#journal;
  }

  async begin(view: PaneView): Promise<AttemptOutcome> {
    const { input, envelope } = this.#context;
    const next = this.#entry('typed');
    this.#context.fault('press:typed');
    const injection = await input.type(envelope, view, this.#journal, next);
    this.#context.fault('pressed:typed');
    if (injection.outcome === 'refused') return { kind: 'refused', reason: injection.reason };
    this.#journal = next;
    this.#typedAt = this.#context.clock();
    return this.typed(view);
  }

  // Goes on from where the text has been typed.
  async typed(before?: PaneView): Promise<AttemptOutcome> {
    const { input, envelope, signal, composer } = this.#context;
    for (let deadline = SHOWN_MS; ; deadline = LOOK_AGAIN_MS) {
      const waited = await input.shown(envelope, composer.look, before, deadline, signal);
      if (waited.outcome === 'seen') {
        await this.#context.typed(waited.value.evidence);
        return this.#enter(waited.value);
      }
      if (waited.outcome !== 'deadline') return lost(waited.outcome, false);
      if (!(await this.#context.isSameProgram())) return lost('program_ended', false);
      if (await this.#person.hasTakenAway()) return { kind: 'refused', reason: 'text_not_found' };
      await this.#context.held(
        'text_not_seen',
        'the text was typed, but the program has not shown it yet; Enter is not pressed',
      );
    }
  }

  // Presses Enter only while the box is seen to hold our text and nobody has touched it.
  async #enter(seen: Seen): Promise<AttemptOutcome> {
    const { input, clock } = this.#context;
    let current = seen.view;
    for (let tries = 0; tries < MAX_ENTERS; ) {
      const restMs = this.#typedAt + this.#enterGapMs - clock();
      if (restMs > 0) await delay(restMs);
      const touched = await this.#person.passed(current, this.#enterGapMs);
      if (touched) return touched;
      if (this.#context.isWaiting()) {
        await this.#context.held('agent_waits', 'its agent waits for a person; Enter is not pressed');
        await input.pane.waitUntil(
          async () => !this.#context.isWaiting() || undefined,
          LOOK_AGAIN_MS,
          this.#context.signal,
        );
        const again = await this.#lookAgain(current);
        if ('kind' in again) return again;
        current = again.view;
        continue;
      }
      const next = this.#entry('entered');
      this.#context.fault('press:entered');
      const injection = await input.press(this.#context.submitKey, current, this.#journal, next);
      this.#context.fault('pressed:entered');
      if (injection.outcome === 'refused') {
        if (isFinal(injection.reason)) return lost(injection.reason, false);
        // Somebody else ended the hold: keys may be behind our text now, and count again.
        if (injection.reason === 'keys_freed') input.hold = undefined;
        const again = await this.#lookAgain(current);
        if ('kind' in again) return again;
        current = again.view;
        continue;
      }
      this.#journal = next;
      tries++;
      const outcome = await this.entered(current);
      if (!('again' in outcome)) return outcome;
      current = outcome.again;
    }
    return this.#unproven(current);
  }

  // Goes on from where Enter has been pressed. `again` is the box as it holds our text still.
  async entered(typed?: PaneView): Promise<AttemptOutcome | { again: PaneView }> {
    const { input, composer, signal } = this.#context;
    if (!composer.look) return this.#unproven(typed);
    const sent = this.#sent(typed);
    const soon = await input.released(sent, RELEASED_MS, signal);
    const waited = mayBeLate(soon) ? await input.released(sent, LATE_MS, signal) : soon;
    if (waited.outcome === 'deadline') return this.#unproven(typed);
    if (waited.outcome !== 'seen') return lost(waited.outcome, true);
    const aftermath = waited.value;
    if (aftermath.kind === 'released') {
      // One that died of it and was started again has an empty box, too.
      if (!(await this.#context.isSameProgram())) return lost('program_ended', true);
      return this.#submitted('box_empty', aftermath.view, this.#cursorTells(typed));
    }
    // Too early for this program: longer from now on, and no trace of the newline that it made of it.
    this.#enterGapMs = Math.min(Math.max(FIRST_GAP_MS, this.#enterGapMs * 2), LONGEST_GAP_MS);
    this.#typedAt = this.#context.clock();
    const back = aftermath.brokeLine ? await this.#takeNewlineBack(aftermath.view) : undefined;
    return { again: back ?? aftermath.view };
  }

  // Resumes an attempt whose Enter was pressed by a daemon that is gone.
  async goOnFromEnter(): Promise<AttemptOutcome> {
    const outcome = await this.entered();
    return 'again' in outcome ? this.#enter({ view: outcome.again, evidence: 'ending' }) : outcome;
  }

  async #takeNewlineBack(view: PaneView): Promise<PaneView | undefined> {
    const { input, signal } = this.#context;
    const above = rowText(view.rows[view.cursor.y - 1] ?? []).trimEnd();
    const injection = await input.press('BSpace', view, this.#journal, this.#journal);
    if (injection.outcome === 'refused') return undefined;
    const look = async (): Promise<PaneView | undefined> => {
      const now = await input.pane.view();
      return rowText(now.rows[now.cursor.y] ?? []).trimEnd() === above ? now : undefined;
    };
    const waited = await input.pane.waitUntil(look, RELEASED_MS, signal);
    this.#typedAt = this.#context.clock();
    return waited.outcome === 'seen' ? waited.value : undefined;
  }

  // Enter was pressed and the box neither came back to its empty look nor holds our text where we saw it.
  async #unproven(typed?: PaneView): Promise<AttemptOutcome> {
    const { input, composer, signal } = this.#context;
    const sent = this.#sent(typed);
    const isUnsure = !composer.proven || sent.isBlind;
    // A look that may be wrong teaches only that it does not tell.
    const tells = this.#cursorTells(typed) === false ? false : undefined;
    await this.#context.held(
      'submit_not_seen',
      'Enter was pressed, but the input box has not been seen empty since',
    );
    for (let looks = 0; ; ) {
      const waited = await input.released(sent, LOOK_AGAIN_MS, signal);
      if (waited.outcome === 'gone' || waited.outcome === 'aborted') return lost(waited.outcome, true);
      if (!(await this.#context.isSameProgram())) return lost('program_ended', true);
      if (waited.outcome === 'seen' && waited.value.kind === 'released')
        return this.#submitted('box_empty', waited.value.view, tells);
      // The look of a box that was never seen to come back may have been wrong, and one whose cursor stands elsewhere tells
      // nothing; that the screen is no longer the one with our text in the box counts then.
      looks = waited.outcome === 'deadline' && isUnsure ? looks + 1 : 0;
      if (looks < 2) continue;
      // Nothing was seen of it before Enter, and nothing can be seen since.
      if (sent.isBlind && !typed) return { kind: 'uncertain', reason: UNSEEN };
      return this.#submitted('text_left_box', await input.pane.view(), tells);
    }
  }

  // The screen moved between our look and the key: look again, if need be after the next output.
  async #lookAgain(seen: PaneView): Promise<Seen | AttemptOutcome> {
    const { input, envelope, signal, composer } = this.#context;
    for (;;) {
      const waited = await input.shown(envelope, composer.look, undefined, LOOK_AGAIN_MS, signal);
      if (waited.outcome === 'seen') return waited.value;
      if (waited.outcome !== 'deadline') return lost(waited.outcome, false);
      if (await this.#person.hasTakenAway()) return this.#person.taken(this.#enterGapMs);
      const view = await input.pane.view();
      if (sameRow(view, seen) && !isBlankRow(view)) return { view, evidence: 'placeholder' };
      await this.#context.held(
        'text_not_seen',
        'the text was typed, but is no longer seen in the input box; Enter is not pressed',
      );
    }
  }

  #submitted(evidence: string, view: PaneView, cursorTells: boolean | undefined): AttemptOutcome {
    return { kind: 'submitted', evidence, enterGapMs: this.#enterGapMs, view, cursorTells };
  }

  // Whether the box looks otherwise with our text in it; a text that fills its row does not show that.
  #cursorTells(typed: PaneView | undefined): boolean | undefined {
    const { composer, envelope } = this.#context;
    if (!typed || !composer.look) return undefined;
    if (!looksEmpty(typed, composer.look)) return true;
    return endsInFullRow(typed, envelope) ? undefined : false;
  }

  #sent(typed: PaneView | undefined): Sent {
    const { composer, envelope } = this.#context;
    const { look: empty } = composer;
    const isBlind = empty !== null && (typed ? looksEmpty(typed, empty) : composer.cursorTells === false);
    return { empty, envelope, typed, isBlind };
  }

  #entry(step: JournalStep): string {
    const { lease, message, attempt } = this.#context;
    return formatEntry({ lease, message, attempt, step });
  }
}

const UNSEEN =
  'Enter was pressed, but this box does not show what it holds, so whether it let go cannot be seen';

const FINAL: ReadonlySet<RefusalReason> = new Set([
  'gone',
  'dead',
  'other_program',
  'mark_changed',
  'in_mode',
]);
const isFinal = (reason: RefusalReason): boolean => FINAL.has(reason);

// An Enter that became a newline has had its effect.
const mayBeLate = (waited: Waited<Aftermath>): boolean =>
  waited.outcome === 'seen' && waited.value.kind === 'kept' && !waited.value.brokeLine;
