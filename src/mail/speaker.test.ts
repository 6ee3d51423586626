// Where sm's own words go: never to a shell, which would run them, and never half.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClerkDesk } from '../../test/support/clerk-desk.js';
import { Unmet } from '../store/index.js';

let clerk: ClerkDesk;
beforeEach(async () => {
  clerk = await ClerkDesk.open();
});
afterEach(() => clerk.desk.close());

const runs = (...argv: string[]): void => {
  const session = clerk.session('other');
  session.row = { ...session.row, program: JSON.stringify({ pid: 1, started: '1', argv }) };
};

test('whoever sits at a shell finds it in the inbox', async () => {
  runs('bash');
  await clerk.speaker.say([{ to: 'other', text: 'rm -rf /' }], []);
  expect([clerk.texts('other'), clerk.inbox().map(({ text }) => text)]).toEqual([[], ['rm -rf /']]);
});

test('a person is told of it once it is in the inbox', async () => {
  const arrived: string[] = [];
  clerk.people.onEvent(({ what, row }) => void arrived.push(`${what}: ${row.text}`));
  await clerk.speaker.say([{ to: null, text: 'hello' }], []);
  expect(arrived).toEqual(['arrived: hello']);
});

test('an agent is told in its session', async () => {
  runs('claude');
  await clerk.speaker.say([{ to: 'other', text: 'hello' }], []);
  expect([clerk.texts('other'), clerk.inbox()]).toEqual([['hello'], []]);
});

test('nothing is said where what it follows from does not hold any more', async () => {
  const unmet = { sql: "UPDATE meta SET value = '' WHERE key = 'no such key'", values: [], expect: 1 };
  const words = [
    { to: 'other', text: 'hello' },
    { to: null, text: 'hello' },
  ];
  await expect(clerk.speaker.say(words, [unmet])).rejects.toThrow(Unmet);
  expect([clerk.texts('other'), clerk.inbox(), clerk.woken]).toEqual([[], [], []]);
});

test('one who is removed at that moment is left out, the others hear of it', async () => {
  const removing = clerk.remove('other');
  await clerk.speaker.say(
    [
      { to: 'other', text: 'hello' },
      { to: 's', text: 'hello' },
    ],
    [],
  );
  await removing;
  expect([clerk.texts('other'), clerk.texts('s')]).toEqual([[], ['hello']]);
  expect(clerk.logged).toEqual(['not said: whoever asked for it has gone']);
});
