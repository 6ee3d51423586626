// Looking at a box and pressing keys into it while the agent repaints: a cursor that is elsewhere for a moment does not count.
import { rowText } from '../terminal/cells.js';
import type { Injection, PaneView } from '../tmux/index.js';
import { boxTop } from './interrupt-box.js';
import type { Look } from './look.js';
import type { Stroke, SwapStep, SwapTools } from './protocol.js';

const TRIES = 6;
const GAP_MS = 12;
const LONGEST_PAINT_MS = 100;

// A view with the cursor in the box; where it never is, the last one.
export async function viewBox(tools: SwapTools, look: Look): Promise<PaneView> {
  let view = await tools.view();
  for (let tries = 1; tries < TRIES && boxTop(view, look) === undefined; tries++) {
    await tools.pane.waitForGap(GAP_MS, LONGEST_PAINT_MS);
    view = await tools.view();
  }
  return view;
}

export async function strokeSeen(
  tools: SwapTools,
  strokes: readonly Stroke[],
  step: SwapStep,
  seen: PaneView,
): Promise<Injection> {
  let injection = await tools.strokes(strokes, step, seen);
  for (let tries = 1; tries < TRIES && isPassing(injection); tries++) {
    await tools.pane.waitForGap(GAP_MS, LONGEST_PAINT_MS);
    if (!isSameBox(await tools.view(), seen)) continue;
    injection = await tools.strokes(strokes, step, seen);
  }
  return injection;
}

const isPassing = (injection: Injection): boolean =>
  injection.outcome === 'refused' &&
  (injection.reason === 'cursor_moved' || injection.reason === 'text_not_found');

const isSameBox = (view: PaneView, seen: PaneView): boolean =>
  view.cursor.x === seen.cursor.x &&
  view.cursor.y === seen.cursor.y &&
  rowText(view.rows[view.cursor.y] ?? []).trimEnd() === rowText(seen.rows[seen.cursor.y] ?? []).trimEnd();
