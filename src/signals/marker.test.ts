// What is a marker and what is none.
import { describe, expect, it } from 'vitest';
import { contextOf, isNearMiss, markerKey, parseMarker } from './marker.js';

describe('a marker', () => {
  it.each([
    ['--<[sm:completed:All done]>--', { state: 'completed', message: 'All done', id: null }],
    ['--<[schmux:needs_input:Which one?]>--', { state: 'needs_input', message: 'Which one?', id: null }],
    ['  ⏺ --<[sm:idle:]>--  │', { state: 'idle', message: '', id: null }],
    ['--<[sm:idle]>--', { state: 'idle', message: '', id: null }],
    ['--<[sm:error:a  b\tc]>--', { state: 'error', message: 'a b c', id: null }],
    ['--<[sm:completed:done#build-7.2]>--', { state: 'completed', message: 'done', id: 'build-7.2' }],
    ['--<[sm:completed:fixed #12]>--', { state: 'completed', message: 'fixed #12', id: null }],
    ['--<[schmux:completed:fixed#12]>--', { state: 'completed', message: 'fixed#12', id: null }],
    [
      '--<[sm:working:see ]> and [x]: -->]>--',
      { state: 'working', message: 'see ]> and [x]: -->', id: null },
    ],
  ])('%s', (line, expected) => expect(parseMarker(line)).toEqual(expected));

  it.each([
    'echo "--<[sm:completed:done]>--"',
    'Print --<[sm:completed:done]>-- when you are done',
    '--<[sm:completed:done]>-- is what it printed',
    '`--<[sm:completed:done]>--`',
    '--<[sm:completed done]>--',
    '--<[sm:Completed:done]>--',
    '--<[xy:completed:done]>--',
    '--<[sm:completed:done',
    '--<[sm:a:b]>----<[sm:a:b]>--',
  ])('is not %s', (line) => expect(parseMarker(line)).toBeUndefined());

  it('is known by what it says, however it is broken', () => {
    const key = (line: string) => markerKey(parseMarker(line) ?? { state: '', message: '', id: null });
    expect(key('--<[sm:error:a bc d]>--')).toBe(key('--<[schmux:error:ab cd]>--'));
    expect(key('--<[sm:error:a#1]>--')).toBe(key('--<[sm:error:b#1]>--'));
  });

  it('was perhaps meant', () => {
    for (const line of ['--<[sm:completed done]>--', 'schmux:completed', 'sm: done'])
      expect(isNearMiss(line)).toBe(true);
    expect(isNearMiss('prism: a [list] of <[')).toBe(false);
  });

  it('has the words before it as its context', () =>
    expect(contextOf(' │ Done: 3 files.\n ⎿ été')).toBe('Done3filesété'));
});
