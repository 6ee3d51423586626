import { describe, expect, test } from 'vitest';
import { parseStyledRows } from '../terminal/cells.js';
import type { PaneView } from '../tmux/index.js';
import {
  activityOf,
  type Circumstances,
  type ComposerMemory,
  decide,
  freshComposer,
  isOnlyAttached,
  isTouched,
  NEW_COMPOSER,
  quietAt,
  TYPING_PAUSE_MS,
} from './decide.js';
import { takeLook } from './look.js';

// Seconds. The box was known to be empty at KNOWN; now it is long after, unless said otherwise.
const KNOWN = 1000;
const LONG_AFTER = 5000;
const OURS = new Set([77]);

type Client = PaneView['clients'][number];
const person = (activity: number, more: Partial<Client> = {}): Client => ({
  name: '/dev/pts/1',
  pid: 5,
  kind: 'terminal',
  readOnly: false,
  activity,
  attached: 900,
  ...more,
});

const view = (row: string, x: number, more: Partial<PaneView> = {}): PaneView => ({
  pane: '%1',
  tmuxSession: '$1',
  window: '@1',
  dead: false,
  inMode: false,
  synchronized: false,
  cursor: { x, y: 0, visible: true },
  size: { columns: 40, rows: 10 },
  program: 'agent',
  pid: 1,
  tty: '/dev/null',
  alternateScreen: false,
  rows: parseStyledRows([row]),
  clients: [],
  sessionActivity: KNOWN,
  sessionLastAttached: 900,
  ...more,
});

const empty = (more: Partial<PaneView> = {}): PaneView => view('> ', 2, more);
const draft = (more: Partial<PaneView> = {}): PaneView => view('> draft', 7, more);
const LOOK = takeLook(empty());

const known: ComposerMemory = { ...NEW_COMPOSER, activityAt: KNOWN, look: LOOK, cursorTells: true };
const unsure: ComposerMemory = { ...known, cursorTells: undefined };
const elsewhere: ComposerMemory = { ...known, proven: true, cursorTells: false };
const proven: ComposerMemory = { ...known, proven: true };
const unseen: ComposerMemory = { ...NEW_COMPOSER, activityAt: KNOWN };
const unknown: ComposerMemory = NEW_COMPOSER;

const outcome = (at: PaneView, memory: ComposerMemory, seconds = LONG_AFTER): string => {
  const circumstances: Circumstances = { view: at, memory, now: seconds * 1000, ownClients: OURS };
  const decision = decide(circumstances);
  return decision.kind === 'hold' ? decision.reason : decision.kind;
};

describe('with nobody there', () => {
  test.each<[string, PaneView, ComposerMemory, string]>([
    ['an empty box is typed into', empty(), known, 'empty'],
    ['a box that was never seen, and nobody ever typed into, is typed into', draft(), unseen, 'empty'],
    ['what nobody typed is no draft', draft(), known, 'empty'],
    ['what takes the place of a proven box is waited for', draft(), proven, 'not_at_prompt'],
    ['a proven box that is back is typed into', empty(), proven, 'empty'],
    ['of a box about which nothing is known nothing is assumed', empty(), unknown, 'composer_unknown'],
    ['a program that has ended gets nothing', empty({ dead: true }), known, 'dead'],
    ['a mode of tmux is left alone', empty({ inMode: true }), known, 'in_mode'],
    ['a synchronized pane would type elsewhere too', empty({ synchronized: true }), known, 'synchronized'],
    ['death comes before all else', empty({ dead: true, inMode: true, synchronized: true }), known, 'dead'],
  ])('%s', (_, at, memory, expected) => expect(outcome(at, memory)).toBe(expected));
});

describe('with a person there', () => {
  const at = (make: typeof empty, activity: number, more: Partial<Client> = {}): PaneView =>
    make({ clients: [person(activity, more)], sessionActivity: Math.max(activity, KNOWN) });

  test.each<[string, PaneView, ComposerMemory, string]>([
    ['who has not typed since, an empty box is typed into', at(empty, 950), known, 'empty'],
    ['who has not typed since, what stands there is not theirs', at(draft, 950), known, 'empty'],
    ['who has typed since, an empty box is typed into', at(empty, 2000), known, 'empty'],
    ['who has typed since, what stands there is theirs', at(draft, 2000), known, 'draft'],
    [
      'who has typed since, a look that was never seen to change proves nothing',
      at(empty, 2000),
      unsure,
      'composer_unknown',
    ],
    [
      'who has typed since, nor does one with the cursor elsewhere',
      at(empty, 2000),
      elsewhere,
      'composer_unknown',
    ],
    ['who has not typed since, either is empty', at(empty, 950), elsewhere, 'empty'],
    ['who has typed since, it is a draft in a proven box too', at(draft, 2000), proven, 'draft'],
    ['who has typed, a box never seen empty is not guessed at', at(empty, 2000), unseen, 'composer_unknown'],
    [
      'who may only look, what stands there is not theirs',
      at(draft, KNOWN, { readOnly: true }),
      known,
      'empty',
    ],
    ['a client of ours is no person', at(draft, KNOWN, { pid: 77 }), known, 'empty'],
  ])('%s', (_, view, memory, expected) => expect(outcome(view, memory)).toBe(expected));

  test('who pressed a key a moment ago, everything waits, and it is said until when', () => {
    const typing = at(empty, 4000);
    const quiet = 4001 * 1000 + TYPING_PAUSE_MS;
    const decided = (now: number) => decide({ view: typing, memory: known, now, ownClients: OURS });
    expect(decided(4000 * 1000)).toMatchObject({ kind: 'hold', reason: 'user_typing', retryAt: quiet });
    // tmux tells whole seconds: the key may have been pressed at the end of that one.
    expect(decided(quiet - 1)).toMatchObject({ reason: 'user_typing' });
    expect(decided(quiet)).toEqual({ kind: 'empty' });
  });

  test('of several the last key counts', () => {
    const two = empty({ clients: [person(100), person(4000, { pid: 6 })] });
    expect(quietAt(two, OURS)).toBe(4001 * 1000 + TYPING_PAUSE_MS);
    expect(quietAt(empty(), OURS)).toBe(0);
  });
});

