// Chooses the way in for one message: straight into an empty box, or past a draft with the persons' keys held.
import {
  activityOf,
  baseline,
  type ComposerMemory,
  decide,
  isWithoutCursor,
  persons,
  type Refusal,
} from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { KeyHold, PaneView } from '../tmux/index.js';
import { typedAs } from './bell.js';
import { type Delivery, type Next, REFUSED_RETRY_MS } from './delivery.js';
import { direct } from './direct-way.js';
import { SENT_OR_CLEARED, type Typed, traceOf } from './envelope.js';
import { refused } from './failing.js';
import { ECHO_MS, type Hold, holdOf, type Judged, LOOK_INTERVAL_MS, lagOf, memoryOf } from './gate.js';
import { isUnsettled, whileKeysWait } from './keys-wait.js';
import type { HeldReason } from './lifecycle.js';
import { ownEditorHold } from './own-editor.js';
import type { Passage } from './past-draft.js';
import { type SwapOutcome, swap } from './swap.js';
import { makeProtocol, type Ways } from './ways.js';

// A person in the middle of a tmux command is done with it within moments.
const PENDING_PREFIX_MS = 300;
// How long a busy agent's repainting is waited out before its box is looked at.
const LONGEST_QUIET_MS = 400;

// `allowed` says for the box as it is judged once the keys are held whether mail may go past it.
export async function deliver(
  delivery: Delivery,
  message: MessageRow,
  envelope: Typed,
  { tracker, view }: Judged,
  passage: Passage,
  allowed: (decision: Judged['decision']) => Passage,
): Promise<Next> {
  const ways = await delivery.waysFor(message);
  const own = tracker.server.ownClientPids;
  if (passage.kind === 'direct' && persons(view, own).length === 0 && !wantsProof(delivery, ways))
    return direct(delivery, message, envelope, tracker, view, undefined);
  const start = await delivery.deps.keeper.hold(tracker, ways.profile);
  if (start.outcome === 'refused') {
    // Keys that cannot be made to wait: into an empty box alone.
    if (start.reason === 'foreign_control' && passage.kind === 'direct')
      return direct(delivery, message, envelope, tracker, view, undefined);
    return delivery.hold(message, {
      reason: start.reason === 'in_mode' || start.reason === 'synchronized' ? start.reason : 'keys_not_held',
      detail: `a person's keys cannot be made to wait now: ${start.detail}`,
      retryAt: delivery.deps.clock() + PENDING_PREFIX_MS,
    });
  }
  delivery.deps.ledger.fault('keys:held');
  const { hold } = start;
  const isHalfDone = (): boolean => isUnsettled(delivery, message);
  return whileKeysWait(delivery, hold, isHalfDone, () =>
    underHold(delivery, message, envelope, tracker, ways, hold, allowed),
  );
}

async function underHold(
  delivery: Delivery,
  message: MessageRow,
  envelope: Typed,
  tracker: Tracker,
  ways: Ways,
  hold: KeyHold,
  allowed: (decision: Judged['decision']) => Passage,
): Promise<Next> {
  const edited = await ownEditorHold(delivery.deps.swapFolder(delivery.session.id), tracker.pane);
  if (edited) return delivery.hold(message, edited);
  const quietMs = ways.profile.editor?.quietMs ?? 0;
  const silentMs = delivery.deps.clock() - (tracker.lastOutputAt ?? 0);
  if (silentMs < quietMs) await tracker.pane.waitForGap(quietMs, LONGEST_QUIET_MS);
  const { view, decision, lateUntil } = await judgeHeld(delivery, tracker, ways);
  if (isWithoutCursor(ways.profile, view) && !view.dead && !view.inMode)
    return await delivery.hold(message, NO_CURSOR);
  const mayLag = decision.kind === 'empty' && lateUntil > delivery.deps.clock();
  const seen = mayLag ? UNSEEN : decision;
  // Only an agent that hands its draft over can tell what its screen does not show.
  const isReadable = !mayLag || ways.protocols[0] === 'editor';
  const passage: Passage = isReadable ? allowed(seen) : { kind: 'wait' };
  if (passage.kind === 'wait') {
    const reason = holdOf(seen);
    const retryAt = mayLag ? lateUntil : passage.retryAt;
    return reason ? await delivery.hold(message, { ...reason, retryAt }) : {};
  }
  if (passage.kind === 'direct' && !wantsProof(delivery, ways))
    return await direct(delivery, message, envelope, tracker, view, hold);
  return await past(delivery, message, envelope, tracker, ways, view, hold);
}

