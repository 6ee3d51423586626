// How much of a message each session can prove, and waiting until it is proved.
import type { Doors, Registry, Session } from '../sessions/index.js';
import type { MessageRow, ReceiptLevel } from '../store/index.js';
import { MailError } from './errors.js';
import type { Ledger } from './ledger.js';
import { isAtLeast, isGivenUp } from './lifecycle.js';
import { epochOf } from './whereabouts.js';

export interface ProofsDeps {
  doors: Doors;
  registry: Registry;
  ledger: Ledger;
}

// What the input box alone can prove.
const BOX_RECEIPT: ReceiptLevel = 'submitted';

export class Proofs {
  constructor(readonly deps: ProofsDeps) {}

  // An agent whose door or hooks are open, or may open yet, shows what it takes, whichever way it came.
  best(session: Session): ReceiptLevel {
    return this.deps.doors.mayTell(session, session.row.epoch) ? 'done' : BOX_RECEIPT;
  }

  // Refused before anything is stored, rather than waited for in vain.
  demand(
    receipt: ReceiptLevel,
    recipients: readonly Session[],
    { command }: Readonly<{ command: boolean }>,
  ): void {
    // A command carries no id that its agent could show.
    const bestOf = (session: Session): ReceiptLevel => (command ? BOX_RECEIPT : this.best(session));
    const weak = recipients.find((session) => !isAtLeast(bestOf(session), receipt));
    if (!weak) return;
    const best = bestOf(weak);
    throw new MailError(
      'cannot_prove',
      `${weak.name} can prove "${best}" at most, so "${receipt}" would never come`,
      {
        field: 'wait_for',
        value: receipt,
        expected: `at most "${best}"`,
      },
    );
  }

  // Resolves when the receipt is reached, when it never will be, or when the time is over.
  wait(message: MessageRow, receipt: ReceiptLevel, ms: number, signal: AbortSignal): Promise<MessageRow> {
    const { ledger, registry } = this.deps;
    const { id, recipient } = message;
    const now = (): MessageRow => ledger.messages.get(id) ?? message;
    const isOver = (row: MessageRow): boolean => this.outcome(row, receipt) !== 'open';
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        entry.dispose();
        change.dispose();
        signal.removeEventListener('abort', finish);
        resolve(now());
      };
      const entry = ledger.onEntry((happened) => {
        if (happened.message.id === id && isOver(happened.message)) finish();
      });
      // Its agent may have ended, or its door turned out to be shut.
      const change = registry.onEvent(({ type, session }) => {
        if (session.id === recipient && (type === 'removed' || isOver(now()))) finish();
      });
      const timer = setTimeout(finish, ms);
      signal.addEventListener('abort', finish);
      if (signal.aborted || isOver(now())) finish();
    });
  }

  // `never`: nothing more becomes of it by itself.
  outcome(row: MessageRow, receipt: ReceiptLevel): 'reached' | 'never' | 'open' {
    // What its agent's own queue gave back was submitted to that queue alone.
    if (isGivenUp(row) && isAtLeast(receipt, 'submitted')) return 'never';
    if (isAtLeast(row.receipt, receipt)) return 'reached';
    const isOver = isGivenUp(row) || (row.state === 'settled' && !this.#mayClimb(row));
    return isOver || !this.deps.registry.get(row.recipient) ? 'never' : 'open';
  }

  // Its agent may show it yet: the one that it was given to, not one that came after it.
  #mayClimb({ id, recipient, receipt }: MessageRow): boolean {
    const { ledger, registry, doors } = this.deps;
    const session = registry.get(recipient);
    const isUncertain = ledger.messages.events(id).at(-1)?.kind === 'uncertain';
    if (!session || isUncertain || receipt === 'done') return false;
    return doors.mayTell(session, epochOf(ledger, id));
  }
}
