// Takes up what a daemon that is gone, a lost connection or a cancel left in a pane: an attempt under way, a draft out of its box, keys that wait.
import {
  type BoxProfile,
  countMarks,
  type Draft,
  Handover,
  hasId,
  type Protocol,
  type ProtocolName,
  type Recovered,
  type Restored,
} from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import type { DraftRow, MessageRow } from '../store/index.js';
import type { KeyHold, PaneView } from '../tmux/index.js';
import { Attempt } from './attempt.js';
import { typedAs } from './bell.js';
import { type Delivery, type Next, REFUSED_RETRY_MS } from './delivery.js';
import { finish, freeLater } from './direct-way.js';
import { SENT_OR_CLEARED, traceOf } from './envelope.js';
import { lagOf, linkHold, personHold } from './gate.js';
import { formatEntry, isAfterEnter, type JournalEntry, parseEntry } from './journal.js';
import { cutsOf, isUnsettled, whileKeysWait } from './keys-wait.js';
import { ownEditorHold } from './own-editor.js';
import { endTrial } from './trying.js';
import { settleLost, settleUnseen } from './unseen.js';
import { makeProtocol } from './ways.js';

interface Begun {
  n: number;
  epoch: number;
  way: ProtocolName;
  // Milliseconds since the epoch.
  at: number;
}

// An attempt that was cut off, as far as tmux's own record tells.
interface CutOff {
  message: MessageRow;
  tracker: Tracker;
  step: JournalEntry['step'];
  begun: Begun;
  left: KeyHold | undefined;
}

// Goes on with an attempt that was cut off, from what tmux itself recorded of it.
export async function resume(delivery: Delivery, message: MessageRow): Promise<Next> {
  const { session, deps } = delivery;
  const begun = lastAttempt(delivery, message.id);
  const { tracker } = session;
  if (session.row.state === 'gone') {
    const own = parseEntry(delivery.ownEntry() ?? '');
    const step = own?.message === message.id ? own.step : message.receipt === 'typed' ? 'entered' : 'typed';
    return settleLost(delivery, message, step);
  }
  if (tracker?.pane.link.state.kind !== 'up') return delivery.hold(message, linkHold(session, deps.registry));
  const { profile } = await delivery.ways();
  const left = await deps.keeper.left(tracker, profile);
  const isHalfDone = (): boolean => isUnsettled(delivery, message);
  return whileKeysWait(delivery, left, isHalfDone, async () => {
    // What the box holds is behind a dialog now, or an editor of the person's; a key would go to that.
    const waits = personHold(session) ?? (await ownEditorHold(deps.swapFolder(session.id), tracker.pane));
    return waits ? delivery.hold(message, waits) : goOn(delivery, message, tracker, begun, left);
  });
}

async function goOn(
  delivery: Delivery,
  message: MessageRow,
  tracker: Tracker,
  begun: Begun,
  left: KeyHold | undefined,
): Promise<Next> {
  const { session, deps } = delivery;
  const entry = parseEntry(await delivery.input(tracker).readJournal());
  if (!entry || entry.message !== message.id || entry.attempt !== begun.n) {
    // tmux records each key together with pressing it: no record, no key.
    const untouched = delivery.drafts.untouched(message);
    await deps.ledger.record(message, { kind: 'refused', reason: 'interrupted' }, untouched);
    return 'next';
  }
  await deps.registry.applyVerdict(session, await tracker.assess());
  const sameProcess = begun.epoch === session.row.epoch && session.row.state === 'live';
  if (!sameProcess) return settleLost(delivery, message, entry.step);
  await delivery.takeOver(tracker, formatEntry({ ...entry, lease: deps.lease }));
  const cut: CutOff = { message, tracker, step: entry.step, begun, left };
  // Its box was looked into a moment ago and could not be read: why it waits is on record.
  // Not where keys wait for it: it was cut off in the middle.
  const closedUntil = left
    ? undefined
    : await delivery.unread.closedUntil(whoseLook(message, begun), tracker);
  if (begun.way !== 'direct')
    return closedUntil === undefined ? resumeSwap(delivery, cut, begun.way) : { retryAt: closedUntil };
  // A person who has typed since leaves a box that is not seen empty again; where it can be read, that tells.
  const { protocols } = await delivery.ways();
  const direct = async (hold: KeyHold | undefined): Promise<Next> => {
    // Behind one that was half released a person's keys may stand in the box already, and count.
    if (!hold?.wasFreed) return resumeDirect(delivery, cut, hold);
    await deps.keeper.release(hold);
    return resumeDirect(delivery, cut, undefined);
  };
  if (protocols[0] !== 'editor' || entry.step !== 'entered' || closedUntil !== undefined) return direct(left);
  return resumeSwap(delivery, cut, 'editor', direct);
}

