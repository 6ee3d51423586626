// Reads a whole draft without deleting any of it: a sentinel before and one behind every line, then all of them on one screen.
//
// A line lies between two marks, so blank lines and trailing blanks are exact. A row break between the two is soft; blanks
// that it may hide are found by a second look with the line pushed along. Whether there is a further line is not guessed from
// what it holds: Left at the first line and Right at the last do not move, so two marks stand side by side. `start` is only
// pressed with a mark to the left in the same line and `end` with one to the right: where a key pressed twice goes on to the
// next line (Codex, OpenCode) it never gets the chance. No key that could reach the history is used. In the end as many
// presses of Left as the text has characters must lead exactly to the first mark: a tab that looks like blanks, a placeholder
// for a paste, a key that a person pressed meanwhile are found by that.
import type { PaneView } from '../tmux/index.js';
import type { Draft, Stroke, SwapStep } from './protocol.js';
import { type Hand, inWrites, keys, Stop, times, type } from './sentinel-hand.js';
import { MARK_LENGTH, type MarkPair } from './sentinel-marks.js';
import { fewestPresses, type Move, mostPresses, movesThatTake } from './sentinel-moves.js';
import {
  CARET,
  flatten,
  isAccountedFor,
  isBlank,
  type LineShape,
  lineText,
  readPairs,
} from './sentinel-screen.js';
import { openBreaks } from './sentinel-wrap.js';

export interface Reading extends Draft {
  caret: number;
  lines: string[];
  // Pairs of marks behind the last line's own.
  extra: number;
  // The screen before anything was typed.
  before: PaneView;
  // The screen in the end.
  after: PaneView;
  // Where the caret was left: behind the first mark and the one that proved the count, or behind the last.
  at: 'first' | 'last';
  // It holds what was not on the screen before.
  isForeign: boolean;
  // How an arrow key moves in it, as far as that was counted.
  moves: readonly Move[];
}

export interface ReadOptions {
  // The screen as it is.
  before: PaneView;
  // Lines above the caret, as far as anyone can tell.
  above: number;
  // `own`: we have put this text in ourselves and seen it. It holds no tabs and no labels, and the box has the focus.
  whose: 'unknown' | 'own';
}

// How many lines further up the first line is looked for, in turn. A try too short costs a look, one too long a bell in
// some editors.
const CLIMBS = [6, 24, 96, 400];
// Lines marked with one write. Each grows by two marks: in a low box lines may scroll out, then it is done one by one.
const ROWS_PER_PAIR = 5;
const MOST_PAIRS = 6;
const MOST_LINES = 500;
// Beyond the echo time of a program, how long a screen may take that will maybe never come.
const GRACE_MS = 150;

export class SentinelReader {
  // A mark of ours was seen in the box: it has the focus, and walking through it is safe.
  hasFocus = false;
  // The key for the start of a line did what it should.
  knowsKeys = false;
  // It stopped, and has taken its marks out already.
  isClean = false;

  constructor(
    readonly hand: Hand,
    readonly step: SwapStep,
  ) {}

  // Leaves the marks in the box and the caret behind the first two. Throws Stop; then `hand.sweep` takes the marks out.
  async read({ before, above, whose }: ReadOptions): Promise<Reading> {
    const size = Math.min(MOST_PAIRS, Math.max(1, Math.floor(before.size.rows / ROWS_PER_PAIR)));
    const read =
      (whose === 'own' ? await this.#markOwn(size, above) : await this.#markUnknown(size, above)) ??
      (await this.#oneByOne());
    if (!read) throw new Stop('draft_unreadable', 'a line of the draft does not show between its marks');
    const lines = read.shapes.map(lineText);
    const marked = lines.join('\n');
    const caret = marked.indexOf(CARET);
    if (caret < 0) throw new Stop('sentinel_not_found', 'the mark at the caret is in none of the lines');
    const text = marked.replace(CARET, '');
    const plain = text.split('\n');
    const caretLine = lines.findIndex((line) => line.includes(CARET));
    const counted = whose === 'unknown' ? await this.#count(lines, read) : { view: before, moves: [] };
    if (!counted)
      throw new Stop('draft_unreadable', 'the caret does not move over the draft character by character');
    const at = whose === 'unknown' ? 'first' : 'last';
    const isForeign = !isAccountedFor(before, plain, caretLine, read.shows);
    return {
      text,
      caret,
      exact: true,
      lines: plain,
      extra: read.extra,
      before,
      after: counted.view,
      at,
      isForeign,
      moves: counted.moves,
    };
  }

  async #markUnknown(size: number, above: number): Promise<Lines | undefined> {
    await this.#markCaret();
    return this.#markLines(size, await this.#climb([above, ...CLIMBS]));
  }

  // The number of lines is known, so is the way to the first one: all marks go in with one write.
  #markOwn(size: number, above: number): Promise<Lines | undefined> {
    const { start } = this.hand.lineKeys;
    this.hasFocus = true;
    const up = keys(start.key, ...times(above, 'Left', start.key));
    return this.#markLines(size, 0, [type(this.hand.marks.caret), up]);
  }

