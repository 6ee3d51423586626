// How far a message is proved to have come: five marks that fill from the left, and the word for the last of them.

import { heldWords } from '../sessions/words.js';
import type { Mail } from '../state/model.js';
import { isOver } from '../state/next.js';

const STEPS = ['queued', 'typed', 'submitted', 'received', 'done'] as const;

const MEANS: Record<(typeof STEPS)[number], string> = {
  queued: 'it is on disk',
  typed: 'it is seen in the input box',
  submitted: 'the box let go of it',
  received: 'the agent itself shows it',
  done: 'the turn that took it has ended',
};

export function Receipt({ mail }: { mail: Pick<Mail, 'receipt' | 'state'> }) {
  const at = STEPS.indexOf(mail.receipt);
  const word = wordOf(mail);
  return (
    <span className={`receipt ${toneOf(mail)}`} title={MEANS[mail.receipt]}>
      <span className="receipt-marks" aria-hidden="true">
        {STEPS.map((step, index) => (
          <i key={step} className={index <= at ? 'on' : ''} />
        ))}
      </span>
      <span className="receipt-word">{word}</span>
    </span>
  );
}

// What ended it without a delivery says more than how far it came.
function wordOf({ state, receipt }: Pick<Mail, 'receipt' | 'state'>): string {
  if (state === 'cancelled' || state === 'expired') return state;
  if (state === 'dead') return 'dead letter';
  if (state === 'accepted' && receipt === 'submitted') return 'in its queue';
  return receipt;
}

function toneOf({ state, receipt }: Pick<Mail, 'receipt' | 'state'>): string {
  if (state === 'dead' || state === 'expired') return 'bad';
  if (state === 'cancelled') return 'void';
  if (receipt === 'received' || receipt === 'done') return 'good';
  return isOver(state) ? 'sent' : 'under-way';
}

export function HeldLine({ mail }: { mail: Pick<Mail, 'held' | 'held_detail' | 'state'> }) {
  if (mail.held === null || isOver(mail.state)) return null;
  return (
    <span className="held" title={mail.held_detail ?? undefined}>
      waits: {heldWords(mail.held)}
    </span>
  );
}
