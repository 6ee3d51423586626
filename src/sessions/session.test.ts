// What is kept of the doors of a session's processes.
import { expect, test } from 'vitest';
import type { Profiles } from '../agents/index.js';
import { blankRow, Session } from './session.js';

test('the facts of a door are those of its process, and those of the one before can still be asked', () => {
  const session = new Session(blankRow('s', 0), {} as Profiles);
  const save = (epoch: number, a: string): void => {
    session.row = { ...session.row, epoch };
    session.row = { ...session.row, door: session.withDoorFacts({ a }) };
  };
  expect([session.doorFacts, session.doorFactsOf(1)]).toEqual([{}, undefined]);
  save(1, 'one');
  save(1, 'first');
  expect([session.doorFacts, session.doorFactsOf(1)]).toEqual([{ a: 'first' }, { a: 'first' }]);
  session.row = { ...session.row, epoch: 2 };
  expect([session.doorFacts, session.doorFactsOf(1)]).toEqual([{}, { a: 'first' }]);
  save(2, 'two');
  save(2, 'second');
  expect([session.doorFacts, session.doorFactsOf(1)]).toEqual([{ a: 'second' }, { a: 'first' }]);
  save(4, 'last');
  expect([1, 2, 4].map((epoch) => session.doorFactsOf(epoch))).toEqual([
    undefined,
    { a: 'second' },
    { a: 'last' },
  ]);
});