  async #oneByOne(): Promise<Lines | undefined> {
    const { hand, step } = this;
    if (!(await hand.sweep(step, 'all')))
      throw new Stop('draft_unreadable', 'a box that scrolls was not read');
    await this.#markCaret();
    const read = await this.#markLines(1, await this.#climb([0, ...CLIMBS]));
    return read && { ...read, shows: 'part' };
  }

  // The first mark proves that the box takes keys; nothing else is pressed until it is seen.
  async #markCaret(): Promise<void> {
    const { hand, step } = this;
    await hand.press([type(hand.marks.caret)], step);
    const seen = await hand.until((view) => hand.visibleMarks(view).length > 0 || undefined);
    this.hasFocus = seen !== undefined;
    if (seen) return;
    // Nothing is deleted that was not seen: the next attempt, or a recovery, knows a mark that comes late as ours.
    throw new Stop('sentinel_not_found', 'a mark was typed and is not seen');
  }

  // To the start of the first line: a mark there, and one behind the Left that no longer moves.
  // Each try has marks of the other kind: what is seen is never the try before. Says which kind is at the top.
  async #climb(climbs: readonly number[]): Promise<0 | 1> {
    const { hand, step } = this;
    const { start, backspace } = hand.lineKeys;
    const erase = times(MARK_LENGTH, backspace);
    // Not an end mark: a start and an end mark side by side are what an empty line looks like.
    const [, , beside] = hand.marks.proof;
    for (const [i, climb] of climbs.entries()) {
      const kind = i % 2 === 0 ? 0 : 1;
      const pair = hand.marks.pairs[kind];
      const before = i === 0 ? [start.key] : [...erase, ...times(MARK_LENGTH + 1, 'Right'), ...erase];
      const up = keys(...before, ...times(climb, 'Left', start.key));
      const back = keys(...times(MARK_LENGTH + 1, 'Left'));
      await hand.press([up, type(beside), back, type(pair.start)], step);
      const place = await hand.until((view) => this.#placeOf(view, pair.start, beside));
      this.knowsKeys ||= place !== undefined;
      if (place === 'top') return kind;
      if (!place) throw new Stop('sentinel_not_found', 'the marks at the start of a line are not seen');
    }
    throw new Stop('draft_unreadable', 'the draft has too many lines');
  }

  #placeOf(view: PaneView, start: string, beside: string): 'top' | 'below' | undefined {
    const flat = flatten(view.rows);
    const marks = this.hand.visibleMarks(view).filter(({ name }) => name !== 'caret');
    const first = marks.find(({ text }) => text === start);
    const second = marks.find(({ text }) => text === beside);
    if (!first) return undefined;
    // The mark typed last has the caret behind it: else this is a moment in between.
    const last = flat.cells[first.to - 1];
    if (last?.y === view.cursor.y && last.x + 1 !== view.cursor.x) return undefined;
    // The one typed before it may have scrolled out, but not from beside it.
    return first.to === second?.from ? 'top' : 'below';
  }

  async #markLines(size: number, kind: 0 | 1, lead?: readonly Stroke[]): Promise<Lines | undefined> {
    const { hand, step } = this;
    const { end, backspace } = hand.lineKeys;
    const shapes: LineShape[] = [];
    for (let batch = 0; shapes.length < MOST_LINES; batch++) {
      const pair = hand.marks.pairs[(kind + batch) % 2] as MarkPair;
      const strokes: Stroke[] = batch === 0 && lead ? [...lead] : [];
      for (let i = 0; i < size; i++) {
        // The first line has its start mark already, and behind it the mark that helped to find the top.
        const first = batch === 0 && i === 0 && !lead;
        const aside = [...times(MARK_LENGTH, 'Right'), ...times(MARK_LENGTH, backspace)];
        if (first) strokes.push(keys(...aside, 'Left', end.key));
        else strokes.push(type(pair.start), keys('Left', end.key));
        strokes.push(type(pair.end), keys('Right'));
      }
      await hand.press(strokes, step);
      const patience = size > 1 ? hand.lineKeys.echoMs + GRACE_MS : hand.patienceMs;
      const read = await hand.until((view) => readPairs(view, hand.marks, pair, size), patience);
      if (!read) return undefined;
      shapes.push(...(await openBreaks(hand, step, read, pair, size)));
      if (read.extra > 0)
        return this.#dropPhantom(
          { shapes, extra: read.extra, kind, shows: batch === 0 ? 'all' : 'part' },
          read.lastStart,
        );
    }
    throw new Stop('draft_unreadable', 'the draft has too many lines');
  }

  // Marks that a full row pushed into the next one look like an empty last line: there `start` goes elsewhere.
  async #dropPhantom(lines: Lines, lastStart: { x: number; y: number }): Promise<Lines> {
    const { shapes, extra } = lines;
    const last = shapes.at(-1);
    if (shapes.length < 2 || !last || !isBlank(last)) return lines;
    const { hand, step } = this;
    const { start, end, echoMs } = hand.lineKeys;
    await hand.press([keys(start.key)], step);
    const isReal = await hand.until(
      ({ cursor }) => (cursor.x === lastStart.x && cursor.y === lastStart.y) || undefined,
      echoMs + GRACE_MS,
    );
    await hand.press([keys(end.key)], step);
    return isReal ? lines : { ...lines, shapes: shapes.slice(0, -1), extra: extra + 1 };
  }

  // As many presses of Left as there are characters, and a mark typed then stands right behind the first one. A mark is
  // taken in the order of the keys, so nothing depends on when the screen is looked at.
  async #count(
    lines: readonly string[],
    { extra, kind }: Lines,
  ): Promise<{ view: PaneView; moves: Move[] } | undefined> {
    const { hand, step } = this;
    const { start, end } = hand.marks.pairs[kind];
    const [probe] = hand.marks.proof;
    const marked = lines.map((line) => start + line.replace(CARET, hand.marks.caret) + end).join('\n');
    const fewest = fewestPresses(marked);
    const presses = fewest + (2 * extra - 1) * MARK_LENGTH;
    const placed = (view: PaneView): PaneView | 'wrong' | undefined => {
      const marks = hand.visibleMarks(view);
      if (!marks.some(({ text }) => text === probe)) return undefined;
      const [first, second] = marks;
      return first?.text === start && second?.text === probe && first.to === second.from ? view : 'wrong';
    };
    const back = inWrites(times(presses, 'Left'));
    // Some programs move by code points where others move by what looks like one character.
    const slack = mostPresses(marked) - fewest;
    const erase = times(MARK_LENGTH, hand.lineKeys.backspace);
    for (let i = 0; i <= slack; i++) {
      await hand.press([...(i === 0 ? back : []), type(probe)], step);
      const place = await hand.until(placed);
      if (place !== 'wrong') return place && { view: place, moves: movesThatTake(marked, fewest + i) };
      await hand.press([keys(...erase, 'Left')], step);
      await hand.until((view) => (placed(view) ? undefined : true));
    }
    return undefined;
  }
}

interface Lines {
  shapes: LineShape[];
  extra: number;
  // Of the marks at the first line.
  kind: 0 | 1;
  // Whether all of the lines were on the screen at once.
  shows: 'all' | 'part';
}
