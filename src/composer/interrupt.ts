// The interrupt protocol: one Ctrl-C clears the box, our text goes in, and two captures tell what the draft was.
//
// Only for where nothing better is offered and the configuration asks for it: on many agents a second Ctrl-C ends them,
// and a screen does not show all that a draft may hold.
import type { Injection, PaneView, Waited } from '../tmux/index.js';
import { interruptAbilities } from './abilities.js';
import type { InterruptProfile } from './box-profile.js';
import { stillHolds } from './evidence.js';
import { boxTop, readBox, rowsNeeded, showsAlone, squash } from './interrupt-box.js';
import { isAtStart, showsPlaceholder, toLineEnd } from './interrupt-prepare.js';
import { type Putting, putBack } from './interrupt-put.js';
import { isClean, type Scene, shownDraft, takeScene, watchFor } from './interrupt-reading.js';
import { refused, tooEarly, type Why, why } from './interrupt-refusal.js';
import { strokeSeen, viewBox } from './interrupt-stroke.js';
import { type InterruptRules, InterruptWindow } from './interrupt-window.js';
import { isWithoutCursor, type Look, looksEmpty } from './look.js';
import type {
  Abilities,
  Draft,
  Held,
  Loaded,
  Protocol,
  Recovered,
  Restored,
  SwapStep,
  SwapTools,
} from './protocol.js';

export const interruptProtocol =
  (rules: InterruptRules) =>
  (tools: SwapTools): InterruptProtocol =>
    new InterruptProtocol(tools, rules);

// A healthy agent does each of these within a tenth of it.
const CLEARED_MS = 3000;
const SHOWN_MS = 3000;
// Our text is there with something else beside it: a repaint under way is over after so long, what a person typed is not.
const SETTLE_MS = 300;
// The share of the screen that every box may fill; beyond it our text could not be seen whole.
const VISIBLE_SHARE = 1 / 3;

interface Ready {
  look: Look;
  profile: InterruptProfile;
  window: InterruptWindow;
  scene: Scene;
}

interface Cleared {
  draft: Draft;
  caretAtEnd: boolean;
}

export class InterruptProtocol implements Protocol {
  readonly name = 'interrupt';
  readonly abilities: Abilities;
  readonly #tools: SwapTools;
  readonly #rules: InterruptRules;
  // The screen with our text alone in the box.
  #loaded: PaneView | undefined;
  // A Ctrl-C was pressed and has not been seen to be taken.
  #isPending = false;

  constructor(tools: SwapTools, rules: InterruptRules) {
    this.#tools = tools;
    this.#rules = rules;
    this.abilities = interruptAbilities(tools.profile.lineKeys);
  }

