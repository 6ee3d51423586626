// Urgent mail presses the interrupt keys only where a turn runs: what hooks alone tell may be over.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { StatusSource } from '../agents/status.js';
import type { Tracker } from '../sessions/index.js';
import type { Delivery } from './delivery.js';
import { interruptTurn } from './interrupt-turn.js';

let desk: MailDesk;
beforeEach(async () => {
  desk = await MailDesk.open();
});
afterEach(() => desk.close());

const busy = (source: StatusSource): void =>
  desk.becomes({ status: JSON.stringify({ epoch: 1, state: 'busy', since: 0, source, detail: null }) });

// A pane that takes keys, or whose person reads back in it, so that none can be pressed.
async function interrupt(
  ago: number,
  keys: 'held' | 'refused',
): Promise<{ kinds: string[]; strokes: number }> {
  const now = Date.now();
  let strokes = 0;
  const pane = {
    link: { state: { kind: 'up' } },
    view: async () => ({ dead: false, inMode: false, program: undefined }),
    strokes: async () => {
      strokes++;
      // Its turn ends by it.
      desk.heard.fire({
        session: desk.session,
        event: { kind: 'status', status: { state: 'idle' } },
      } as never);
      return { outcome: 'injected' };
    },
  };
  const tracker = {
    pane,
    printing: { printedAt: now - ago, burstAt: 0 },
    assess: async () => ({ kind: 'same' }),
  };
  desk.session.tracker = tracker as unknown as Tracker;
  desk.profile.interruptKeys = ['Escape'];
  const doors = { onEvent: desk.heard.event, of: () => ({ state: { kind: 'open' }, interrupt: undefined }) };
  const keeper = { hold: async () => ({ outcome: keys, hold: {} }), release: async () => 0 };
  const deps = { ...desk.delivery.deps, doors, keeper, clock: () => now };
  const delivery = { ...desk.delivery, deps } as unknown as Delivery;
  const { id } = await desk.message({ mode: 'urgent' });
  expect(await interruptTurn(delivery, desk.get(id))).toBeUndefined();
  return { kinds: desk.kinds(id), strokes };
}

test.each<[StatusSource, number, boolean]>([
  ['hook', 10_000, false],
  ['hook', 100, true],
  ['registry', 10_000, true],
])('busy by its %s, last printed %i ms ago: interrupted %s', async (source, ago, isInterrupted) => {
  busy(source);
  const { kinds, strokes } = await interrupt(ago, 'held');
  expect([kinds.includes('interrupted'), strokes]).toEqual([isInterrupted, isInterrupted ? 1 : 0]);
});

test('where no key can be pressed nothing is said to be interrupted, and it may be tried again', async () => {
  busy('registry');
  const { kinds, strokes } = await interrupt(100, 'refused');
  expect([kinds.includes('interrupted'), strokes]).toEqual([false, 0]);
});
