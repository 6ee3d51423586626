// Blanks at a row break do not show: a wrapped line is pushed along until every pair of neighbours was seen in one row.
import type { PaneView } from '../tmux/index.js';
import type { SwapStep } from './protocol.js';
import { type Hand, keys, Stop, times, type } from './sentinel-hand.js';
import { MARK_LENGTH, type MarkPair } from './sentinel-marks.js';
import {
  flatten,
  isWhole,
  type LineShape,
  type MarkedLines,
  mergeShapes,
  readPairs,
} from './sentinel-screen.js';

// How far a line that wraps is pushed along, in marks, until no blank is hidden by a row break any more.
const PUSHES = [1, 2, 4, 7, 11];

// The caret stands behind the last pair of marks, or at the start of the line after it; it is left there.
export async function openBreaks(
  hand: Hand,
  step: SwapStep,
  read: MarkedLines,
  pair: MarkPair,
  size: number,
): Promise<LineShape[]> {
  const { start, end, backspace } = hand.lineKeys;
  const [, pushing] = hand.marks.proof;
  const shapes = [...read.lines];
  const highest = shapes.findIndex((shape) => !isWhole(shape));
  if (highest < 0) return shapes;
  let walk = read.extra > 0 ? [] : ['Left'];
  for (let i = shapes.length - 1; i >= highest; i--) {
    walk.push(start.key);
    for (const push of PUSHES) {
      const known = shapes[i] as LineShape;
      if (isWhole(known)) break;
      await hand.press([keys(...walk), type(pushing.repeat(push))], step);
      // A line editor repaints in steps: what does not go together yet may do so with its next output.
      const merged = await hand.until((view) => {
        const shape = readPairs(view, hand.marks, pair, size)?.lines[i];
        const isThere = isPushed(view, pushing.repeat(push) + pair.start);
        return shape && isThere ? mergeShapes(known, shape) : undefined;
      });
      await hand.press([keys(...times(push * MARK_LENGTH, backspace))], step);
      if (!merged)
        throw new Stop('draft_unreadable', 'a line reads differently when it is wrapped differently');
      shapes[i] = merged;
      walk = [];
    }
    if (!isWhole(shapes[i] as LineShape))
      throw new Stop('draft_unreadable', 'the blanks where a line is wrapped cannot be counted');
    if (i > highest) walk.push('Left');
  }
  const lines = shapes.length - highest;
  const down = times(lines, end.key, 'Right').slice(0, read.extra > 0 ? -1 : undefined);
  await hand.press([keys(...walk, ...down)], step);
  await hand.until((view) => (isPushed(view, pushing + pair.start) ? undefined : true));
  return shapes;
}

const isPushed = (view: PaneView, wanted: string): boolean => flatten(view.rows).text.includes(wanted);
