// Which lines of a transcript are the agent's own words.
import { expect, test } from 'vitest';
import { saidIn } from './said.js';

const line = (more: object): string =>
  JSON.stringify({
    type: 'assistant',
    uuid: 'u1',
    timestamp: '2026-01-02T03:04:05.678Z',
    isSidechain: false,
    message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ...more,
  });

test('its own words have an entry and a time', () =>
  expect(saidIn(line({}))).toEqual({ entry: 'u1', at: Date.UTC(2026, 0, 2, 3, 4, 5, 678), text: 'Done.' }));

test('what others say, and what it only thinks or calls, is none', () => {
  expect(saidIn(line({ type: 'user' }))).toBeUndefined();
  expect(saidIn(line({ isSidechain: true }))).toBeUndefined();
  expect(
    saidIn(line({ message: { content: [{ type: 'tool_use', name: 'Bash', input: {} }] } })),
  ).toBeUndefined();
  expect(saidIn('{"type":"assistant", cut')).toBeUndefined();
});
