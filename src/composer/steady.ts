// A view of a pane that never comes to rest, taken between two repaints: some agents move the cursor about while painting.
import type { Pane, PaneView } from '../tmux/index.js';
import { takeLook } from './look.js';

const WANTED = 3;
const MOST = 12;
// Repaints come every 30 to 250 ms and take a few: the pane is between two of them after so long without output.
const GAP_MS = 12;
const LONGEST_PAINT_MS = 100;

// The look that several views in a row agree on; undefined when they do not.
export async function steadyView(pane: Pane): Promise<PaneView | undefined> {
  let look = '';
  for (let taken = 0, alike = 0; taken < MOST; taken++) {
    await pane.waitForGap(GAP_MS, LONGEST_PAINT_MS);
    const view = await pane.view();
    const now = JSON.stringify(takeLook(view));
    alike = now === look ? alike + 1 : 1;
    look = now;
    if (alike === WANTED) return view;
  }
  return undefined;
}
