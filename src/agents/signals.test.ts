// Which hooks are signals.
import { expect, test } from 'vitest';
import { briefing } from './briefing.js';
import { toldFar } from './far-start.js';
import type { Profile } from './profile.js';
import { Profiles } from './recognise.js';
import { type AgentSignals, hookSignal } from './signals.js';

const claude = new Profiles([]).find('claude')?.signals as AgentSignals;
const facts = { conversation: 'c' };

test.each<[string, Record<string, unknown>, string | undefined]>([
  [
    'Notification',
    { notification_type: 'idle_prompt', message: 'waits', session_id: 'c' },
    'needs_input waits',
  ],
  ['Notification', { notification_type: 'permission_prompt', message: 'x', session_id: 'c' }, undefined],
  ['StopFailure', { error: 'rate_limit', session_id: 'c' }, 'error rate_limit'],
  ['StopFailure', { error: { not: 'text' }, session_id: 'c' }, 'error '],
  // Of an agent inside a tool of this one.
  ['StopFailure', { error: 'rate_limit', session_id: 'other' }, undefined],
  ['StopFailure', { error: 'rate_limit' }, undefined],
  // The end of a turn is not the end of a task.
  ['Stop', { session_id: 'c', last_assistant_message: 'completed' }, undefined],
])('Claude Code: %s %j is %j', (event, body, expected) => {
  const found = hookSignal(claude, event, body, facts);
  expect(found && `${found.state} ${found.message}`).toBe(expected);
});

test('an agent is told how to signal by what it has, or not at all', () => {
  const here = briefing('here', { signals: true, added: ['blocked'] });
  expect(here).toContain('run: sm signal STATE "one line about it"');
  expect(here).toContain('the user also has blocked');
  const far = briefing('far', { signals: true });
  expect(far).toContain('--<[sm:STATE:');
  // There is none.
  expect(far).not.toContain('run: sm');
  // One line, in which the marker stands inside a sentence.
  expect(far).not.toContain('\n');
  expect(briefing('here', { signals: false })).not.toContain('signal');
});

test.each<[string[], string[]]>([
  [['claude'], ['claude', '--append-system-prompt', 'T']],
  [
    ['claude', '--model', 'x'],
    ['claude', '--append-system-prompt', 'T', '--model', 'x'],
  ],
  [
    ['claude', '--append-system-prompt=mine'],
    ['claude', '--append-system-prompt', 'mine\n\nT'],
  ],
  [
    ['claude', 'do this'],
    ['claude', '--append-system-prompt', 'T', 'do this'],
  ],
  [
    ['claude', 'update'],
    ['claude', 'update'],
  ],
  [
    ['claude', '-p', 'x'],
    ['claude', '-p', 'x'],
  ],
  [
    ['sh', '-c', 'claude'],
    ['sh', '-c', 'claude'],
  ],
])('on another machine %j is started as %j', (command, expected) => {
  expect(toldFar(new Profiles([]).find('claude') as Profile, command, 'T')).toEqual(expected);
});

test('one whose profile does not say how is started as it was', () => {
  expect(toldFar({}, ['codex'], 'T')).toEqual(['codex']);
});
