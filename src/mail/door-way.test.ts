// How long a message waits for a door that is being opened.
import { expect, test } from 'vitest';
import { MailDesk } from '../../test/support/mail-desk.js';
import type { Door, DoorState } from '../agents/index.js';
import { chooseDoor, resumeDoor } from './door-way.js';

const MESSAGE = { command: 0, mode: 'sequential', speaks: null, sender_session: null } as const;
const choose = (state: DoorState, now: number) => chooseDoor({ name: 'd', state } as Door, MESSAGE, now);

test('five seconds, and longer where its agent has only just begun', () => {
  const opening = { kind: 'opening', since: 1000 } as const;
  expect(choose(opening, 6000)).toMatchObject({ kind: 'wait', hold: { retryAt: 6000 } });
  expect(choose(opening, 6001).kind).toBe('other');
  expect(choose({ ...opening, until: 9000 }, 9000)).toMatchObject({ kind: 'wait', hold: { retryAt: 9000 } });
  expect(choose({ ...opening, until: 9000 }, 9001).kind).toBe('other');
  // It began long ago, and only its connection was lost.
  expect(choose({ ...opening, until: 10 }, 6000).kind).toBe('wait');
});

test('an attempt that was cut off: what its door has told meanwhile is recorded once', async () => {
  const desk = await MailDesk.open();
  try {
    const { id } = await desk.attempted(await desk.message(), 'door');
    desk.door = { find: async () => ({ at: 'received', turn: 't', evidence: 'record' }) };
    await desk.ledger.record(desk.get(id), { kind: 'received', turn: 't', evidence: 'event' });
    await resumeDoor(desk.delivery, desk.get(id));
    expect(desk.kinds(id)).toEqual(['queued', 'attempt', 'received', 'accepted']);
    expect(desk.get(id).state).toBe('settled');
  } finally {
    await desk.close();
  }
});
