// A person who comes in while our text is in the box: noticed by their keys, waited for, and never submitted with it.
import { activityOf, cursorRowText, looksEmpty, quietAt } from '../composer/index.js';
import type { PaneView } from '../tmux/index.js';
import {
  type AttemptContext,
  type AttemptOutcome,
  LOOK_AGAIN_MS,
  lost,
  SHOWN_MS,
} from './attempt-context.js';
import { SENT_OR_CLEARED, traceOf } from './envelope.js';

export class PersonWatch {
  readonly #context: AttemptContext;
  // Until when keys are accounted for.
  #activityAt: number | null;

  constructor(context: AttemptContext) {
    this.#context = context;
    this.#activityAt = context.composer.activityAt;
  }

  // A person pressed a key after our paste. Their key must not be submitted with our text. Undefined: Enter may be
  // pressed, since there was no such key, or it changed nothing.
  async passed(seen: PaneView, enterGapMs: number): Promise<AttemptOutcome | undefined> {
    const { input, signal, composer, clock, ownClients } = this.#context;
    const isEmpty = (view: PaneView): boolean => composer.look !== null && looksEmpty(view, composer.look);
    for (;;) {
      const view = await input.pane.view();
      if (!this.#hasTouched(view)) return undefined;
      if (isEmpty(view)) return this.taken(enterGapMs);
      // What was seen before their first key, that is: a later look may have theirs in it already.
      const unchanged = !this.#hasTouched(seen) && sameRow(view, seen) && view.cursor.x === seen.cursor.x;
      if (unchanged && clock() >= quietAt(view, ownClients())) {
        this.#activityAt = activityOf(view, ownClients());
        return undefined;
      }
      await this.#context.held(
        'user_typing',
        'a person typed into the box after our text was put there; it is theirs to send or to clear',
      );
      const look = async (): Promise<true | undefined> =>
        isEmpty(await input.pane.view()) ? true : undefined;
      const waited = await input.pane.waitUntil(look, unchanged ? SHOWN_MS : LOOK_AGAIN_MS, signal);
      if (waited.outcome === 'gone' || waited.outcome === 'aborted') return lost(waited.outcome, false);
    }
  }

  // The person sent it along with their own words, or cleared it: the transcript tells.
  async taken(enterGapMs: number): Promise<AttemptOutcome> {
    const { input, envelope } = this.#context;
    const trace = await traceOf(input.pane, envelope);
    if (trace === 'none') return { kind: 'refused', reason: 'cleared_by_person' };
    if (trace === 'unknown') return { kind: 'uncertain', reason: SENT_OR_CLEARED };
    return {
      kind: 'submitted',
      evidence: 'sent_by_person',
      enterGapMs,
      view: await input.pane.view(),
    };
  }

  // A dialog may swallow a paste. That it did shows once a person has used the program since, and its box is empty.
  async hasTakenAway(): Promise<boolean> {
    const { input, composer } = this.#context;
    const view = await input.pane.view();
    return composer.look !== null && this.#hasTouched(view) && looksEmpty(view, composer.look);
  }

  // Nothing is typed within seconds of a key, so a key since then shows as a later second.
  #hasTouched(view: PaneView): boolean {
    if (this.#context.input.hold) return false;
    return this.#activityAt === null || activityOf(view, this.#context.ownClients()) > this.#activityAt;
  }
}

export const sameRow = (view: PaneView, other: PaneView): boolean =>
  cursorRowText(view) === cursorRowText(other);

export const isBlankRow = (view: PaneView): boolean => cursorRowText(view) === '';
