import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DoorEvent } from '../door.js';
import { Turns } from './turns.js';

let told: DoorEvent[];
let turns: Turns;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  turns = new Turns((event) => told.push(event));
});
afterEach(() => {
  turns.dispose();
  vi.useRealTimers();
});

const ended = (): unknown[] =>
  told.flatMap((event) => (event.kind === 'turn_ended' ? [[event.turn, event.how, event.answer]] : []));

test('a prompt begins a turn, and its Stop ends it with the answer', () => {
  expect(turns.begin('t1')).toBe(true);
  turns.stopped('t1', 'done', false);
  expect(ended()).toEqual([['t1', 'completed', 'done']]);
});

test('a prompt that comes during a turn begins none', () => {
  turns.begin('t1');
  expect(turns.begin('t1')).toBe(false);
  expect(turns.current).toBe('t1');
});

test('opened in a turn that nobody saw begin: a prompt in it may be queued', () => {
  turns = new Turns((event) => told.push(event), { kind: 'unknown' });
  expect(turns.begin('t1')).toBe(false);
  turns.stopped('t1', 'one', false);
  expect(ended()).toEqual([['t1', 'completed', 'one']]);
  expect(turns.begin('t2')).toBe(true);
});

test('a daemon that comes back in a turn knows it', () => {
  turns = new Turns((event) => told.push(event), { kind: 'turn', id: 't1' });
  expect(turns.begin('t1')).toBe(false);
  expect(turns.begin('t2')).toBe(true);
  expect(ended()).toEqual([['t1', 'interrupted', null]]);
});

test('idle at open: a Stop that was left while no daemon ran is waited for', () => {
  turns = new Turns((event) => told.push(event), { kind: 'turn', id: 't1' });
  turns.idle('at open');
  vi.advanceTimersByTime(10_000);
  turns.stopped('t1', 'late', false);
  expect(ended()).toEqual([['t1', 'completed', 'late']]);
});

test('without ids, a prompt that comes during a turn begins none', () => {
  expect(turns.begin(null)).toBe(true);
  expect(turns.begin(null)).toBe(false);
  turns.stopped(null, 'one', false);
  expect(turns.begin(null)).toBe(true);
});

test('a queued prompt begins its turn without a hook: each Stop ends its own turn with its own answer', () => {
  turns.begin('t1');
  turns.stopped('t1', 'one', true);
  turns.stopped('t2', 'two', true);
  turns.idle();
  expect(ended()).toEqual([
    ['t1', 'completed', 'one'],
    ['t2', 'completed', 'two'],
  ]);
});

test('while the registry says busy, a Stop may be overruled: the turn ends when it says idle', () => {
  turns.begin('t1');
  turns.stopped('t1', 'first', true);
  expect(ended()).toEqual([]);
  turns.stopped('t1', 'second', true);
  turns.idle();
  expect(ended()).toEqual([['t1', 'completed', 'second']]);
});

test('idle without a Stop: the person interrupted it', () => {
  turns.begin('t1');
  turns.idle();
  expect(ended()).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(ended()).toEqual([['t1', 'interrupted', null]]);
});

test('a Stop that comes a moment after idle still ends it as completed', () => {
  turns.begin('t1');
  turns.idle();
  turns.stopped('t1', 'late', false);
  vi.advanceTimersByTime(5000);
  expect(ended()).toEqual([['t1', 'completed', 'late']]);
});
