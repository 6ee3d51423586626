// What would happen to a message now, in words: for `sm send --dry-run`, and for what is refused.
import { isInteractiveShell, isKeyDriven } from '../agents/index.js';
import type { Session } from '../sessions/index.js';
import type { ReceiptLevel } from '../store/index.js';
import type { Hold } from './gate.js';
import type { Way } from './lifecycle.js';

export interface Plan {
  session: Session;
  way: Way | 'wait' | 'refuse';
  reason: string;
  detail: string;
  // The best receipt it can get.
  proves: ReceiptLevel;
}

export type PlanWords = Pick<Plan, 'way' | 'reason' | 'detail'>;

export function inWords(plan: Hold | { way: Way; door?: string }): PlanWords {
  if ('reason' in plan) return { way: 'wait', reason: plan.reason, detail: plan.detail };
  if (plan.way === 'door')
    return { way: 'door', reason: 'open', detail: `its ${plan.door} takes it; no key is pressed` };
  if (plan.way === 'direct')
    return {
      way: 'direct',
      reason: 'empty_box',
      detail: 'its input box is empty and nobody is typing: one guarded paste, then Enter',
    };
  return {
    way: plan.way,
    reason: 'past_draft',
    detail: "a person's text is in its input box: it is saved, the message goes in alone, and it is put back",
  };
}

export function refusalOf(
  session: Session,
  command: boolean,
): { reason: string; detail: string } | undefined {
  const argv = session.program?.argv ?? [];
  if (isKeyDriven(argv))
    return {
      reason: 'no_agent',
      detail: `${session.name} is an editor or a pager: each letter would be a command to it`,
    };
  if (command || !isInteractiveShell(argv)) return undefined;
  return { reason: 'shell', detail: `${session.name} is a shell: it would run what it is sent` };
}