  async load(): Promise<Loaded> {
    const { profile, look, clock, envelope } = this.#tools;
    if (!profile.interrupt)
      return refused('not_at_prompt', 'it is not known what Ctrl-C does in this program');
    if (!look)
      return refused('not_at_prompt', 'the empty input box was never seen: a draft cannot be told from it');
    const view = await this.#tools.view();
    if (view.inMode) return refused('in_mode', 'a person is in copy mode or a menu of tmux there');
    if (isWithoutCursor(profile, view))
      return refused('not_at_prompt', 'the cursor is hidden, as it is in a dialog');
    if (rowsNeeded(envelope.payload, view.size.columns - look.column) > view.size.rows * VISIBLE_SHARE)
      return refused('text_not_found', 'the message is too long to be seen whole in the input box');
    const scene = await this.#scene(look);
    if (!scene)
      return refused('not_at_prompt', 'no input box is at the cursor, or the screen does not stand still');
    const window = new InterruptWindow(this.#rules, profile.interrupt, clock);
    const ready: Ready = { look, profile: profile.interrupt, scene, window };
    // Never a Ctrl-C on an empty box: it ends some agents, and there is nothing to clear.
    if (looksEmpty(scene.view, look)) return this.#fill(ready, scene.view, null);
    if (showsPlaceholder(scene, look, profile.interrupt?.placeholder ?? profile.editor?.placeholder))
      return refused(
        'draft_unreadable',
        'the draft holds a paste of which the screen shows only a placeholder',
      );
    return this.#clear(ready);
  }

  async check(): Promise<Held> {
    const { look, envelope } = this.#tools;
    if (!look) return 'unknown';
    const view = await viewBox(this.#tools, look);
    if (looksEmpty(view, look)) return 'nothing';
    if (showsAlone(view, look, envelope.payload) || stillHolds(view, envelope, this.#loaded)) return 'ours';
    return boxTop(view, look) === undefined ? 'unknown' : 'other';
  }

  async restore(draft: Draft | null, over: 'nothing' | 'ours'): Promise<Restored> {
    if (over === 'nothing' && (await this.check()) === 'ours') return { kind: 'still_ours' };
    // Our text that shall not be sent was not submitted, and a recovery must not believe that it was.
    return this.#putBack({ draft, step: over === 'ours' ? 'typed' : 'restoring', erase: 'ours' });
  }

  async recover(step: SwapStep, saved: Draft | null): Promise<Recovered> {
    // A Ctrl-C that the agent may still take would clear what is put back now.
    const last = this.#rules.journal.lastInterruptAt();
    this.#isPending = step === 'reading' && last !== null && last > this.#tools.clock();
    const submitted = step === 'restoring' || (step === 'entered' && (await this.#wasSubmitted()));
    const next = submitted === false ? 'typed' : 'restoring';
    return { submitted, restored: await this.#putBack({ draft: saved, step: next, erase: 'ours' }) };
  }

  async #wasSubmitted(): Promise<boolean | 'unknown'> {
    const { look, envelope } = this.#tools;
    const held = await this.check();
    if (held === 'nothing' || held === 'ours') return held === 'nothing';
    const shown = held === 'other' && look ? readBox(await viewBox(this.#tools, look), look) : undefined;
    return shown !== undefined && !squash(shown).includes(squash(envelope.mark)) ? true : 'unknown';
  }

  // Saves what the screen shows of the draft, then presses the one Ctrl-C.
  async #clear({ look, profile, window, scene: first }: Ready): Promise<Loaded> {
    await window.mend();
    const early = window.ask();
    if (early.kind === 'wait') return tooEarly(early.whose);
    const { scene, caretAtEnd } = await toLineEnd(this.#tools, first, look, profile);
    // Text that the caret does not stand behind might be a hint of the agent's own.
    if (profile.exitsWhenEmpty && isAtStart(scene, look))
      return refused(
        'draft_unreadable',
        'it is not certain that the box holds a draft: Ctrl-C might end the agent',
      );
    const { caret } = shownDraft(first, look);
    const draft = { ...shownDraft(scene, look), caret };
    await this.#tools.save(draft);
    let injection: Injection | undefined;
    const permission = await window.through(async () => {
      // In one write: the blank ends what a Ctrl-C before it may have begun.
      injection = await strokeSeen(this.#tools, [{ keys: ['Space', 'C-c'] }], 'reading', scene.view);
      return injection.outcome === 'injected';
    });
    if (permission.kind === 'wait') return tooEarly(permission.whose);
    if (injection?.outcome !== 'injected') return refused(...why(injection));
    this.#isPending = true;
    const cleared = await this.#untilEmpty(look);
    if (cleared.outcome !== 'seen') {
      const reason = cleared.outcome === 'gone' ? 'gone' : 'not_at_prompt';
      return { kind: 'stuck', reason, detail: 'Ctrl-C was pressed, but the box was not seen empty', draft };
    }
    this.#isPending = false;
    await window.taken();
    return this.#fill({ look, profile, window, scene }, cleared.value, { draft, caretAtEnd });
  }

  // Our text into the empty box, which held `old` before.
  async #fill({ look, scene }: Ready, empty: PaneView, old: Cleared | null): Promise<Loaded> {
    const { envelope } = this.#tools;
    const injection = await strokeSeen(this.#tools, [{ paste: envelope.payload }], 'typed', empty);
    if (injection.outcome === 'refused') return this.#notPasted(why(injection), look, old);
    const asked = { before: scene, envelope, look, caretAtEnd: old?.caretAtEnd ?? false };
    const first = await watchFor(this.#tools, asked, empty, SHOWN_MS, () => true);
    const seen =
      first && !isClean(first)
        ? ((await watchFor(this.#tools, asked, empty, SETTLE_MS, isClean)) ?? first)
        : first;
    if (!seen)
      return this.#backOut(
        ['text_not_found', 'our text was not seen in the box'],
        old?.draft ?? null,
        'ours',
      );
    const { typed } = seen.reading;
    const draft = { ...seen.reading.draft, caret: old?.draft.caret ?? null };
    if (!isClean(seen)) {
      const text = `${old ? draft.text : ''}${typed.gap}${typed.behind.trimEnd()}`;
      const all: Draft = { text, caret: null, exact: false };
      return this.#backOut(['user_typing', 'somebody typed beside our text'], all, 'all');
    }
    if (old) await this.#tools.save(draft);
    this.#loaded = seen.view;
    return { kind: 'loaded', draft: old && draft, view: seen.view, evidence: seen.evidence };
  }

  // Whatever is in the box now was typed since it was cleared, and belongs behind the draft.
  async #notPasted(reason: Why, look: Look, old: Cleared | null): Promise<Loaded> {
    if (!old) return refused(...reason);
    if (reason[0] === 'gone') return this.#backOut(reason, old.draft, 'ours');
    const view = await viewBox(this.#tools, look);
    const gap = looksEmpty(view, look) ? '' : (readBox(view, look) ?? '');
    const draft = gap === '' ? old.draft : { text: old.draft.text + gap, caret: null, exact: false };
    return this.#backOut(reason, draft, 'all');
  }

  // The box is left with the draft in it, and nothing of ours; else what is known of the draft stays saved.
  async #backOut([reason, detail]: Why, draft: Draft | null, erase: Putting['erase']): Promise<Loaded> {
    if (draft) await this.#tools.save(draft);
    if (reason === 'gone') return { kind: 'stuck', reason, detail, draft };
    const restored = await this.#putBack({ draft, step: 'typed', erase });
    if (restored.kind === 'restored') return refused(reason, detail);
    const more = restored.kind === 'mismatch' ? restored.detail : 'our text is still there';
    return { kind: 'stuck', reason, detail: `${detail}; ${more}`, draft };
  }

  async #putBack(putting: Putting): Promise<Restored> {
    const { look } = this.#tools;
    if (!look) return { kind: 'mismatch', found: null, detail: 'the empty input box was never seen' };
    if (this.#isPending && (await this.#untilEmpty(look)).outcome !== 'seen') {
      const found = readBox(await viewBox(this.#tools, look), look) ?? null;
      return { kind: 'mismatch', found, detail: 'the agent may still take our Ctrl-C and clear its box' };
    }
    this.#isPending = false;
    return putBack(this.#tools, look, putting);
  }

  #untilEmpty(look: Look): Promise<Waited<PaneView>> {
    const test = async (): Promise<PaneView | undefined> => {
      const view = await this.#tools.view();
      return looksEmpty(view, look) ? view : undefined;
    };
    return this.#tools.pane.waitUntil(test, CLEARED_MS, this.#tools.signal);
  }

  #scene(look: Look): Promise<Scene | undefined> {
    return takeScene(this.#tools.pane, look, () => this.#tools.view());
  }
}
