// Whoever hears of a signal first calls, but one that can be heard goes first; nobody calls twice.
import { expect, test } from 'vitest';
import { rulesFrom } from '../sessions/need.js';
import { sessionLike } from '../sessions/session-like.js';
import { Caller } from './caller.js';
import { FakeShelf } from './fake-shelf.js';
import { Memory } from './memory.js';

const RULES = rulesFrom({});
const called = (id: string) => sessionLike({ id, name: id, signal_seq: 1, signal_state: 'error' });

interface Tab {
  caller: Caller;
  sounds: () => number;
  notes: string[];
}

function tab(shelf: FakeShelf, canSound: boolean, moment: Promise<void> = Promise.resolve()): Tab {
  let sounds = 0;
  const notes: string[] = [];
  const caller = new Caller({
    memory: new Memory(shelf),
    sound: () => void sounds++,
    note: ({ title }) => notes.push(title),
    canSound: () => canSound,
    wait: () => moment,
    alone: async (run) => run(),
  });
  return { caller, sounds: () => sounds, notes };
}

test('a tab that nobody has touched leaves it to one that can be heard', async () => {
  const shelf = new FakeShelf();
  let over = (): void => {};
  const moment = new Promise<void>((resolve) => {
    over = resolve;
  });
  const mute = tab(shelf, false, moment);
  const heard = tab(shelf, true);
  const looked = mute.caller.look([called('a')], RULES);
  await heard.caller.look([called('a')], RULES);
  over();
  await looked;
  expect([mute.sounds(), heard.sounds()]).toEqual([0, 1]);
  expect([mute.notes, heard.notes]).toEqual([[], ['a: error']]);
});

test('where no tab can be heard one calls all the same: there are notes', async () => {
  const shelf = new FakeShelf();
  const tabs = [tab(shelf, false), tab(shelf, false)];
  await Promise.all(tabs.map(({ caller }) => caller.look([called('a')], RULES)));
  expect(tabs.map(({ notes }) => notes.length).sort()).toEqual([0, 1]);
});

test('many at once are one note, and one sound', async () => {
  const { caller, sounds, notes } = tab(new FakeShelf(), true);
  await caller.look(['a', 'b', 'c', 'd'].map(called), RULES);
  expect([sounds(), notes]).toEqual([1, ['4 agents need you']]);
});