interface JudgedHeld extends Pick<Judged, 'view' | 'decision'> {
  // Until then the last keys may not be on the screen: the box has to be read, not looked at.
  lateUntil: number;
}

// Nobody types now, so only what stands in the box counts; but their last keys may not be on the screen yet.
async function judgeHeld(
  delivery: Delivery,
  { pane, server }: Tracker,
  { profile, protocols }: Ways,
): Promise<JudgedHeld> {
  const { clock, keeper } = delivery.deps;
  const ownClients = server.ownClientPids;
  const judge = async (): Promise<Pick<Judged, 'view' | 'decision'>> => {
    const view = await pane.view();
    const now = Number.MAX_SAFE_INTEGER;
    return { view, decision: decide({ view, memory: memoryOf(delivery.session), now, ownClients }) };
  };
  const judged = await judge();
  // tmux tells whole seconds; no key was pressed later than now.
  const pressedAt = Math.min((activityOf(judged.view, ownClients) + 1) * 1000, clock());
  const lagMs = lagOf(profile);
  const lateUntil = Math.max(pressedAt, keeper.keysPassedAt(pane) ?? 0) + lagMs;
  const left = lateUntil - clock();
  // One that is read, or held because it may be late, need not be waited for.
  const isDecided = judged.decision.kind === 'empty' ? lagMs > ECHO_MS : protocols[0] === 'editor';
  if (left <= 0 || isDecided) return { ...judged, lateUntil };
  const ms = Math.min(left, ECHO_MS) + 1;
  await pane.waitForGap(ms, ms);
  return { ...(await judge()), lateUntil };
}

// What a box would be judged as that has keys in it which are not shown yet.
const UNSEEN: Judged['decision'] = {
  kind: 'hold',
  reason: 'draft',
  detail: 'a person pressed a key there a moment ago, and its screen may be late',
};

// A box that was never seen to let go of a text could be a dialog: where the agent itself can tell, it is asked.
function wantsProof(delivery: Delivery, { protocols }: Ways): boolean {
  return !delivery.session.composer.proven && protocols.includes('editor');
}

// Tries the protocols in turn until one takes the box.
async function past(
  delivery: Delivery,
  message: MessageRow,
  envelope: Typed,
  tracker: Tracker,
  ways: Ways,
  view: PaneView,
  hold: KeyHold,
): Promise<Next> {
  let row = message;
  let refusal: Hold = { reason: 'draft', detail: 'nothing can take the draft out of its box' };
  for (const name of ways.protocols) {
    row = await delivery.begin(row, name, tracker, { ...delivery.session.composer, tried: true }, envelope);
    const tools = await delivery.tools(row, envelope, tracker, ways, name, hold);
    const protocol = makeProtocol(name, tools, delivery.aids(view));
    const { editor, enterGapMs: pasteGapMs } = ways.profile;
    const ownGapMs = name === 'editor' ? (editor?.enterGapMs ?? 0) : pasteGapMs;
    const enterGapMs = Math.max(ownGapMs, delivery.session.composer.enterGapMs);
    const begun = row;
    const steps = {
      enterGapMs,
      isWaiting: (): boolean => delivery.isWaiting(),
      typed: (evidence: string): Promise<void> => delivery.recordTyped(begun, evidence),
    };
    // Whatever fails: an agent is not left in its editor while the keys are let go.
    const outcome = await swap(protocol, tools, steps).finally(() => protocol.abandon?.());
    if (outcome.kind !== 'refused') return afterSwap(delivery, row, outcome, tracker, view, hold);
    const event = refused(row, outcome.reason, delivery.deps.clock(), 'another');
    await delivery.deps.ledger.record(delivery.fresh(row), event, delivery.drafts.untouched(row));
    row = delivery.fresh(row);
    refusal = { reason: heldReason(outcome.reason), detail: outcome.detail };
    // Only what one protocol cannot read is worth trying with another: where the box has no focus, none has.
    if (outcome.reason !== 'draft_unreadable') break;
  }
  // Sooner for what is usually over by the next look, later the more often it was not.
  const soonMs = Math.min(REFUSED_RETRY_MS, LOOK_INTERVAL_MS * 2 ** Math.min(row.attempts - 1, 6));
  const retryMs = PASSING.has(refusal.reason) ? soonMs : REFUSED_RETRY_MS;
  return delivery.hold(row, { ...refusal, retryAt: delivery.deps.clock() + retryMs });
}

