// One attempt past a draft: load our text, press Enter, see that the box let go, put the draft back. The keys are held.
import { setTimeout as delay } from 'node:timers/promises';
import {
  cursorRowText,
  type Draft,
  endsAtCursor,
  hasId,
  isTaken,
  isWithoutCursor,
  type Look,
  looksEmpty,
  mayBeEmpty,
  type Protocol,
  type Refusal,
  type Restored,
  type SwapTools,
  takeLook,
} from '../composer/index.js';
import type { PaneView } from '../tmux/index.js';

export type SwapOutcome =
  | {
      kind: 'submitted';
      evidence: string;
      enterGapMs: number;
      draft: Draft | null;
      restored: Restored;
      // How the box looked while it was provably empty.
      emptyLook: Look | null;
    }
  // The box is as it was.
  | { kind: 'refused'; reason: Refusal; detail: string }
  // Our text may be in the box, not submitted; what is there has to be looked at again.
  | { kind: 'stuck'; detail: string }
  // Our text is out of the box and the draft is back; whether it was taken, its screen tells. `person`: no Enter of ours was seen
  // to do it.
  | { kind: 'gone'; by: 'us' | 'person'; detail: string };

export interface SwapSteps {
  // The text is seen in the box.
  typed(evidence: string): Promise<void>;
  // The gap before Enter that is known to be needed.
  enterGapMs: number;
  // Its agent is known to wait for a person: Enter would be an answer.
  isWaiting(): boolean;
}

const RELEASED_MS = 1000;
// One that is slow may have taken our text all the same: a second Enter would send it twice.
const LATE_MS = 3000;
const MAX_ENTERS = 3;
const FIRST_GAP_MS = 60;

export async function swap(protocol: Protocol, tools: SwapTools, steps: SwapSteps): Promise<SwapOutcome> {
  const loaded = await protocol.load();
  if (loaded.kind === 'refused') return loaded;
  if (loaded.kind === 'stuck') return backOut(protocol, loaded.draft, loaded.detail);
  // tmux has it on record already: the event need not be on disk before Enter is pressed.
  const recorded = steps.typed(loaded.evidence).catch(() => {});
  let { view } = loaded;
  let gapMs = steps.enterGapMs;
  for (let enters = 0; enters < MAX_ENTERS; enters++) {
    if (gapMs > 0) await delay(gapMs);
    // A key that takes our text out again would go to the dialog as well.
    if (steps.isWaiting()) return { kind: 'stuck', detail: 'its agent waits for a person' };
    const pressed = await pressSubmit(tools, view);
    if (!pressed) return backOut(protocol, loaded.draft, 'the box changed before Enter was pressed');
    await recorded;
    const { released, restored } = await putBack(protocol, tools, loaded.draft);
    // Nothing was read: neither that our text is gone nor that it is there.
    if (restored.kind === 'mismatch' && restored.found === null)
      return { kind: 'stuck', detail: restored.detail };
    if (restored.kind !== 'still_ours')
      return {
        kind: 'submitted',
        evidence: restored.kind === 'restored' && restored.proof === 'read' ? 'box_read_empty' : 'box_empty',
        enterGapMs: gapMs,
        draft: loaded.draft,
        restored,
        emptyLook:
          released && restored.kind === 'restored' && mayBeEmpty(released) ? takeLook(released) : null,
      };
    // The Enter was too early for this program: longer from now on.
    gapMs = Math.max(FIRST_GAP_MS, gapMs * 2);
    view = await tools.view();
    if (isTaken(view, loaded.view, tools.envelope)) break;
  }
  // What its screen shows once our text is out of the box tells whether it has taken it.
  const left = await backOut(protocol, loaded.draft, 'Enter was pressed and the box kept our text');
  return left.kind === 'refused' ? { kind: 'gone', by: 'us', detail: left.detail } : left;
}

// Pinned to what was seen; if the screen merely moved, our text must still end at the cursor.
async function pressSubmit(tools: SwapTools, seen: PaneView): Promise<boolean> {
  if (isWithoutCursor(tools.profile, seen) && isWithoutCursor(tools.profile, await tools.view()))
    return false;
  const keys = [tools.profile.submitKey];
  const first = await tools.strokes([{ keys }], 'entered', seen);
  if (first.outcome === 'injected') return true;
  const view = await tools.view();
  if (isWithoutCursor(tools.profile, view)) return false;
  const row = cursorRowText(view);
  const isSame = row !== '' && row === cursorRowText(seen);
  const isThere = isSame || endsAtCursor(view, tools.envelope);
  return isThere && (await tools.strokes([{ keys }], 'entered', view)).outcome === 'injected';
}

// `released`: how the box looked without our text, where that was waited for.
async function putBack(
  protocol: Protocol,
  tools: SwapTools,
  draft: Draft | null,
): Promise<{ released?: PaneView | undefined; restored: Restored }> {
  const restore = (): Promise<Restored> => protocol.restore(draft, 'nothing');
  // A stash fills the box again in the same breath, so it is never seen empty.
  if (protocol.name === 'stash') return { restored: await restore() };
  const waits = [...(isReadAtOnce(protocol, tools, draft) ? [0] : []), RELEASED_MS, LATE_MS];
  const isRead = protocol.abilities.reads === 'exact';
  for (let i = 0; ; i++) {
    const ms = waits[i] ?? 0;
    // Before another Enter it is given its time.
    const isHint = isRead && ms < LATE_MS;
    const released = ms > 0 ? await boxLetGo(tools, ms, isHint) : undefined;
    const restored = await restore();
    const mayBeLate = restored.kind === 'still_ours' && !restored.brokeLine;
    if (!mayBeLate || i === waits.length - 1) return { released, restored };
  }
}

// Its look tells less than the reading that follows. A box that was empty though it did not look so is looked at, to learn how
// it looks; a command may open a menu.
const isReadAtOnce = (
  protocol: Protocol,
  { profile, envelope, look }: SwapTools,
  draft: Draft | null,
): boolean =>
  protocol.name === 'editor' &&
  profile.editor?.opensBehindEnter === true &&
  hasId(envelope) &&
  look !== null &&
  draft !== null;

// Waits until the box has visibly let go of our text; what it holds then is for the protocol to say. A box that moves on the
// screen looks otherwise when it is empty: where it is read next, that our text has left the cursor is enough.
async function boxLetGo(tools: SwapTools, ms: number, isHint: boolean): Promise<PaneView | undefined> {
  const { look } = tools;
  const test = async (): Promise<{ view: PaneView; isEmpty: boolean } | undefined> => {
    const view = await tools.view();
    const hasLeft = !endsAtCursor(view, tools.envelope) && mayBeEmpty(view);
    const isEmpty = look ? looksEmpty(view, look) : hasLeft;
    return isEmpty || (isHint && hasLeft) ? { view, isEmpty } : undefined;
  };
  const waited = await tools.pane.waitUntil(test, ms, tools.signal);
  const { editor } = tools.profile;
  if (editor && editor.submittedMs > 0) await tools.pane.waitForGap(editor.submittedMs, RELEASED_MS);
  return waited.outcome === 'seen' && waited.value.isEmpty ? waited.value.view : undefined;
}

async function backOut(protocol: Protocol, draft: Draft | null, detail: string): Promise<SwapOutcome> {
  const restored = await protocol.restore(draft, 'ours');
  if (restored.kind === 'restored') return { kind: 'refused', reason: 'text_not_found', detail };
  if (restored.kind === 'ours_gone') return { kind: 'gone', by: 'person', detail };
  return { kind: 'stuck', detail };
}
