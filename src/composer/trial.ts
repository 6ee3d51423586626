// Finds out what editing keys mean in a program that has no profile: on its empty input box, and leaves it empty.
//
// Only keys that edit are pressed: letters, arrows, backspace, the keys for the start and the end of a line and for a kill.
// Nothing is typed that opens a menu, no Enter, and a newline only as a paste in brackets. After each question the box is
// emptied and must look as it did.
import type { PaneView } from '../tmux/index.js';
import { type Look, looksEmpty } from './look.js';
import type { Stroke, SwapTools } from './protocol.js';
import { inWrites, keys, times, type } from './sentinel-hand.js';
import { ROW_BREAK } from './sentinel-marks.js';
import { flatten } from './sentinel-screen.js';
import { decideKeys, type Reach, type TrialSeen, type TrialVerdict } from './trial-decide.js';

export interface TrialTools extends Pick<SwapTools, 'pane' | 'strokes' | 'view' | 'clock' | 'signal'> {
  // How the empty box looks: the trial begins and ends with it.
  look: Look;
  // The program asked for pastes in brackets, so that a pasted newline does not submit.
  bracketed: boolean;
}

export type TrialOutcome =
  | TrialVerdict
  // The box was not empty, or the pane changed under us: nothing was found out, the box is as it was.
  | { kind: 'not_now'; detail: string }
  // The box could not be emptied again.
  | { kind: 'left_behind'; detail: string };

const CANDIDATES = [
  { start: 'C-a', end: 'C-e', kill: 'C-k' },
  { start: 'Home', end: 'End', kill: 'C-k' },
] as const;
const BACKSPACE = 'BSpace';

// The slowest agent measured paints every 250 ms.
const SHOWN_MS = 1000;
const WORD = '§qz';
const FIRST = '¤';
const LAST = '¦';

class TrialStop extends Error {
  constructor(
    readonly kind: 'not_now' | 'left_behind',
    detail: string,
  ) {
    super(detail);
  }
}

export async function runTrial(tools: TrialTools): Promise<TrialOutcome> {
  const trial = new Trial(tools);
  try {
    let verdict: TrialVerdict | undefined;
    for (const candidate of CANDIDATES) {
      verdict = decideKeys(await trial.observe(candidate));
      if (verdict.kind === 'keys' && verdict.lineKeys.start.moves === 'line') break;
      if (verdict.kind === 'unsupported' && !/^no_(line|kill)/.test(verdict.reason)) break;
    }
    return verdict as TrialVerdict;
  } catch (error) {
    if (error instanceof TrialStop) return { kind: error.kind, detail: error.message };
    throw error;
  }
}

class Trial {
  #slowestMs = 0;
  // No more than this many characters of ours can be in the box.
  #typed = 0;

  constructor(readonly tools: TrialTools) {}

