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
