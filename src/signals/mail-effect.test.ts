// Mail because of signals: to whom, once, and never round in a circle.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClerkDesk } from '../../test/support/clerk-desk.js';
import { type Addressee, resolveTo } from '../mail/index.js';
import type { Session } from '../sessions/index.js';
import { insertSignalUse, type SignalUseRow, updateSignalUse } from '../store/index.js';
import { MailEffect, MOST_AN_HOUR } from './mail-effect.js';
import type { Signal } from './signal.js';
import { next, type UseEvent } from './use-rule.js';

let desk: ClerkDesk;
let effect: MailEffect;
beforeEach(async () => {
  desk = await ClerkDesk.open();
  const { speaker, registry, machine } = desk;
  const candidate = (session: Session): Addressee & { session: Session } => ({
    id: session.id,
    name: session.name,
    groups: session.groups,
    parent: session.row.parent,
    presence: 'here',
    session,
  });
  effect = new MailEffect({
    speaker,
    registry,
    recipients: (to, sender) => {
      const { sessions, person } = resolveTo(registry.list().map(candidate), [to], sender);
      return { sessions: sessions.map(({ session }) => session), person };
    },
    clock: machine.clock,
  });
});
afterEach(() => desk.desk.close());

let seq = 0;

// A signal of a session for which an action mails somebody.
async function signalled(
  session: string,
  to: string,
  { action = `to ${to}`, text = null as string | null } = {},
): Promise<{ event: UseEvent | undefined; use: SignalUseRow }> {
  const { store } = desk.desk;
  const now = desk.machine.now++;
  await store.write([insertSignalUse(session, ++seq, action, now)]);
  const use = store.read.prepare('SELECT * FROM signal_uses WHERE seq = ?').get(seq) as SignalUseRow;
  const signal: Signal = {
    ordinal: seq,
    session,
    seq,
    state: 'needs_input',
    message: 'Which port?',
    id: null,
    door: 'command',
    at: now,
    confidence: null,
  };
  const done = updateSignalUse(use, next(use, { kind: 'done' }, now));
  const event = await effect.send(use, signal, { to, text }, done);
  return { event, use };
}
const stateOf = ({ ordinal }: SignalUseRow): unknown =>
  desk.desk.store.read.prepare('SELECT state FROM signal_uses WHERE ordinal = ?').pluck().get(ordinal);
const parent = (child: string, of: string): void => {
  const session = desk.session(child);
  session.row = { ...session.row, parent: of };
};

// All that waits for a session has arrived there.
async function arrived(session: string): Promise<void> {
  await desk.desk.store.write([
    {
      sql: "UPDATE messages SET state = 'settled', receipt = 'submitted' WHERE recipient = ?",
      values: [session],
    },
  ]);
}

test('a parent hears of its child, as a notice of sm; it is written with the record of it', async () => {
  parent('s', 'other');
  const { event, use } = await signalled('s', 'parent');
  expect([event, stateOf(use)]).toEqual([undefined, 'done']);
  const [mail] = desk.said('other');
  expect(mail).toMatchObject({ speaks: 'notice', quiet: 1 });
  expect(mail?.text).toBe('s (session s) reports needs_input: Which port?\nTo write to it: sm send s "…"');
  expect(desk.woken).toEqual(['other']);
});

test('done already, nothing is said again', async () => {
  const { use } = await signalled('s', 'other-name');
  const again = updateSignalUse(use, next(use, { kind: 'done' }, 1));
  const signal = {
    ...use,
    state: 'error',
    message: '',
    id: null,
    door: 'command',
    at: 1,
    confidence: null,
  } as const;
  expect(await effect.send(use, signal, { to: 'other-name', text: null }, again)).toBeUndefined();
  expect(desk.said('other')).toHaveLength(1);
});

test('the person has it in the inbox, in the words that were configured', async () => {
  await signalled('s', '@me', { text: '{name}: {message}' });
  expect(desk.inbox().map(({ text }) => text)).toEqual(['s: Which port?']);
});

test('without a parent there is nobody to tell; a name that nobody has is a failure', async () => {
  expect((await signalled('s', 'parent')).event).toEqual({
    kind: 'dropped',
    reason: 's was not started by an agent',
  });
  expect((await signalled('s', 'nobody')).event).toMatchObject({ kind: 'failed' });
});

test('nobody is told of themselves', async () => {
  expect((await signalled('s', 's')).event).toMatchObject({
    kind: 'dropped',
    reason: 's is not told of itself',
  });
});

test('mail that follows from itself by way of others is not sent', async () => {
  await desk.add('third');
  await signalled('s', 'other-name');
  await arrived('other');
  await signalled('other', 'third-name');
  await arrived('third');
  expect((await signalled('third', 's')).event).toBeUndefined();
  await arrived('s');
  expect((await signalled('s', 'other-name')).event).toEqual({
    kind: 'dropped',
    reason: 'it would go round in a circle',
  });
  // Another action for the same session is something else.
  expect((await signalled('s', 'other-name', { action: 'another' })).event).toBeUndefined();
  // And so is a signal after mail from somebody: that is what it follows from.
  await desk.desk.message({ recipient: 's', createdAt: desk.machine.now });
  await arrived('s');
  expect((await signalled('s', 'other-name')).event).toBeUndefined();
});

test('a supervisor that cannot answer may ask its own', async () => {
  await desk.add('boss');
  parent('s', 'other');
  parent('other', 'boss');
  await signalled('s', 'parent');
  await arrived('other');
  expect((await signalled('other', 'parent')).event).toBeUndefined();
  expect(desk.texts('boss')).toHaveLength(1);
});

test('no session gets more of it in an hour than anybody asked for', async () => {
  for (let n = 0; n < MOST_AN_HOUR; n++) expect((await signalled('s', 'other-name')).event).toBeUndefined();
  expect((await signalled('s', 'other-name')).event).toMatchObject({ kind: 'failed' });
  desk.machine.jump(3_600_000);
  expect((await signalled('s', 'other-name')).event).toBeUndefined();
});
