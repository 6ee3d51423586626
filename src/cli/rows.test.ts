import { expect, test } from 'vitest';
import type { Message } from '../api/types.js';
import { historyRow, outcome, queueRow } from './rows.js';

test.each([
  ['history', historyRow],
  ['queue', queueRow],
])('a long text is cut in the row of %s', (_, row) => {
  const message = {
    id: 'a',
    text: 'word\n'.repeat(40_000),
    from: { name: 'ada' },
    to: { name: 'api' },
    created_at: Date.now(),
    state: 'pending',
    receipt: 'queued',
    queue_position: 1,
  } as unknown as Message;
  const text = row(message).at(-1) as string;
  expect(text).toMatch(/^word ⏎ word .*…$/);
  expect(text).toHaveLength(300);
});

test.each<[Message['state'], Message['receipt'], string]>([
  ['attempting', 'typed', 'typed'],
  ['settled', 'typed', 'uncertain'],
  ['settled', 'queued', 'uncertain'],
  ['settled', 'submitted', 'submitted'],
  ['expired', 'queued', 'expired'],
])('%s and %s: %s', (state, receipt, text) => {
  expect(outcome({ state, receipt })).toMatchObject({ text });
});