async function resumeDirect(
  delivery: Delivery,
  { message, tracker, step }: CutOff,
  hold: KeyHold | undefined,
): Promise<Next> {
  const input = delivery.input(tracker, hold);
  const giveUp = hold && freeLater(delivery, input, hold);
  try {
    const context = await delivery.context(message, input, typedAs(delivery, message), tracker);
    const attempt = new Attempt(context, (await delivery.journal(tracker)).value);
    const outcome = step === 'typed' ? await attempt.typed() : await attempt.goOnFromEnter();
    return await finish(delivery, message, attempt, outcome, hold);
  } finally {
    clearInterval(giveUp);
  }
}

async function resumeSwap(
  delivery: Delivery,
  { message, tracker, step, begun, left }: CutOff,
  way: ProtocolName,
  // What is done where the box cannot be read.
  unread?: Unread,
): Promise<Next> {
  // A hold that was taken since the attempt began does not tell what came through before it, nor does one half released.
  const keys = left && !left.wasFreed && left.since <= begun.at ? 'held' : 'freed';
  const hold = left ?? (await newHold(delivery, tracker));
  if (!hold && unread) return unread(undefined);
  if (!hold)
    return delivery.hold(message, {
      reason: 'keys_not_held',
      detail:
        "an attempt was cut off, and a person's keys cannot be made to wait while it is brought to its end",
      retryAt: delivery.deps.clock() + REFUSED_RETRY_MS,
    });
  const isHalfDone = (): boolean => isUnsettled(delivery, message);
  // Around one that was left that is done already.
  return whileKeysWait(delivery, left ? undefined : hold, isHalfDone, () =>
    recoverSwap(delivery, { message, tracker, step, begun, left: hold }, way, keys, unread),
  );
}

type Unread = ((hold: KeyHold | undefined) => Promise<Next>) | undefined;

async function recoverSwap(
  delivery: Delivery,
  cut: CutOff & { left: KeyHold },
  way: ProtocolName,
  keys: 'held' | 'freed',
  unread: Unread,
): Promise<Next> {
  const { pane } = cut.tracker;
  const wasCut = cutsOf(delivery, pane);
  const before = await pane.view();
  return delivery.unread.looking(whoseLook(cut.message, cut.begun), before, wasCut, () =>
    lookAndSettle(delivery, cut, before, way, keys, unread),
  );
}

