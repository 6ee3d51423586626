// A draft that could not be put back when its delivery ended: it goes back as soon as its box can be read again.
import type { ProtocolName } from '../composer/index.js';
import type { DraftRow } from '../store/index.js';
import type { PaneView } from '../tmux/index.js';
import { typedAs } from './bell.js';
import { type Delivery, type Next, REFUSED_RETRY_MS } from './delivery.js';
import { formatEntry, parseEntry } from './journal.js';
import { cutsOf, whileKeysWait } from './keys-wait.js';
import { ownEditorHold } from './own-editor.js';
import { draftOf, newHold, untilShown } from './resume.js';
import { makeProtocol } from './ways.js';

// How long it is tried; then it is offered to the person.
const RETURN_MS = 60_000;

export async function returnDraft(delivery: Delivery, row: DraftRow): Promise<Next> {
  const { deps, session } = delivery;
  const { tracker } = session;
  const message = row.message_id === null ? undefined : deps.ledger.messages.get(row.message_id);
  if (!message || session.row.state !== 'live' || tracker?.pane.link.state.kind !== 'up') return {};
  const ways = await delivery.ways();
  const way = row.protocol as ProtocolName;
  const left = await deps.keeper.left(tracker, ways.profile);
  if (delivery.isWaiting() || (await ownEditorHold(deps.swapFolder(session.id), tracker.pane))) {
    // The person's keys are their answer, or for their editor.
    if (left) await deps.keeper.release(left);
    return {};
  }
  // Where keys wait for it, it was cut off in the middle.
  const closedUntil = left ? undefined : await delivery.unread.closedUntil(row.id, tracker);
  if (closedUntil !== undefined) return { retryAt: closedUntil };
  const hold = left ?? (await newHold(delivery, tracker));
  if (!hold) return { retryAt: deps.clock() + REFUSED_RETRY_MS };
  const isHalfDone = (): boolean =>
    delivery.drafts.of({ ...message, attempts: row.attempt })?.state === 'saved';
  const { pane } = tracker;
  const wasCut = cutsOf(delivery, pane);
  const putBack = async (before: PaneView): Promise<Next> => {
    // Once it was on its way back it may be there, and changed since: then it is not put in a second time. It stays on
    // record, also where a daemon that is gone has recorded it.
    const entry = parseEntry(await delivery.input(tracker).readJournal());
    const isOfAttempt = entry?.message === message.id && entry.attempt === row.attempt;
    if (isOfAttempt) await delivery.takeOver(tracker, formatEntry({ ...entry, lease: deps.lease }));
    const typed = typedAs(delivery, message, row.attempt);
    const tools = await delivery.tools(message, typed, tracker, ways, way, hold);
    const protocol = makeProtocol(way, tools, delivery.aids(before));
    const step = way !== 'editor' || (isOfAttempt && entry.step === 'entered') ? 'entered' : 'restoring';
    await untilShown(delivery, protocol, tracker, ways.profile);
    const { restored } = await protocol
      .recover(step, draftOf(row), 'freed')
      .finally(() => protocol.abandon?.());
    const past = { ...message, attempts: row.attempt };
    // What shows only on a screen cannot be told from what the person has typed since.
    const isLast = protocol.abilities.reads !== 'exact' || deps.clock() - row.created_at > RETURN_MS;
    const settled = await delivery.drafts.settle(past, restored, isLast ? 'offer' : 'try_again');
    if (settled?.state === 'differs') await delivery.drafts.tell(tracker, message, settled);
    if (settled?.state === 'saved') return { retryAt: delivery.unread.noteLook(row.id, before) };
    delivery.unread.forget();
    return 'next';
  };
  return whileKeysWait(delivery, hold, isHalfDone, async () => {
    const before = await pane.view();
    return delivery.unread.looking(row.id, before, wasCut, () => putBack(before));
  });
}
