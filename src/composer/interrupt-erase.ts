// Empties a box whose whole text is known, with editing keys alone, one line at a time and never without looking.
import type { PaneView } from '../tmux/index.js';
import type { LineKeys } from './box-profile.js';
import { readBox } from './interrupt-box.js';
import { strokeSeen, viewBox } from './interrupt-stroke.js';
import { type Look, looksEmpty } from './look.js';
import type { SwapStep, SwapTools } from './protocol.js';

// More lines than a screen has are never seen whole, so they are never erased.
const MOST_ROUNDS = 100;
// On top of how long its screen may lag behind a key.
const REACTION_MS = 500;

// The view of the empty box; undefined when it could not be emptied, or somebody typed meanwhile.
export async function eraseBox(
  tools: SwapTools,
  look: Look,
  keys: LineKeys,
  step: SwapStep,
): Promise<PaneView | undefined> {
  let view = await viewBox(tools, look);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (looksEmpty(view, look)) return view;
    const shown = readBox(view, look);
    if (shown === undefined) return undefined;
    // The line at the caret first; once it is empty, the newline before it.
    const atLine = view.cursor.x > look.column;
    const pressed = atLine ? [keys.start.key, keys.killToEnd.key] : [keys.backspace];
    const injection = await strokeSeen(tools, [{ keys: pressed }], step, view);
    if (injection.outcome === 'refused') return undefined;
    const changed = await tools.pane.waitUntil(
      async () => {
        const now = await tools.view();
        return looksEmpty(now, look) || isShorter(readBox(now, look), shown) ? now : undefined;
      },
      keys.echoMs + REACTION_MS,
      tools.signal,
    );
    if (changed.outcome !== 'seen') return undefined;
    view = changed.value;
  }
  return undefined;
}

const isShorter = (now: string | undefined, shown: string): boolean =>
  now !== undefined && now.length < shown.length;