async function lookAndSettle(
  delivery: Delivery,
  { message, tracker, step, begun, left: hold }: CutOff & { left: KeyHold },
  before: PaneView,
  way: ProtocolName,
  keys: 'held' | 'freed',
  unread: Unread,
): Promise<Next> {
  const { deps, session } = delivery;
  const ways = await delivery.ways();
  const typed = typedAs(delivery, message);
  const tools = await delivery.tools(message, typed, tracker, ways, way, hold);
  const protocol = makeProtocol(way, tools, delivery.aids(before));
  const saved = delivery.drafts.of(message);
  if (keys === 'freed') await untilShown(delivery, protocol, tracker, ways.profile);
  // Once the draft is back its keys are let through, and what the box holds since is the person's alone.
  const { submitted, restored }: Recovered =
    saved && saved.state !== 'saved'
      ? { submitted: isAfterEnter(step), restored: { kind: 'restored', proof: 'read', caret: true } }
      : await protocol.recover(step, saved ? draftOf(saved) : null, keys).finally(() => protocol.abandon?.());
  const isKnown = submitted !== 'unknown' || restored.kind === 'restored' || isTheirs(way, restored);
  if (isKnown) delivery.unread.forget();
  const retryAt = isKnown ? undefined : delivery.unread.noteLook(whoseLook(message, begun), before);
  if (!isKnown && unread) return await unread(hold);
  if (!isKnown)
    return await delivery.hold(delivery.fresh(message), {
      reason: 'box_not_read',
      detail: `an attempt was cut off, and its box cannot be read now: ${detailOf(restored)}`,
      retryAt,
    });
  const taken = delivery.drafts.of(message);
  const draft = taken?.state === 'saved' && (await delivery.drafts.settle(message, restored));
  const heldMs = await deps.keeper.release(hold);
  // Our text was in the box behind an Enter of ours: its agent has not taken it, or has and keeps it there.
  const wasKept = submitted === false && isAfterEnter(step) && hasId(typed);
  const isShown = wasKept && countMarks(await tracker.pane.view(), typed) > 0;
  // It left the box without an Enter of ours: whoever pressed it, the transcript shows it.
  const trace = submitted === 'unknown' || wasKept ? await traceOf(tracker.pane, typed) : 'none';
  if (trace === 'unknown')
    await deps.ledger.record(delivery.fresh(message), { kind: 'uncertain', reason: SENT_OR_CLEARED });
  // What has scrolled off the screen may be an older picture of the box.
  else if (wasKept && trace === 'sent' && !isShown) return await settleUnseen(delivery, message, KEPT);
  else if (submitted === true || trace === 'sent') {
    const evidence = isShown
      ? 'shown_by_agent'
      : trace === 'sent'
        ? 'sent_by_person'
        : 'box_read_after_restart';
    await delivery.submitted(message, { evidence, heldMs, draft: saved?.id }, session.composer);
  } else {
    // Nothing takes the draft out before it has been read.
    const now = parseEntry(await delivery.input(tracker).readJournal());
    const isUnread = way === 'editor' && now?.step === 'reading' && restored.kind !== 'restored';
    const untouched = isUnread ? delivery.drafts.untouched(message) : [];
    const event = { kind: 'refused', reason: 'interrupted' } as const;
    await deps.ledger.record(delivery.fresh(message), event, untouched);
  }
  if (draft && draft.state !== 'restored') await delivery.drafts.tell(tracker, message, draft);
  return 'next';
}

const KEPT = 'Enter was pressed, the box kept the text, and what has scrolled off the screen shows it';

// Keys that have come through a moment ago may not show yet: where a box is only looked at, Enter would send them with our text.
export async function untilShown(
  { deps: { keeper } }: Delivery,
  { abilities }: Protocol,
  { pane }: Tracker,
  profile: BoxProfile,
): Promise<void> {
  // Those that came through before any hold of ours was released, nobody has told us of.
  const passedAt = keeper.keysPassedAt(pane) ?? Date.now();
  const leftMs = passedAt + lagOf(profile) - Date.now();
  if (abilities.reads !== 'exact' && leftMs > 0) await pane.waitForGap(leftMs, leftMs);
}

export async function newHold(delivery: Delivery, tracker: Tracker): Promise<KeyHold | undefined> {
  const { profile } = await delivery.ways();
  const start = await delivery.deps.keeper.hold(tracker, profile);
  return start.outcome === 'held' ? start.hold : undefined;
}

// Keys that wait though nothing is under way.
export async function freeKeys(delivery: Delivery): Promise<void> {
  const handover = new Handover(delivery.deps.swapFolder(delivery.session.id));
  const { tracker } = delivery.session;
  if (tracker?.pane.link.state.kind !== 'up') {
    await handover.abandon();
    return;
  }
  const { profile } = await delivery.ways();
  const left = await delivery.deps.keeper.left(tracker, profile);
  try {
    // Before the keys: they are not for an agent that is in its editor, and the editor key is the person's own again.
    await handover.abandon();
  } catch (error) {
    if (left) await delivery.deps.keeper.release(left);
    throw error;
  }
  await endTrial(delivery, tracker, left);
}

// The box was read, and our text is not in it: what it holds is the person's. An agent brings a stashed draft back itself.
const isTheirs = (way: ProtocolName, restored: Restored): boolean =>
  (way === 'stash' || way === 'editor') && restored.kind === 'mismatch' && restored.found !== null;

function lastAttempt({ deps: { ledger } }: Delivery, id: string): Begun {
  const row = ledger.messages.events(id).findLast(({ kind }) => kind === 'attempt');
  return row
    ? { ...(JSON.parse(row.data) as Omit<Begun, 'at'>), at: row.at }
    : { n: 0, epoch: 0, way: 'direct', at: 0 };
}

const whoseLook = ({ id }: MessageRow, { n }: Begun): string => `${id} ${n}`;

export const draftOf = ({ text, caret, exact }: DraftRow): Draft => ({ text, caret, exact: exact === 1 });

const detailOf = (restored: Restored): string => ('detail' in restored ? restored.detail : restored.kind);
