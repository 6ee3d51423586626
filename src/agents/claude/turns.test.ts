import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DoorEvent } from '../door.js';
import { type Running, Turns } from './turns.js';

let told: DoorEvent[];
let turns: Turns;
let unshown: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  unshown = () => turns.drop();
  turns = make();
});
afterEach(() => {
  turns.dispose();
  vi.useRealTimers();
});

const make = (running?: Running): Turns =>
  new Turns({ tell: (event) => told.push(event), unshown: () => unshown() }, running);
const shown = (turn: string | null): void => {
  turns.begin(turn);
  turns.show(turn);
};
const stopped = (turn: string | null, answer: string, isBusy = false): void =>
  turns.stopped(turn, answer, { isBusy, at: 0 });
const ended = (): unknown[] =>
  told.flatMap((event) => (event.kind === 'turn_ended' ? [[event.turn, event.how, event.answer]] : []));

test('a prompt begins a turn, and its Stop ends it with the answer', () => {
  turns.begin('t1');
  stopped('t1', 'done');
  expect(ended()).toEqual([['t1', 'completed', 'done']]);
});

test('a prompt that comes during a turn begins none', () => {
  turns.begin('t1');
  turns.begin('t1');
  expect(turns.current).toBe('t1');
  expect(told).toHaveLength(1);
});

test('a prompt that nothing shows was stopped by a hook: no turn has ended, and the next one begins', () => {
  turns.begin('t1');
  vi.advanceTimersByTime(4000);
  expect(turns.running).toEqual({ kind: 'none' });
  turns.begin('t2');
  turns.begin('t3');
  expect(ended()).toEqual([]);
});

test('one that is shown only when it was given up goes on all the same', () => {
  turns.begin('t1');
  vi.advanceTimersByTime(4000);
  expect(turns.show('t1')).toBe(true);
  stopped('t1', 'late');
  expect(ended()).toEqual([['t1', 'completed', 'late']]);
});

test.each(['t1', null])('a Stop that is heard before the transcript shows its prompt: hooks say %s', (id) => {
  turns.begin(id);
  stopped(id, 'quick');
  turns.show('t1');
  expect(turns.endOf('t1')).toMatchObject({ turn: 't1', answer: 'quick' });
  expect(turns.mayRun('t1')).toBe(false);
});

test('a prompt out of the queue runs though no hook has told of it, until its Stop', () => {
  shown('t1');
  stopped('t1', 'one');
  expect(turns.mayRun('t2')).toBe(false);
  turns.show('t2');
  expect(turns.mayRun('t2')).toBe(true);
  expect(turns.mayRun('t1')).toBe(false);
  stopped('t2', 'two');
  expect(turns.mayRun('t2')).toBe(false);
});

test('where hooks give no ids, those of the transcript name the turns', () => {
  shown(null);
  turns.show('t1');
  // The next one comes out of the queue before the Stop is heard.
  turns.show('t2');
  stopped(null, 'one');
  stopped(null, 'two');
  expect(ended()).toEqual([
    ['t1', 'completed', 'one'],
    ['t2', 'completed', 'two'],
  ]);
});

test.each<[string, string[], string]>([
  ['begins one', ['command', 't1'], 't1'],
  ['is queued in one that came out of the queue', ['t0'], 't0'],
])('a prompt without an id, after lines that no hook told of: %s', (_, lines, turn) => {
  turns.show(lines[0] ?? null);
  turns.begin(null);
  for (const line of lines.slice(1)) turns.show(line);
  vi.advanceTimersByTime(4000);
  stopped(null, 'ok');
  expect(ended()).toEqual([[turn, 'completed', 'ok']]);
});

test('a daemon that comes back in a turn knows it', () => {
  turns = make({ kind: 'turn', id: 't1', isShown: true });
  turns.begin('t1');
  expect(told).toEqual([]);
  turns.begin('t2');
  expect(ended()).toEqual([['t1', 'interrupted', null]]);
});

test('idle at open: a Stop that was left while no daemon ran is waited for', () => {
  turns = make({ kind: 'turn', id: 't1', isShown: true });
  turns.idle('at open');
  vi.advanceTimersByTime(10_000);
  stopped('t1', 'late');
  expect(ended()).toEqual([['t1', 'completed', 'late']]);
});

test('a queued prompt begins its turn without a hook: each Stop ends its own turn with its own answer', () => {
  turns.begin('t1');
  stopped('t1', 'one', true);
  stopped('t2', 'two', true);
  turns.idle();
  expect(ended()).toEqual([
    ['t1', 'completed', 'one'],
    ['t2', 'completed', 'two'],
  ]);
});

test('while the registry says busy, a Stop may be overruled: the turn ends when it says idle', () => {
  turns.begin('t1');
  stopped('t1', 'first', true);
  expect(ended()).toEqual([]);
  stopped('t1', 'second', true);
  turns.idle();
  expect(ended()).toEqual([['t1', 'completed', 'second']]);
});

test('idle without a Stop: the person interrupted it', () => {
  shown('t1');
  turns.idle();
  expect(ended()).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(ended()).toEqual([['t1', 'interrupted', null]]);
});

test('a Stop that comes a moment after idle still ends it as completed', () => {
  turns.begin('t1');
  turns.idle();
  stopped('t1', 'late');
  vi.advanceTimersByTime(5000);
  expect(ended()).toEqual([['t1', 'completed', 'late']]);
});
