// Senders hear what they asked for, each thing once, whatever crashes in between.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClerkDesk } from '../../test/support/clerk-desk.js';
import { type MessageRow, type NewMessage, type Notify, Tellings } from '../store/index.js';
import type { MessageEvent } from './lifecycle.js';
import { Notifier } from './notifier.js';
import { Receipts } from './receipts.js';
import { Reminders } from './reminders.js';
import { StopNotify } from './stop-notify.js';

const MINUTE = 60_000;

let clerk: ClerkDesk;
let reminders: Reminders;
let notifier: Notifier;
let stops: StopNotify;

beforeEach(async () => {
  clerk = await ClerkDesk.open();
  begin();
});
afterEach(async () => {
  await end();
  await clerk.desk.close();
});

// A daemon of its own, on the same disk.
function begin(): void {
  const { speaker, machine, desk } = clerk;
  reminders = new Reminders({ speaker, clockwork: machine.clockwork });
  stops = new StopNotify({ speaker, doors: desk.doors, quietMs: 30 });
  notifier = new Notifier({ speaker, stops, doors: desk.doors, timed: () => reminders.look() });
}
async function end(): Promise<void> {
  await notifier.dispose();
  await stops.dispose();
  await reminders.dispose();
}

const ask = (notify: Partial<Notify>, more: Partial<NewMessage> = {}): Promise<MessageRow> =>
  clerk.desk.message({
    text: 'do task X',
    notify: { onDelivery: false, after: null, onStop: false, quiet: false, ...notify },
    ...more,
  });
const typed = (row: MessageRow): Promise<MessageRow> =>
  clerk.desk.attempted(row, 'direct', { kind: 'submitted', evidence: 'box_empty' });
const ACCEPTED: MessageEvent = { kind: 'accepted', evidence: 'queue' };
const RECEIVED: MessageEvent = { kind: 'received', turn: 't', evidence: 'hook' };

// Nothing is under way any more.
async function settled(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await clerk.desk.store.write([]);
    await clerk.machine.pass(0);
    await new Promise(setImmediate);
  }
}
const heard = async (to = 'other'): Promise<string[]> => {
  await settled();
  return clerk.texts(to);
};

const DELIVERED = '[sm] Message delivered to s (s)\nOriginal: "do task X..."';

describe('of its delivery', () => {
  test('once, when its box let go of it', async () => {
    const row = await typed(await ask({ onDelivery: true }));
    expect(await heard()).toEqual([DELIVERED]);
    await clerk.desk.ledger.record(row, RECEIVED);
    expect(await heard()).toEqual([DELIVERED]);
    expect(clerk.said('other')).toMatchObject([{ speaks: 'notice', sender_session: null, quiet: 1 }]);
    expect(clerk.woken).toEqual(['other']);
  });

  test('through a door not before its agent shows it', async () => {
    const row = await clerk.desk.attempted(await ask({ onDelivery: true }), 'door', ACCEPTED);
    expect(await heard()).toEqual([]);
    await clerk.desk.ledger.record(row, RECEIVED);
    expect(await heard()).toEqual([DELIVERED]);
  });

  test('not where nobody can tell whether it was taken, and nothing is left to tell', async () => {
    await clerk.desk.attempted(await ask({ onDelivery: true }), 'door', ACCEPTED, {
      kind: 'uncertain',
      reason: 'its agent has ended',
    });
    expect(new Tellings(clerk.desk.store).owingOf('s')).toEqual([]);
    await end();
    begin();
    notifier.start();
    expect(await heard()).toEqual([]);
  });

  test('only if asked for', async () => {
    await typed(await ask({}));
    expect(await heard()).toEqual([]);
  });

  test('in the inbox, where the sender is a person', async () => {
    await typed(await ask({ onDelivery: true }, { senderSession: null, senderName: 'user' }));
    await settled();
    expect(clerk.inbox()).toMatchObject([{ text: DELIVERED, sender_name: 'sm' }]);
  });

  test('nobody, where the sender has gone: dropped for good, and logged', async () => {
    await clerk.remove('other');
    await typed(await ask({ onDelivery: true }));
    await settled();
    expect(clerk.logged).toEqual(['not said: whoever asked for it has gone']);
    await end();
    begin();
    notifier.start();
    await settled();
    expect(clerk.logged).toHaveLength(1);
  });
});

describe('so long after it', () => {
  test('once, and the daemon may end meanwhile', async () => {
    await typed(await ask({ after: 5 * MINUTE }));
    expect(await heard()).toEqual([]);
    await end();
    begin();
    notifier.start();
    clerk.machine.now = Date.now() + 6 * MINUTE;
    reminders.look();
    const [text = '', ...more] = await heard();
    expect(text.split('\n').slice(0, 3)).toEqual([
      '[sm] Reminder: 5m since your message to s was delivered',
      'Original: "do task X..."',
      'You can check status with: sm output s',
    ]);
    expect(more).toEqual([]);
    await end();
    begin();
    notifier.start();
    reminders.look();
    expect(await heard()).toHaveLength(1);
  });

  test('is no reminder that a person sees in a list', async () => {
    await typed(await ask({ after: 5 * MINUTE }));
    await settled();
    expect(reminders.list(10)).toEqual([]);
  });
});

