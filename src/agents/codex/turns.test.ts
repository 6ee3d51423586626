// Each turn ends after what it took, whichever of the two is heard first.
import { expect, test } from 'vitest';
import type { DoorEvent } from '../door.js';
import type { Turn } from './protocol.js';
import { Turns } from './turns.js';

const ID = '00000000000a';
const turn = (status: string): Turn => ({
  id: 't',
  status,
  items: [
    { type: 'userMessage', id: 'i1', clientId: ID },
    { type: 'agentMessage', id: 'i2', text: 'answer' },
  ],
});

test.each(['inProgress', 'completed'])(
  'a turn that ended while it was asked for, and was then %s by the answer, ends after what it took',
  (status) => {
    const told: DoorEvent[] = [];
    const turns = new Turns((event) => told.push(event));
    turns.completed(turn('completed'));
    turns.caughtUp([turn(status)]);
    expect(told.slice(1).map(({ kind }) => kind)).toEqual(['received', 'turn_ended']);
    expect(told.at(-1)).toMatchObject({ turn: 't', how: 'completed', answer: 'answer' });
    expect(turns.current).toBeUndefined();
  },
);

test('of the ends that were told the newest are kept', () => {
  const told: DoorEvent[] = [];
  const turns = new Turns((event) => told.push(event));
  const all = Array.from({ length: 21 }, (_, n) => ({ ...turn('completed'), id: `t${n}` }));
  for (const each of all) turns.completed(each);
  for (const each of all.slice(1)) turns.completed(each);
  expect(told).toHaveLength(21);
  turns.completed({ ...turn('completed'), id: 't0' });
  expect(told).toHaveLength(22);
});
