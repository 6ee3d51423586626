// Which hooks are signals.
import { expect, test } from 'vitest';
import { briefing } from './briefing.js';
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
  expect(briefing('command')).toContain('run: sm signal STATE "one line about it"');
  expect(briefing('command', ['blocked'])).toContain('the user also has blocked');
  expect(briefing('marker')).toContain('--<[sm:STATE:');
  // One line, in which the marker stands inside a sentence.
  expect(briefing('marker')).not.toContain('\n');
  expect(briefing('none')).not.toContain('signal');
});
