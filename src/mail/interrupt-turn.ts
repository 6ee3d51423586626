// Urgent mail stops the running turn first, once: by the agent's door, or by its own interrupt key; never at a dialog.
import { setTimeout as delay } from 'node:timers/promises';
import { REST_MS, type Session, statusOf, whenIdle } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import { ESCAPE_MS } from '../tmux/index.js';
import type { Delivery } from './delivery.js';
import { type Hold, personHold } from './gate.js';

// An agent that was told to stop does so within a second or two; a tool may take longer to be ended.
const STOPPED_MS = 8000;
const RETRY_MS = 1000;

// Undefined once nothing runs, and where nobody can tell whether anything does.
export async function interruptTurn(delivery: Delivery, message: MessageRow): Promise<Hold | undefined> {
  const { doors, clock, ledger } = delivery.deps;
  const { session } = delivery;
  const waits = personHold(session);
  if (waits) return waits;
  const status = statusOf(session);
  if (status.state !== 'busy') return undefined;
  // A turn that a person has started since is theirs.
  if (ledger.messages.events(message.id).some(({ kind }) => kind === 'interrupted')) return undefined;
  const door = doors.of(session);
  if (!door?.interrupt && !session.profile.interruptKeys) return undefined;
  // Not every end of a turn has a hook: the keys would mean something else to an agent that rests.
  if (status.source === 'hook' && !isPrinting(session, clock())) return undefined;
  const stopped = whenIdle(doors, session, STOPPED_MS);
  const open = door?.state.kind === 'open' && door.interrupt ? door : undefined;
  // On disk before it is done, and only where it is: whoever could not be interrupted now may be later.
  const record = async (): Promise<void> => {
    await ledger.record(delivery.fresh(message), { kind: 'interrupted', state: status.state });
  };
  if (open) await record();
  const byDoor = await open?.interrupt?.();
  if (!byDoor && !(await pressKeys(delivery, open ? undefined : record))) return undefined;
  if (await stopped) return undefined;
  return {
    reason: 'agent_busy',
    detail: 'its turn was interrupted and has not stopped yet',
    retryAt: clock() + RETRY_MS,
  };
}

// An agent at work repaints all the time.
const isPrinting = ({ tracker }: Session, now: number): boolean =>
  tracker?.printing !== undefined && now - tracker.printing.printedAt < REST_MS;

// Only where they do nothing but stop the turn. A person's keys keep their distance: with an Escape before it a key means
// something else.
async function pressKeys(
  { session, deps: { keeper } }: Delivery,
  record: (() => Promise<void>) | undefined,
): Promise<boolean> {
  const { interruptKeys } = session.profile;
  const { tracker } = session;
  if (!interruptKeys || tracker?.pane.link.state.kind !== 'up') return false;
  const start = await keeper.hold(tracker, session.profile);
  if (start.outcome === 'refused') return false;
  try {
    const view = await tracker.pane.view();
    if (view.dead || view.inMode || (await tracker.assess()).kind !== 'same') return false;
    // A dialog may have opened meanwhile, and would take the key for an answer.
    if (statusOf(session).state !== 'busy') return false;
    await record?.();
    const pressed = await tracker.pane.strokes([{ keys: [...interruptKeys] }], { program: view.program });
    await delay(ESCAPE_MS);
    return pressed.outcome === 'injected';
  } finally {
    await keeper.release(start.hold);
  }
}
