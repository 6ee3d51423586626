// What is to be said at a time is said once, survives the daemon, and says when it is late.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ClerkDesk } from '../../test/support/clerk-desk.js';
import { MailError } from './errors.js';
import { type NewReminder, Reminders } from './reminders.js';

const MINUTE = 60_000;

let clerk: ClerkDesk;
let reminders: Reminders;
const open = (): Reminders => new Reminders({ speaker: clerk.speaker, clockwork: clerk.machine.clockwork });

beforeEach(async () => {
  clerk = await ClerkDesk.open();
  reminders = open();
});
afterEach(async () => {
  await reminders.dispose();
  await clerk.desk.close();
});

const remind = (more: Partial<NewReminder> = {}) =>
  reminders.remind({
    target: 's',
    owner: 's',
    text: 'check on engineer progress',
    dueAt: clerk.machine.now + 5 * MINUTE,
    everyMs: null,
    ...more,
  });

// Lets what the alarm began come to its end.
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE) {
    await clerk.machine.pass(Math.min(left, MINUTE));
    await settled();
  }
}
const settled = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) {
    // Behind whatever was written before it.
    await clerk.desk.store.write([]);
    await clerk.machine.pass(0);
  }
};

const TEXT = '[sm] Scheduled reminder:\ncheck on engineer progress';

test('it is said when it is due, once, as mail of sm that is not the word of a user', async () => {
  const { id } = await remind();
  expect(reminders.list(10).map((one) => one.id)).toEqual([id]);
  await pass(4 * MINUTE);
  expect(clerk.said('s')).toEqual([]);
  await pass(2 * MINUTE);
  expect(clerk.said('s')).toMatchObject([
    { text: TEXT, speaks: 'notice', sender_session: null, expires_at: null, state: 'pending' },
  ]);
  expect(clerk.woken).toEqual(['s']);
  await pass(60 * MINUTE);
  expect(clerk.said('s')).toHaveLength(1);
  expect(reminders.list(10)).toEqual([]);
  expect(reminders.find(id).state).toBe('done');
  expect(clerk.machine.pending).toBe(0);
});

test('to a person it goes into the inbox', async () => {
  await remind({ target: null, owner: null });
  await pass(6 * MINUTE);
  expect(clerk.inbox()).toMatchObject([{ text: TEXT, sender_name: 'sm', sender_session: null }]);
  expect(clerk.said('s')).toEqual([]);
});

describe('a daemon that was not there', () => {
  test('says it late, once, and says so', async () => {
    await remind();
    await reminders.dispose();
    clerk.machine.jump(125 * MINUTE);
    reminders = open();
    reminders.look();
    await pass(MINUTE);
    const [text = ''] = clerk.texts('s');
    expect(text).toMatch(
      /^\[sm\] Scheduled reminder:\ncheck on engineer progress\n\(due at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, 2h late\)$/,
    );
    await pass(60 * MINUTE);
    expect(clerk.said('s')).toHaveLength(1);
  });

  test('does not say again what was said before it died', async () => {
    await remind();
    await pass(6 * MINUTE);
    reminders = open();
    reminders.look();
    await pass(60 * MINUTE);
    expect(clerk.said('s')).toHaveLength(1);
  });

  test('two that look at the same moment say it once: the timer and the message are one unit of writes', async () => {
    await remind();
    const other = open();
    other.look();
    reminders.look();
    await pass(6 * MINUTE);
    expect(clerk.said('s')).toHaveLength(1);
    await other.dispose();
  });
});

test('a machine that slept past its time: said late, within a look', async () => {
  await remind();
  await pass(MINUTE);
  clerk.machine.jump(60 * MINUTE);
  await pass(MINUTE);
  expect(clerk.texts('s')).toEqual([expect.stringMatching(/, 5[67]m\d*s? late\)$/)]);
});

