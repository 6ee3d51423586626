// Whose a signal is that was left while no daemon answered.
import { beforeEach, expect, test } from 'vitest';
import { identifySender } from '../mail/senders.js';
import { resolveRef } from '../sessions/names.js';
import { blankRow, Session } from '../sessions/session.js';
import { parseEntry } from '../spool/index.js';
import { isLeftSignal, LeftSignals } from './left.js';
import type { Report } from './signal.js';

const session = (id: string, name: string, pane: string, thread?: string): Session =>
  new Session(
    {
      ...blankRow(id, 0),
      name,
      pane,
      server: '77:1',
      socket: '/s',
      state: 'live',
      door: thread ? JSON.stringify({ epoch: 1, facts: { thread } }) : null,
    },
    {} as never,
  );
const all = [session('aaaaaaaa', 'api', '%1'), session('bbbbbbbb', 'web', '%2', 'thread-2')];
const registry = {
  get: (id: string) => all.find((one) => one.id === id),
  list: () => all,
  resolve: (ref: string) => resolveRef(all, ref),
  inPane: (socket: string, pane: string) => all.find(({ row }) => row.socket === socket && row.pane === pane),
};

let reports: Report[];
let missed: string[];
let left: LeftSignals;
beforeEach(() => {
  reports = [];
  missed = [];
  left = new LeftSignals({
    registry,
    office: { identify: (claim) => identifySender(registry as never, claim) },
    desk: {
      report: async (report) => {
        reports.push(report);
        const refused = { outcome: 'refused', reason: 'no such state', expected: 'another' };
        return (report.state === 'unheard' ? refused : { outcome: 'new' }) as never;
      },
    },
    misses: { record: ({ reason }: { reason: string }) => missed.push(reason) } as never,
  });
});

const SAID = { state: 'idle', message: 'm', key: 'k', at: 5 };
const take = (place: string, more: object = {}) => {
  const entry = parseEntry(`sm signal ${place}\n${JSON.stringify({ ...SAID, ...more })}\n.\n`, 9);
  if (!entry) throw new Error(`no entry: ${place}`);
  expect(isLeftSignal(entry)).toBe(true);
  return left.take(entry);
};

test.each<[string, string, object, string | undefined]>([
  ['by its variable', 'aaaaaaaa   -', {}, 'aaaaaaaa'],
  ['by its pane', '- /s 77 %2', {}, 'bbbbbbbb'],
  ['the pane counts before the variable', 'aaaaaaaa /s 77 %2', {}, 'bbbbbbbb'],
  ['a pane of a server that began anew is another', '- /s 78 %2', {}, undefined],
  ['then the variable counts', 'aaaaaaaa /s 78 %2', {}, 'aaaaaaaa'],
  ['a conversation counts first', 'aaaaaaaa /s 77 %1', { threads: ['thread-2'] }, 'bbbbbbbb'],
  ['by the name that was given', 'aaaaaaaa   -', { session: 'web' }, 'bbbbbbbb'],
  ['a name that is none', 'aaaaaaaa   -', { session: 'nobody' }, undefined],
  ['a session that is gone', 'cccccccc   -', {}, undefined],
  ['nobody', '-   -', {}, undefined],
  ['no signal at all', 'aaaaaaaa   -', { state: 7 }, undefined],
])('%s', async (_, place, more, expected) => {
  expect(await take(place, more)).toBe(expected === undefined ? 'unknown' : 'taken');
  expect(reports.map((report) => report.session)).toEqual(expected === undefined ? [] : [expected]);
});

test('it is reported with its key and the time of then; one that is refused is a near miss, and kept aside', async () => {
  await take('aaaaaaaa   -', { id: 'i' });
  expect(reports).toEqual([{ ...SAID, id: 'i', session: 'aaaaaaaa', door: 'command' }]);
  expect(await take('aaaaaaaa   -', { state: 'unheard' })).toBe('unknown');
  expect(missed).toEqual(['no such state; another']);
});
