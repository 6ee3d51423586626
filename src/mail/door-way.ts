// One message through the agent's own door: no key is pressed, and what a person types is not touched.
import type { Carries, Door, DoorLetter } from '../agents/index.js';
import type { Session } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import { type Delivery, type Next, REFUSED_RETRY_MS } from './delivery.js';
import { envelopeOf } from './envelope.js';
import { refused } from './failing.js';
import type { Hold } from './gate.js';
import type { Ledger } from './ledger.js';
import { isAtLeast } from './lifecycle.js';
import { lost } from './receipts.js';
import { speaksAs } from './rules.js';
import { epochOf, isRunning, leaseOf, whereIs } from './whereabouts.js';

// How long a door that is being opened is waited for before the message goes another way.
const OPENING_MS = 5000;

export type DoorChoice = { kind: 'door'; door: Door } | { kind: 'wait'; hold: Hold } | { kind: 'other' };

const letterOf = (message: MessageRow, riders: readonly MessageRow[]): DoorLetter => ({
  id: message.id,
  text: envelopeOf([message, ...riders]).payload,
  mode: message.mode,
  speaks: speaksAs(message),
});

export function chooseDoor(
  door: Door | 'coming' | undefined,
  message: Pick<MessageRow, 'command' | 'mode' | 'speaks' | 'sender_session'>,
  now: number,
): DoorChoice {
  if (!door || message.command) return { kind: 'other' };
  // What is typed into a program that has only just begun may never be read.
  if (door === 'coming')
    return { kind: 'wait', hold: { reason: 'door_opening', detail: 'its agent has only just begun' } };
  const { state } = door;
  if (state.kind === 'shut') return { kind: 'other' };
  // Also for what it does not carry: until it opens, its agent may not read what is typed.
  if (state.kind === 'opening') {
    const retryAt = Math.max(state.since + OPENING_MS, state.until ?? 0);
    if (now > retryAt) return { kind: 'other' };
    return {
      kind: 'wait',
      hold: { reason: 'door_opening', detail: `its ${door.name} is being opened`, retryAt },
    };
  }
  const carries: Carries = door.carries({ mode: message.mode, speaks: speaksAs(message) });
  if (carries.kind === 'no') return { kind: 'other' };
  if (carries.kind === 'later')
    return {
      kind: 'wait',
      hold: { reason: 'agent_busy', detail: `its ${door.name} takes it later: ${carries.reason}` },
    };
  return { kind: 'door', door };
}

// Mail that an agent before this one had in its queue comes first, if it goes again: its records are being asked.
export function olderHold({ id, row }: Session, ledger: Ledger): Hold | undefined {
  const older = ledger.messages.accepted(id).find((one) => epochOf(ledger, one.id) !== row.epoch);
  return (
    older && {
      reason: 'agent_busy',
      detail: `#${older.id} was given to the agent before it; what became of it is not known yet`,
    }
  );
}

// `other`: provably not taken, and the pane may be tried.
export async function throughDoor(
  delivery: Delivery,
  message: MessageRow,
  door: Door,
  riders: readonly MessageRow[],
): Promise<Next | 'other'> {
  const { ledger, lease, clock } = delivery.deps;
  const { session } = delivery;
  const row = await ledger.begin(message, riders, {
    kind: 'attempt',
    epoch: session.row.epoch,
    lease,
    way: 'door',
    door: door.name,
  });
  ledger.fault('door:send');
  const sent = await door.send(letterOf(row, riders));
  ledger.fault('door:sent');
  // It may have shown the message already.
  const now = delivery.fresh(row);
  if (now.state !== 'attempting') return 'next';
  switch (sent.outcome) {
    case 'accepted':
      await ledger.record(now, { kind: 'accepted', evidence: sent.evidence });
      return 'next';
    case 'refused':
      await ledger.record(now, refused(now, `${door.name}: ${sent.reason}`, clock(), 'another'));
      return 'other';
    case 'unknown':
      return resumeDoor(delivery, now);
  }
}

// An attempt whose end nobody saw: where is the message now, by the agent's own records?
export async function resumeDoor(delivery: Delivery, message: MessageRow): Promise<Next> {
  const { ledger, clock, doors, lease } = delivery.deps;
  const { session } = delivery;
  const epoch = epochOf(ledger, message.id);
  const found = await whereIs(doors, session, epoch, message.id);
  switch (found.at) {
    case 'received':
      await ledger.record(message, { kind: 'accepted', evidence: found.evidence });
      // Its door may have told that meanwhile.
      if (!isAtLeast(delivery.fresh(message).receipt, 'received'))
        await ledger.record(delivery.fresh(message), {
          kind: 'received',
          turn: found.turn,
          evidence: found.evidence,
        });
      return 'next';
    case 'queue':
      await ledger.record(message, { kind: 'accepted', evidence: found.evidence });
      return 'next';
    case 'nowhere': {
      // What a daemon did not come to do is no fault of the door.
      const isCutOff = leaseOf(ledger, message.id) !== lease;
      await ledger.record(message, refused(message, isCutOff ? 'interrupted' : found.evidence, clock()));
      return 'next';
    }
    case 'unknown':
      if (isRunning(session, epoch))
        return delivery.hold(message, {
          reason: 'door_opening',
          detail: `an attempt was cut off, and its agent cannot be asked now: ${found.reason}`,
          retryAt: clock() + REFUSED_RETRY_MS,
        });
      await ledger.record(message, lost(message, found.reason));
      return 'next';
  }
}