describe('one that comes again', () => {
  // Its agent takes what it is told.
  const take = async (): Promise<void> => {
    for (const row of clerk.said('s'))
      if (row.state === 'pending') await clerk.desk.ledger.record(row, { kind: 'cancelled', reason: 'test' });
  };

  test('keeps to its times, without a burst after a sleep', async () => {
    const { due_at } = await remind({ everyMs: 10 * MINUTE });
    await pass(6 * MINUTE);
    await take();
    await pass(10 * MINUTE);
    await take();
    expect(clerk.said('s')).toHaveLength(2);
    clerk.machine.jump(95 * MINUTE);
    await pass(MINUTE);
    await take();
    expect(clerk.said('s')).toHaveLength(3);
    const [next] = reminders.list(1);
    expect([((next?.due_at ?? 0) - due_at) % (10 * MINUTE), next?.fired]).toEqual([0, 3]);
    await pass(10 * MINUTE);
    expect(clerk.said('s')).toHaveLength(4);
  });

  test('does not pile up in front of an agent that takes nothing', async () => {
    await remind({ everyMs: 10 * MINUTE });
    await pass(60 * MINUTE);
    expect(clerk.said('s')).toHaveLength(1);
    expect(clerk.logged).toContain('reminder left out: the one before it still waits');
    await take();
    await pass(10 * MINUTE);
    expect(clerk.said('s')).toHaveLength(2);
  });

  test('goes on when the clock was far ahead and is set back', async () => {
    await remind({ everyMs: 10 * MINUTE });
    clerk.machine.jump(1000 * MINUTE);
    await pass(MINUTE);
    await take();
    clerk.machine.jump(-1000 * MINUTE);
    await pass(9 * MINUTE);
    expect(clerk.said('s')).toHaveLength(1);
    await pass(2 * MINUTE);
    await take();
    await pass(10 * MINUTE);
    expect(clerk.said('s')).toHaveLength(3);
    expect(clerk.logged).toEqual(['reminder drawn near: the clock was set back']);
  });

  test('the first time may be as far off as it likes', async () => {
    const { due_at } = await remind({ everyMs: 10 * MINUTE, dueAt: clerk.machine.now + 90 * MINUTE });
    await pass(60 * MINUTE);
    expect(reminders.list(1)[0]?.due_at).toBe(due_at);
  });

  test('is cancelled for good', async () => {
    const { id } = await remind({ everyMs: 10 * MINUTE });
    await pass(6 * MINUTE);
    await reminders.cancel(reminders.find(id.slice(0, 6)));
    await pass(60 * MINUTE);
    expect(clerk.said('s')).toHaveLength(1);
    expect(clerk.machine.pending).toBe(0);
  });
});

describe('whoever it was for', () => {
  test('was removed: dropped, and logged', async () => {
    const { id } = await remind({ target: 'other', everyMs: MINUTE });
    await clerk.remove('other');
    await pass(10 * MINUTE);
    expect(reminders.find(id).state).toBe('dropped');
    expect(clerk.logged).toEqual(['reminder dropped: whoever it was for has gone']);
  });

  test('lost its pane: dropped', async () => {
    const { id } = await remind();
    clerk.desk.session.row = { ...clerk.desk.session.row, state: 'gone' };
    await pass(10 * MINUTE);
    expect(reminders.find(id).state).toBe('dropped');
    expect(clerk.said('s')).toEqual([]);
  });

  test('is removed in the moment in which it is said: nothing is left half done', async () => {
    const { id } = await remind({ target: 'other', dueAt: clerk.machine.now + 1 });
    const removing = clerk.remove('other');
    await pass(MINUTE);
    await removing;
    expect(reminders.find(id).state).not.toBe('waiting');
    expect(clerk.said('other')).toEqual([]);
  });
});

test('what is over cannot be cancelled, and what is not there cannot be found', async () => {
  const { id } = await remind({ dueAt: clerk.machine.now });
  await pass(MINUTE);
  await expect(reminders.cancel(reminders.find(id))).rejects.toThrow(`the reminder ${id} is done already`);
  expect(() => reminders.find('nothing')).toThrow(MailError);
  expect(() => reminders.find('nothing')).toThrow('no such reminder: nothing');
});
