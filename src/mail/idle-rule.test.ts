// When an agent's rest counts: every row of the rule, without a clock.
import { expect, test } from 'vitest';
import type { Status } from '../agents/index.js';
import { judgeRest, LOST_MS, type RestFacts, SILENT_MS } from './idle-rule.js';

const NOW = 1_000_000;
const idle = (since: number, source: Status['source'] = 'door'): Status => ({
  state: 'idle',
  since,
  source,
  detail: null,
});
const status = (state: Status['state'], source: Status['source'] = 'door'): Status => ({
  ...idle(NOW - 500, source),
  state,
});

const facts = (more: Partial<RestFacts> = {}): RestFacts => ({
  session: 'live',
  status: idle(NOW - 500),
  mayTell: true,
  waiting: 0,
  openAt: null,
  silentAt: null,
  ...more,
});

test.each<[string, Partial<RestFacts>, ReturnType<typeof judgeRest>['kind'], number?]>([
  ['at rest, nothing sent', {}, 'idle'],
  ['at rest for ever', { status: idle(0) }, 'idle'],
  ['removed', { session: 'removed' }, 'never'],
  ['ended', { session: 'ended' }, 'never'],
  ['its pane gone', { session: 'gone' }, 'never'],
  ['nothing tells of it', { status: status('unknown'), mayTell: false }, 'never'],
  [
    'starting, nothing tells of it yet',
    { session: 'starting', status: status('unknown'), mayTell: false },
    'wait',
  ],
  ['something may tell of it', { status: status('unknown') }, 'wait'],
  ['busy', { status: status('busy') }, 'wait'],
  ['busy by its screen: looked at again', { status: status('busy', 'screen') }, 'wait', NOW + 500],
  ['at a dialog', { status: status('waiting') }, 'wait'],
  // Whatever its status says: the idle of a moment between two turns is not the end of what was sent.
  ['a message waits', { waiting: 1 }, 'wait'],
  ['messages wait, and it has ended', { waiting: 2, session: 'ended' }, 'never'],
  ['a turn of ours is open, at rest since before', { openAt: NOW - 100 }, 'wait', NOW - 100 + LOST_MS],
  ['a turn of ours is open, at rest since', { openAt: NOW - 900 }, 'wait', NOW - 500 + LOST_MS],
  ['its end was lost', { openAt: NOW - LOST_MS, status: idle(NOW - LOST_MS) }, 'idle'],
  ['a command just now, at rest since before', { silentAt: NOW - 100 }, 'wait', NOW - 100 + SILENT_MS],
  ['a command, at rest since', { silentAt: NOW - 900 }, 'idle'],
  ['a command that began nothing', { silentAt: NOW - SILENT_MS, status: idle(0) }, 'idle'],
])('%s', (_, more, kind, at) => {
  const verdict = judgeRest(facts(more), NOW);
  expect(verdict.kind).toBe(kind);
  expect('at' in verdict ? verdict.at : undefined).toBe(at);
  if (verdict.kind !== 'idle') expect(verdict.reason).toMatch(/./);
});

test('for how many it waits is said', () => {
  expect(judgeRest(facts({ waiting: 3 }), NOW)).toMatchObject({ reason: '3 messages wait for it' });
});