describe('a person who has left', () => {
  test('after typing: what stands there is theirs', () => {
    expect(outcome(draft({ sessionActivity: 2000 }), known)).toBe('draft');
    expect(outcome(draft({ sessionActivity: 2000 }), proven)).toBe('draft');
  });

  test('after typing into a box that was never seen empty: it is not guessed at', () => {
    expect(outcome(empty({ sessionActivity: 2000 }), unseen)).toBe('composer_unknown');
  });

  test('before the box was known to be empty: no matter', () => {
    expect(outcome(draft({ sessionActivity: 900 }), known)).toBe('empty');
  });

  test('is counted in the activity that is remembered', () => {
    expect(activityOf(empty({ sessionActivity: 2000 }), OURS)).toBe(2000);
    expect(activityOf(empty({ clients: [person(3000)], sessionActivity: 2000 }), OURS)).toBe(3000);
    expect(activityOf(empty({ clients: [person(3000, { pid: 77 })], sessionActivity: 2000 }), OURS)).toBe(
      2000,
    );
  });
});

describe('a foreign control client, whose keys cannot be seen', () => {
  const control = (make: typeof empty): PaneView => make({ clients: [person(100, { kind: 'control' })] });

  test('may always have typed: only a box that looks empty is typed into', () => {
    expect(outcome(control(empty), known)).toBe('empty');
    expect(outcome(control(draft), known)).toBe('draft');
    expect(outcome(control(draft), unseen)).toBe('composer_unknown');
  });

  test('is never said to be typing this moment', () => {
    const now = empty({ clients: [person(LONG_AFTER, { kind: 'control' })] });
    expect(outcome(now, known)).toBe('empty');
  });

  test('that is ours or may only look does not count', () => {
    expect(outcome(draft({ clients: [person(100, { kind: 'control', pid: 77 })] }), known)).toBe('empty');
    expect(outcome(draft({ clients: [person(100, { kind: 'control', readOnly: true })] }), known)).toBe(
      'empty',
    );
  });
});

describe('in the very second in which the box was known to be empty', () => {
  test('a person who was attached before and has not typed since does not count', () => {
    expect(isTouched(empty({ clients: [person(KNOWN, { attached: 900 })] }), known, OURS)).toBe(false);
  });

  test('one who attached in it may have typed in it', () => {
    expect(isTouched(empty({ clients: [person(KNOWN, { attached: KNOWN })] }), known, OURS)).toBe(true);
  });

  test('one second later counts', () => {
    expect(isTouched(empty({ clients: [person(KNOWN + 1)] }), known, OURS)).toBe(true);
    expect(isTouched(empty({ sessionActivity: KNOWN + 1 }), known, OURS)).toBe(true);
  });
});

describe('all that is known is that somebody attached', () => {
  test.each<[string, Partial<PaneView>, boolean]>([
    ['nobody there, nothing since the last attaching', { sessionActivity: 900 }, true],
    ['a key after the last attaching', { sessionActivity: 901 }, false],
    ['attached, and no key since', { sessionActivity: 900, clients: [person(900)] }, true],
    ['attached, and a key since', { sessionActivity: 900, clients: [person(901)] }, false],
    ['a control client', { sessionActivity: 900, clients: [person(900, { kind: 'control' })] }, false],
  ])('%s', (_, more, only) => expect(isOnlyAttached(empty(more), OURS)).toBe(only));
});

describe('a program that has just started', () => {
  test('has an empty box as long as nobody is attached', () => {
    expect(freshComposer(empty(), OURS, 5)).toEqual({ ...NEW_COMPOSER, startedAt: 5, activityAt: KNOWN });
    expect(freshComposer(empty({ clients: [person(1, { pid: 77 })] }), OURS, 5).activityAt).toBe(KNOWN);
  });

  test('in front of a person has one about which nothing is known', () => {
    expect(freshComposer(empty({ clients: [person(1)] }), OURS, 5).activityAt).toBeNull();
  });
});
