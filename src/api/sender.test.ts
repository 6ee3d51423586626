import { expect, test } from 'vitest';
import { senderFrom } from './sender.js';

const PANE = { TMUX: '/tmp/tmux-0/default,12,3', TMUX_PANE: '%4', SM_SESSION: '0a0b0c0d' };

test('the pane and the session of the environment', () => {
  expect(senderFrom({})).toBeUndefined();
  expect(senderFrom(PANE)).toEqual({
    session: '0a0b0c0d',
    inherited: true,
    pane: { socket: '/tmp/tmux-0/default', pane: '%4' },
  });
});

test('in a tool of Codex the conversation too, and the one that it belongs to', () => {
  const env = { ...PANE, CODEX_THREAD_ID: 't1', CODEX_SESSION_ID: 't1' };
  expect(senderFrom(env)?.threads).toEqual(['t1']);
  expect(senderFrom({ ...env, CODEX_THREAD_ID: 'child' })?.threads).toEqual(['child', 't1']);
});
