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

test.each<[StatusSource, number, boolean]>([
  ['hook', 10_000, false],
  ['hook', 100, true],
  ['registry', 10_000, true],
])('busy by its %s, last printed %i ms ago: interrupted %s', async (source, ago, isInterrupted) => {
  desk.becomes({
    status: JSON.stringify({ epoch: 1, state: 'busy', since: 0, source, detail: null }),
  });
  const now = Date.now();
  // No key can be pressed here; that one would have been is on record.
  const pane = { link: { state: { kind: 'down' } } };
  desk.session.tracker = { pane, printing: { printedAt: now - ago, burstAt: 0 } } as unknown as Tracker;
  const heard = { onEvent: desk.heard.event, of: () => ({ state: { kind: 'open' }, interrupt: undefined }) };
  desk.profile.interruptKeys = ['Escape'];
  const deps = { ...desk.delivery.deps, doors: heard, clock: () => now };
  const delivery = { ...desk.delivery, deps } as unknown as Delivery;
  const { id } = await desk.message({ mode: 'urgent' });
  expect(await interruptTurn(delivery, desk.get(id))).toBeUndefined();
  expect(desk.kinds(id).includes('interrupted')).toBe(isInterrupted);
});