  async observe(candidate: { start: string; end: string; kill: string }): Promise<TrialSeen> {
    const seen: TrialSeen = {
      ...candidate,
      backspace: BACKSPACE,
      types: false,
      erases: false,
      arrows: false,
      keepsOrder: false,
      toStart: false,
      toEnd: false,
      kills: false,
      wrapped: null,
      lines: null,
      slowestMs: 0,
    };
    await this.#isEmpty('not_now', 'the input box is not empty');
    seen.types = await this.#shows([type(WORD)], WORD);
    if (!seen.types) return this.#wiped(seen);
    await this.#press([keys(...times(WORD.length, BACKSPACE))]);
    seen.erases = await this.#empties();
    if (!seen.erases) return this.#wiped(seen);
    const { start, end, kill } = candidate;
    seen.arrows =
      (await this.#shows([type(WORD), keys('Left'), type(FIRST)], `§q${FIRST}z`)) &&
      (await this.#shows([keys('Right'), type(LAST)], `§q${FIRST}z${LAST}`));
    await this.#wiped(seen);
    if (!seen.arrows) return seen;
    // One node version puts such characters in the wrong order: marks would be torn apart.
    const middle = keys(...times(2, 'Left'));
    const burst = `${FIRST}${LAST}¬±µ`;
    seen.keepsOrder = await this.#shows([type(WORD), middle, type(burst)], `§${burst}qz`);
    await this.#wiped(seen);
    if (!seen.keepsOrder) return seen;
    seen.toStart = await this.#shows([type(WORD), keys(start), type(FIRST)], FIRST + WORD);
    seen.toEnd = seen.toStart && (await this.#shows([keys(end), type(LAST)], FIRST + WORD + LAST));
    if (seen.toEnd) {
      await this.#press([keys(start, kill)]);
      seen.kills = await this.#empties();
    }
    await this.#wiped(seen);
    if (!seen.kills) return seen;
    seen.wrapped = await this.#observeWrapped(candidate);
    await this.#wiped(seen);
    if (this.tools.bracketed) seen.lines = await this.#observeLines(candidate);
    return this.#wiped(seen);
  }

  async #observeWrapped({ start, end, kill }: { start: string; end: string; kill: string }) {
    const { size } = await this.tools.view();
    const text = `§q${'c'.repeat(size.columns + 8)}z`;
    if (!(await this.#shows([type(text)], text))) return null;
    // Where the box scrolls sideways instead, there is only one row.
    const isBroken = !flatten((await this.tools.view()).rows).text.includes(text);
    if (!isBroken) return null;
    const reach = (isLine: boolean): Reach => (isLine ? 'line' : 'row');
    const atStart = await this.#shows([keys(start), type(FIRST)], `${FIRST}§q`, 'ccz');
    await this.#wipe();
    await this.#shows([type(text)], text);
    // To the first row's start, whatever `start` means.
    const up = keys(start, ...times(4, 'Left', start));
    const atEnd = await this.#shows([up, keys(end), type(LAST)], `cz${LAST}`);
    await this.#wipe();
    await this.#shows([type(text)], text);
    await this.#press([up, keys(kill), type(FIRST)]);
    const rest = await this.#finds((flat) =>
      flat.includes(FIRST) && !flat.includes('§q') ? flat : undefined,
    );
    return {
      start: reach(atStart),
      end: reach(atEnd),
      kill: reach(rest !== undefined && !rest.includes('ccz')),
    };
  }

  async #observeLines({ end, kill }: { start: string; end: string; kill: string }) {
    const [one, two] = ['§qa', 'z§q'];
    const lines: Stroke = { paste: `${one}\n${two}` };
    const none = { crosses: false, killJoins: false, backspaceJoins: false };
    if (!(await this.#shows([lines], one, two))) return null;
    const back = keys(...times(two.length + 1, 'Left'));
    const crosses =
      (await this.#shows([back, type(FIRST)], one + FIRST, two)) &&
      (await this.#shows([keys('Right'), type(LAST)], one + FIRST, LAST + two));
    if (!crosses) return none;
    await this.#wipe();
    await this.#shows([lines], one, two);
    const killJoins = await this.#showsInRow([back, keys(end, kill), type(FIRST)], one + FIRST + two);
    await this.#wipe();
    await this.#shows([lines], one, two);
    const toSecond = keys(...times(two.length, 'Left'));
    const backspaceJoins = await this.#showsInRow(
      [toSecond, keys(BACKSPACE), type(FIRST)],
      one + FIRST + two,
    );
    return { crosses, killJoins, backspaceJoins };
  }

  // Presses, and waits until all the texts are seen, wherever rows break inside them.
  async #shows(strokes: readonly Stroke[], ...texts: string[]): Promise<boolean> {
    const begun = this.tools.clock();
    await this.#press(strokes);
    const patterns = texts.map((text) => {
      const parts = [...text].map((char) => char.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
      return new RegExp(parts.join(`(?:${ROW_BREAK})?`), 'u');
    });
    const seen = await this.#finds((flat) => patterns.every((pattern) => pattern.test(flat)) || undefined);
    if (seen) this.#slowestMs = Math.max(this.#slowestMs, this.tools.clock() - begun);
    return seen ?? false;
  }

  async #showsInRow(strokes: readonly Stroke[], text: string): Promise<boolean> {
    await this.#press(strokes);
    return (await this.#finds((flat) => flat.includes(text) || undefined)) ?? false;
  }

  async #finds<T>(look: (flat: string) => T | undefined): Promise<T | undefined> {
    const found = await this.#until((view) => look(flatten(view.rows).text));
    return found;
  }

  async #until<T>(look: (view: PaneView) => T | undefined): Promise<T | undefined> {
    const { pane, signal } = this.tools;
    const waited = await pane.waitUntil(async () => look(await this.tools.view()), SHOWN_MS, signal);
    if (waited.outcome === 'seen') return waited.value;
    if (waited.outcome === 'deadline') return undefined;
    throw new TrialStop('left_behind', `the pane was ${waited.outcome}`);
  }

  async #press(strokes: readonly Stroke[]): Promise<void> {
    // Keys count too: where they are not known they insert letters.
    for (const stroke of strokes)
      this.#typed +=
        'keys' in stroke ? stroke.keys.length : 'type' in stroke ? stroke.type.length : stroke.paste.length;
    const injection = await this.tools.strokes(strokes, 'reading');
    if (injection.outcome === 'refused')
      throw new TrialStop('left_behind', `the pane changed: ${injection.reason}`);
  }

  async #empties(): Promise<boolean> {
    return (await this.#until((view) => looksEmpty(view, this.tools.look) || undefined)) ?? false;
  }

  async #isEmpty(kind: 'not_now' | 'left_behind', detail: string): Promise<void> {
    if (!(await this.#empties())) throw new TrialStop(kind, detail);
    this.#typed = 0;
  }

  async #wiped(seen: TrialSeen): Promise<TrialSeen> {
    await this.#wipe();
    seen.slowestMs = this.#slowestMs;
    return seen;
  }

  // Right to the end of whatever is there, then backspace over all of it.
  async #wipe(): Promise<void> {
    if (this.#typed === 0) return;
    const most = this.#typed;
    const strokes = [...inWrites(times(most, 'Right')), ...inWrites(times(most, BACKSPACE))];
    const view = await this.tools.view();
    if (!looksEmpty(view, this.tools.look)) await this.#press(strokes);
    await this.#isEmpty('left_behind', 'the input box could not be emptied again');
  }
}
