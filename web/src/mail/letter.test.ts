// What is filled in becomes a request with nothing that was not asked for.
import { expect, test } from 'vitest';
import { BLANK, makeRequest } from './letter.js';

test('a plain letter says only what it must', () => {
  expect(makeRequest({ ...BLANK, text: 'hi' }, ['a'], 'k')).toEqual({
    ok: true,
    request: { to: ['a'], text: 'hi', mode: 'sequential', key: 'k' },
  });
});

test('everything that was filled in', () => {
  const letter = {
    text: 'hi',
    mode: 'urgent',
    deadline: '1h30m',
    pastDraft: 'now',
    isWhenIdle: true,
    isNotified: true,
    isForced: true,
    isCommand: true,
  } as const;
  expect(makeRequest(letter, ['a', 'b'], 'k')).toMatchObject({
    request: {
      timeout_seconds: 5400,
      past_draft: 'now',
      when: 'idle',
      notify_on_stop: true,
      force: true,
      command: true,
    },
  });
  expect(makeRequest({ ...letter, mode: 'important' }, ['a'], 'k')).not.toHaveProperty('request.force');
});

test('what is missing or no time is said', () => {
  const problem = (change: Partial<typeof BLANK>, to = ['a']) => {
    const made = makeRequest({ ...BLANK, text: 'x', ...change }, to, 'k');
    return made.ok ? '' : made.problem;
  };
  expect(problem({}, [])).toContain('to whom');
  expect(problem({ text: ' \n' })).toContain('no text');
  expect(problem({ deadline: 'soon' })).toContain('"soon"');
});
