// When a silent session is looked at, and what is made of the answer.
import { expect, test } from 'vitest';
import {
  beginWatch,
  type Facts,
  isNews,
  next,
  REST_MS,
  type Watch,
  type WatchEvent,
} from './inference-rule.js';

const RULES = { silenceMs: 30, freshMs: 600 };
const BEGUN = beginWatch(100, RULES);

const seen = (subject: string, busyUntil: number | null = null): WatchEvent => ({
  kind: 'seen',
  subject,
  busyUntil,
});

// What comes of events, each with what holds then; the last act, and the watch.
function after(from: Watch, ...steps: [WatchEvent | WatchEvent['kind'], Partial<Facts>][]): [string, Watch] {
  let [watch, act]: [Watch, string] = [from, 'nothing'];
  for (const [event, facts] of steps) {
    const what = (typeof event === 'string' ? { kind: event, isNews: true } : event) as WatchEvent;
    ({ watch, act } = next(watch, what, { now: 0, printedAt: 100, reportedAt: null, ...facts }, RULES));
  }
  return [act, watch];
}

test('one that has been silent is looked at; one that printed meanwhile is later', () => {
  expect(after(BEGUN, ['due', { now: 130 }])).toMatchObject(['look', { phase: 'looking', dueAt: null }]);
  expect(after(BEGUN, ['due', { now: 130, printedAt: 120 }])).toMatchObject(['nothing', { dueAt: 150 }]);
});

test('while what its agent reported is fresh it is left alone', () => {
  expect(after(BEGUN, ['due', { now: 130, reportedAt: 50 }])).toMatchObject(['nothing', { dueAt: 650 }]);
  expect(after(BEGUN, ['due', { now: 650, reportedAt: 50 }])[0]).toBe('look');
});

test('asked, answered, reported; then nothing until it prints or signals again', () => {
  const [act, watch] = after(
    BEGUN,
    ['due', { now: 130 }],
    [seen('a'), { now: 131 }],
    ['answered', { now: 140 }],
  );
  expect([act, watch]).toMatchObject(['report', { phase: 'quiet', dueAt: null, asked: 'a' }]);
  expect(after(watch, ['printed', { now: 200, printedAt: 200 }])).toMatchObject(['nothing', { dueAt: 230 }]);
  // Something else that stirred.
  expect(after(watch, ['printed', { now: 200 }])[1]).toBe(watch);
  expect(after(watch, ['reported', { now: 200, reportedAt: 200 }])).toMatchObject([
    'nothing',
    { dueAt: 800 },
  ]);
});

test('never twice about the same', () => {
  const asked: Watch = { ...BEGUN, asked: 'a' };
  expect(after(asked, ['due', { now: 130 }], [seen('a'), { now: 131 }])).toMatchObject([
    'nothing',
    { phase: 'quiet', dueAt: null },
  ]);
  expect(after(asked, ['due', { now: 130 }], [seen('b'), { now: 131 }])[0]).toBe('ask');
});

test('when the budget is spent it waits until there is some', () => {
  expect(after(BEGUN, ['due', { now: 130 }], [seen('a', 900), { now: 131 }])).toMatchObject([
    'nothing',
    { phase: 'quiet', dueAt: 900, asked: null },
  ]);
});

test('an answer about the past does not count', () => {
  const steps: Parameters<typeof after>[1][] = [
    ['due', { now: 130 }],
    [seen('a'), { now: 131 }],
  ];
  expect(after(BEGUN, ...steps, ['answered', { now: 140, printedAt: 135 }])).toMatchObject([
    'nothing',
    { phase: 'quiet', dueAt: 165 },
  ]);
  expect(after(BEGUN, ...steps, ['answered', { now: 140, reportedAt: 135 }])).toMatchObject([
    'nothing',
    { phase: 'quiet', dueAt: 735 },
  ]);
});

test('what made no sense is not asked again for the same; who was not reached is, later', () => {
  const asking = after(BEGUN, ['due', { now: 130 }], [seen('a'), { now: 131 }])[1];
  expect(after(asking, ['refused', { now: 140 }])).toMatchObject(['nothing', { dueAt: null, asked: 'a' }]);
  expect(after(asking, ['refused', { now: 140, printedAt: 135 }])[1].dueAt).toBe(165);
  expect(after(asking, ['missed', { now: 140 }])).toMatchObject([
    'nothing',
    { dueAt: 140 + REST_MS, asked: null },
  ]);
});

test('what happens while it is under way changes nothing', () => {
  const asking = after(BEGUN, ['due', { now: 130 }], [seen('a'), { now: 131 }])[1];
  for (const event of ['printed', 'reported', 'due'] as const)
    expect(after(asking, [event, { now: 135, printedAt: 135 }])).toMatchObject([
      'nothing',
      { phase: 'asking' },
    ]);
  // The end of what a watch before it began.
  for (const event of ['answered', 'refused', 'missed'] as const)
    expect(after(BEGUN, [event, { now: 135 }])).toEqual(['nothing', BEGUN]);
});

test('what is shown already is not said again, unless it has gone on since', () => {
  const asking = after(BEGUN, ['due', { now: 130 }], [seen('a'), { now: 131 }])[1];
  expect(after(asking, [{ kind: 'answered', isNews: false }, { now: 140 }])).toMatchObject([
    'nothing',
    { phase: 'quiet', dueAt: null },
  ]);
  const shown = { state: 'needs_input', at: 1000 };
  expect(isNews('needs_input', shown, 1000 + 60_000)).toBe(false);
  expect(isNews('needs_input', shown, 1001 + 60_000)).toBe(true);
  expect(isNews('completed', shown, 1000)).toBe(true);
  expect(isNews('completed', { state: null, at: null }, 1000)).toBe(true);
});
