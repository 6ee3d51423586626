import { expect, test } from 'vitest';
import type { EstimatedDelivery } from '../api/types.js';
import { estimate, type Prospects } from './estimate.js';

const fresh: Prospects = { state: 'pending', held: undefined, ahead: undefined, plan: undefined };

test.each<[string, Partial<Prospects>, EstimatedDelivery]>([
  ['nothing is in its way', { plan: { way: 'direct', reason: 'empty_box' } }, 'immediate'],
  ['its door is open', { plan: { way: 'door', reason: 'open' } }, 'immediate'],
  ['it goes past a draft', { plan: { way: 'editor', reason: 'past_draft' } }, 'immediate'],
  ['it is being delivered', { state: 'attempting' }, 'immediate'],
  ['the turn runs', { plan: { way: 'wait', reason: 'agent_busy' } }, 'waiting_for_idle'],
  ['a person types', { plan: { way: 'wait', reason: 'user_typing' } }, 'waiting_for_user_input'],
  ['a draft lies there', { held: 'draft' }, 'waiting_for_user_input'],
  ['a dialog is open', { held: 'agent_waits' }, 'waiting_for_dialog'],
  ['its program starts', { plan: { way: 'wait', reason: 'starting' } }, 'waiting_for_session'],
  ['delivery is paused', { plan: { way: 'wait', reason: 'paused' } }, 'paused'],
  ['it failed before', { held: 'failed_before' }, 'waiting_for_retry'],
  ['another goes first', { ahead: { held: undefined } }, 'behind_others'],
  ['another is found to go first', { plan: { way: 'wait', reason: 'queue' } }, 'behind_others'],
  ['another goes first, and that one waits', { ahead: { held: 'agent_busy' } }, 'waiting_for_idle'],
  ['its agent has it', { state: 'accepted' }, 'in_agent_queue'],
])('%s', (_, facts, expected) => {
  expect(estimate({ ...fresh, ...facts })).toBe(expected);
});

test('what was seen since counts more than what was seen at the moment of sending', () => {
  const plan = { way: 'direct', reason: 'empty_box' };
  expect(estimate({ ...fresh, plan, held: 'user_typing' })).toBe('waiting_for_user_input');
});