async function afterSwap(
  delivery: Delivery,
  row: MessageRow,
  outcome: Exclude<SwapOutcome, { kind: 'refused' }>,
  tracker: Tracker,
  view: PaneView,
  hold: KeyHold,
): Promise<Next> {
  const { clock } = delivery.deps;
  if (outcome.kind === 'stuck') {
    // What is in the box has to be looked at again, as after an interruption.
    const { detail } = outcome;
    return delivery.hold(delivery.fresh(row), {
      reason: 'box_not_read',
      detail,
      retryAt: clock() + REFUSED_RETRY_MS,
    });
  }
  if (outcome.kind === 'gone') {
    const untouched = delivery.drafts.untouched(row);
    if (untouched.length > 0) await delivery.deps.ledger.store.write(untouched);
    await delivery.deps.keeper.release(hold);
    const trace = await traceOf(tracker.pane, typedAs(delivery, row));
    const { ledger } = delivery.deps;
    const evidence = outcome.by === 'us' ? 'shown_by_agent' : 'sent_by_person';
    if (trace === 'sent') await delivery.submitted(row, { evidence }, delivery.session.composer);
    else if (trace === 'unknown')
      await ledger.record(delivery.fresh(row), { kind: 'uncertain', reason: SENT_OR_CLEARED });
    else await ledger.record(delivery.fresh(row), { kind: 'refused', reason: 'text_not_found' });
    return 'next';
  }
  const draft = outcome.draft && (await delivery.drafts.settle(row, outcome.restored));
  const heldMs = await delivery.deps.keeper.release(hold);
  if (draft && heldMs !== undefined) await delivery.drafts.held(draft, heldMs);
  const { composer } = delivery.session;
  const next: ComposerMemory = {
    ...composer,
    startedAt: null,
    enterGapMs: Math.max(composer.enterGapMs, outcome.enterGapMs),
    heldMs: heldMs ?? composer.heldMs,
  };
  if (outcome.emptyLook && !composer.proven) Object.assign(next, { look: outcome.emptyLook, proven: true });
  if (outcome.draft === null) next.activityAt = baseline(view, tracker.server.ownClientPids, clock());
  await delivery.submitted(row, { evidence: outcome.evidence, heldMs, draft: draft?.id }, next);
  if (draft) await delivery.drafts.tell(tracker, row, draft);
  return 'next';
}

const heldReason = (reason: Refusal): HeldReason => (reason === 'gone' ? 'session_ended' : reason);

// Over by the next look.
const PASSING: ReadonlySet<string> = new Set(['user_typing', 'text_not_found', 'sentinel_not_found']);

const NO_CURSOR: Hold = {
  reason: 'not_at_prompt',
  detail: 'the program shows no cursor in an input box: a dialog or a menu is open',
  retryAt: undefined,
};