describe('that it was given up', () => {
  const expired: MessageEvent = { kind: 'expired', reason: 'its time was over' };
  const dead: MessageEvent = { kind: 'dead', reason: '5 attempts failed' };

  test.each([
    [expired, '[sm] Message to s (s) expired'],
    [dead, '[sm] Message to s (s) was given up: 5 attempts failed'],
  ])('$kind', async (event, text) => {
    await clerk.desk.ledger.record(await ask({}), event);
    expect(await heard()).toEqual([expect.stringContaining(text)]);
  });

  test('not if it is to be quiet', async () => {
    await clerk.desk.ledger.record(await ask({ quiet: true }), expired);
    await clerk.desk.ledger.record(await ask({ quiet: true }), dead);
    expect(await heard()).toEqual([]);
  });

  test('again, when it is given up again', async () => {
    let row = await clerk.desk.ledger.record(await ask({}), dead);
    expect(await heard()).toHaveLength(1);
    row = await clerk.desk.ledger.record(row, { kind: 'redelivered', by: 'user' });
    await clerk.desk.ledger.record(row, dead);
    expect(await heard()).toHaveLength(2);
  });

  test('of what sm itself said nobody hears anything', async () => {
    const own = await ask({}, { senderSession: null, senderName: 'sm' });
    await clerk.desk.ledger.record(own, expired);
    await settled();
    expect(clerk.inbox()).toEqual([]);
  });
});

describe('a daemon that died before it told', () => {
  test('the next one tells it, once', async () => {
    await end();
    await typed(await ask({ onDelivery: true, after: MINUTE }));
    await clerk.desk.ledger.record(await ask({}), { kind: 'expired', reason: 'late' });
    for (let i = 0; i < 3; i++) {
      begin();
      notifier.start();
      await settled();
      await end();
    }
    begin();
    expect(clerk.texts('other').map((text) => text.split('\n')[0])).toEqual([
      '[sm] Message delivered to s (s)',
      '[sm] Message to s (s) expired: its time was over before it could be delivered',
    ]);
  });

  test('two that tell at the same moment tell it once', async () => {
    await end();
    await typed(await ask({ onDelivery: true }));
    begin();
    const other = new Notifier({ speaker: clerk.speaker, stops, doors: clerk.desk.doors, timed: () => {} });
    notifier.start();
    other.start();
    expect(await heard()).toEqual([DELIVERED]);
    await other.dispose();
  });

  test('looks at what is untold alone, however many there were', async () => {
    await end();
    for (let i = 0; i < 600; i++) clerk.desk.message({ createdAt: i });
    await typed(await ask({ onDelivery: true }));
    begin();
    notifier.start();
    expect(await heard()).toEqual([DELIVERED]);
  });
});

describe('of the end of the turn that took it, where its agent tells', () => {
  const tell = async (event: Parameters<typeof clerk.desk.heard.fire>[0]['event']): Promise<void> => {
    const work: Promise<unknown>[] = [];
    clerk.desk.heard.fire({ session: clerk.desk.session, epoch: 1, event, until: (one) => work.push(one) });
    await Promise.all(work);
  };
  const stopped = (turn: string, answer: string | null = null) =>
    tell({ kind: 'turn_ended', turn, how: 'completed', answer, evidence: 'Stop hook' });
  const shown = (id: string, turn: string) => tell({ kind: 'received', id, turn, evidence: 'hook' });
  const FINISHED = '[sm] s (s) has finished the turn that took your message\nOriginal: "do task X..."';

  beforeEach(() => {
    new Receipts({ ...clerk.desk, doors: clerk.desk.doors, registry: clerk.registry, log: () => {} });
  });

  test('typed in mid-turn: not at the end of the turn that ran, but of its own, with the answer', async () => {
    const { id } = await typed(await ask({ onStop: true }));
    await stopped('x');
    expect(await heard()).toEqual([]);
    await shown(id, 'y');
    expect(await heard()).toEqual([]);
    await stopped('y', 'All tests pass.');
    expect(await heard()).toEqual([`${FINISHED}\nAnswer:\nAll tests pass.`]);
  });

  test('the stop of the turn that ran is lost: told at the end of its own turn all the same, not one task late', async () => {
    const { id } = await typed(await ask({ onStop: true }));
    // Task X's stop hook fails; Task Y takes the message.
    await shown(id, 'y');
    await stopped('y');
    expect(await heard()).toEqual([FINISHED]);
    await stopped('z');
    expect(await heard()).toHaveLength(1);
  });

  test('each of several senders', async () => {
    await clerk.add('third');
    const first = await typed(await ask({ onStop: true }));
    const second = await typed(await ask({ onStop: true }, { senderSession: 'third', senderName: 'third' }));
    await shown(first.id, 'y');
    await shown(second.id, 'z');
    await stopped('y');
    expect([await heard('other'), await heard('third')]).toEqual([[FINISHED], []]);
    await stopped('z');
    expect(await heard('third')).toEqual([FINISHED]);
  });

  test('once, also where the daemon died before it told', async () => {
    const { id } = await typed(await ask({ onStop: true }));
    await shown(id, 'y');
    await end();
    await stopped('y');
    for (let i = 0; i < 2; i++) {
      begin();
      notifier.start();
      await settled();
      await end();
    }
    begin();
    expect(clerk.texts('other')).toEqual([FINISHED]);
  });
});
