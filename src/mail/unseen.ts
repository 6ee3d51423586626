// Enter was pressed, and nobody saw what became of it: its agent's records may tell, and if not, what its sender would rather have.
import type { MessageRow } from '../store/index.js';
import type { Delivery } from './delivery.js';
import { refused } from './failing.js';
import { isAfterEnter, type JournalStep } from './journal.js';
import { isAtLeast } from './lifecycle.js';
import { lost } from './receipts.js';
import { epochOf, formOf, whereIs } from './whereabouts.js';

// The program or its pane has gone in the middle of an attempt.
export async function settleLost(
  delivery: Delivery,
  message: MessageRow,
  step: JournalStep,
): Promise<'next'> {
  if (isAfterEnter(step)) return settleUnseen(delivery, message, ENDED);
  const { ledger, clock } = delivery.deps;
  await ledger.record(message, refused(message, 'program_ended_before_enter', clock()));
  return 'next';
}

export async function settleUnseen(delivery: Delivery, message: MessageRow, reason: string): Promise<'next'> {
  const { ledger, doors } = delivery.deps;
  const { id } = message;
  const found = await whereIs(doors, delivery.session, epochOf(ledger, id), id);
  const now = delivery.fresh(message);
  // It was given up meanwhile.
  if (now.state !== 'attempting') return 'next';
  const isShown = isAtLeast(now.receipt, 'received');
  if (found.at === 'received' || isShown) {
    // First what its agent shows: that is so for all that went along, and being submitted settles them.
    const row =
      found.at === 'received' && !isShown
        ? await ledger.record(now, { kind: 'received', turn: found.turn, evidence: found.evidence })
        : now;
    await ledger.record(row, { kind: 'submitted', evidence: 'shown_by_agent' });
  }
  // Only a bell is looked for in all that its agent was given: what was typed whole may stand where nobody looks.
  else if (found.at === 'nowhere' && formOf(ledger, id) === 'bell')
    await ledger.record(now, refused(now, found.evidence, delivery.deps.clock()));
  else await ledger.record(now, lost(now, reason));
  return 'next';
}

const ENDED = 'Enter was pressed, then the program or its pane ended before the effect was seen';
