// Puts a draft back into a box that is empty, or holds only what is known and saved; and says what shows that it is there.

import { readBox, showsAlone } from './interrupt-box.js';
import { eraseBox } from './interrupt-erase.js';
import { strokeSeen, viewBox } from './interrupt-stroke.js';
import { type Look, looksEmpty } from './look.js';
import type { Draft, Restored, SwapStep, SwapTools } from './protocol.js';

const SHOWN_MS = 3000;

export interface Putting {
  draft: Draft | null;
  step: SwapStep;
  // What may be erased: our text if it stands there alone, or all that is there because all of it is in `draft`.
  erase: 'ours' | 'all';
}

export async function putBack(
  tools: SwapTools,
  look: Look,
  { draft, step, erase }: Putting,
): Promise<Restored> {
  let view = await viewBox(tools, look);
  if (draft && !looksEmpty(view, look) && showsAlone(view, look, draft.text)) return restored(draft);
  if (!looksEmpty(view, look)) {
    const found = readBox(view, look) ?? null;
    if (erase === 'ours' && !showsAlone(view, look, tools.envelope.payload))
      return mismatch(found, 'the box holds something that is neither ours nor the draft');
    const { lineKeys } = tools.profile;
    if (!lineKeys) return mismatch(found, 'no editing keys are known that would take our text out again');
    const emptied = await eraseBox(tools, look, lineKeys, step);
    if (!emptied) return mismatch(await nowIn(tools, look), 'our text could not be taken out of the box');
    view = emptied;
  }
  if (!draft || draft.text === '') return restored(draft);
  const injection = await strokeSeen(tools, [{ paste: draft.text }], step, view);
  if (injection.outcome === 'refused')
    return mismatch(null, `the draft was not put back: ${injection.reason.replaceAll('_', ' ')}`);
  const { text } = draft;
  const shown = await tools.pane.waitUntil(
    async () => {
      const now = await tools.view();
      return !looksEmpty(now, look) && showsAlone(now, look, text) ? true : undefined;
    },
    SHOWN_MS,
    tools.signal,
  );
  if (shown.outcome === 'seen') return restored(draft);
  return mismatch(await nowIn(tools, look), 'the draft was pasted, but the box does not show it');
}

// A paste leaves the caret at its end.
const restored = (draft: Draft | null): Restored => ({
  kind: 'restored',
  proof: 'look',
  caret: draft === null || draft.caret === draft.text.length,
});

const mismatch = (found: string | null, detail: string): Restored => ({ kind: 'mismatch', found, detail });

const nowIn = async (tools: SwapTools, look: Look): Promise<string | null> =>
  readBox(await viewBox(tools, look), look) ?? null;
