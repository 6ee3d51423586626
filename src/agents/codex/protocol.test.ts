import { expect, test } from 'vitest';
import { answerIn, idsTaken, madeAt, parseNotice, statusOf } from './protocol.js';

test('the time in an id', () => {
  expect(madeAt('01a1e05e-4086-7582-b814-2ec11744960f')).toBe(0x01a1e05e4086);
  expect(madeAt('dd205594-41ef-4853-bb82-b9006664d65c')).toBeUndefined();
  expect(madeAt('a name')).toBeUndefined();
});

test('what it does', () => {
  expect(statusOf({ type: 'notLoaded' }, 1)).toMatchObject({ state: 'unknown', source: 'door' });
  expect(statusOf({ type: 'idle' }, 1).state).toBe('idle');
  expect(statusOf({ type: 'systemError' }, 1).state).toBe('idle');
  expect(statusOf({ type: 'active', activeFlags: [] }, 1).state).toBe('busy');
  const waiting = statusOf({ type: 'active', activeFlags: ['waitingOnApproval'] }, 1);
  expect(waiting).toEqual({ state: 'waiting', since: 1, source: 'door', detail: 'approval' });
});

test('which messages an item shows as taken: by their id, or by the header that was typed', () => {
  const content = [{ text: '[Input from: user via sm send] #0123456789ab\nhello' }];
  expect(idsTaken({ type: 'userMessage', id: 'i', clientId: 'abcdefabcdef', content: [] })).toEqual([
    'abcdefabcdef',
  ]);
  expect(idsTaken({ type: 'userMessage', id: 'i', clientId: null, content })).toEqual(['0123456789ab']);
  expect(idsTaken({ type: 'agentMessage', id: 'i', content })).toEqual([]);
  expect(
    answerIn([
      { type: 'agentMessage', id: 'a', text: 'x' },
      { type: 'reasoning', id: 'b' },
    ]),
  ).toBe('x');
});

test('notices that are not known, or not as they should be, are ignored', () => {
  expect(parseNotice('skills/changed', {})).toBeUndefined();
  expect(parseNotice('turn/started', { threadId: 't' })).toBeUndefined();
  const turn = { id: 'u', status: 'inProgress', items: 'many' };
  expect(parseNotice('turn/started', { threadId: 't', turn })).toEqual({
    method: 'turn/started',
    params: { threadId: 't', turn: { ...turn, items: [] } },
  });
});
