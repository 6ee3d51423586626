// Which of our messages stand in a conversation of OpenCode, and which of them the model was given.
import { expect, test } from 'vitest';
import { History, promptsOf, runningOf, standingIn } from './history.js';
import { namesOf, ourIdIn } from './ids.js';
import { type Message, parseEvent } from './wire.js';

const ID = '0123456789ab';
const OTHER = 'ffffffffffff';
const at = (id: string, time: number): string => namesOf(id, time).message;
const user = (id: string, created: number, text = ''): Message => ({
  info: { id, sessionID: 'ses_1', role: 'user', time: { created } },
  parts: [{ type: 'text', messageID: id, text }],
});
const answer = (parentID: string, created: number): Message => ({
  info: { id: `msg_a${created}`, sessionID: 'ses_1', role: 'assistant', parentID, time: { created } },
  parts: [],
});

test('a name keeps our id and sorts by time', () => {
  expect(ourIdIn(at(ID, 1_800_000_000_000))).toBe(ID);
  expect(at(ID, 1_800_000_000_000) < at(OTHER, 1_800_000_000_001)).toBe(true);
  expect(at(ID, 5)).toBe(at(ID, 5));
  expect(ourIdIn('msg_1e05f0533001NJTb4ge6esyJ1P')).toBeUndefined();
});

test('a message is taken once an answer belongs to it or to a later prompt', () => {
  const first = at(ID, 10);
  const second = at(OTHER, 20);
  const messages = [user('msg_p', 1), answer('msg_p', 2), user(first, 10), user(second, 20)];
  expect(standingIn(messages, ID)).toEqual({ kind: 'waiting' });
  expect(standingIn([...messages, answer(second, 30)], ID)).toEqual({ kind: 'taken', turn: second });
  expect(standingIn([...messages, answer(first, 15)], OTHER)).toEqual({ kind: 'waiting' });
  expect(standingIn(messages, 'aaaaaaaaaaaa')).toEqual({ kind: 'absent' });
});

test('of a turn whose prompt is older than what was asked for the answers show that it was taken', () => {
  const first = at(ID, 10);
  const messages = [answer(first, 30), user('msg_p', 40), answer('msg_p', 50)];
  expect(standingIn(messages, ID)).toEqual({ kind: 'taken', turn: first });
  expect(new History().load(messages)).toEqual([{ id: ID, turn: first }]);
  expect([...promptsOf(messages)]).toEqual([first, 'msg_p']);
});

test('one that was taken out of its conversation is never taken', () => {
  const history = new History();
  history.load([user(at(ID, 10), 10), user('msg_p', 20)]);
  history.removed(at(ID, 10));
  expect(history.answered({ parentID: 'msg_p' })).toEqual([]);
});

test('a turn that runs answers the prompts whose answer goes on, and no earlier one', () => {
  const ended = (message: Message, finish: string): Message => ({
    ...message,
    info: { ...message.info, finish },
  });
  const messages = [
    ended(answer('msg_1', 1), 'stop'),
    ended(answer('msg_2', 2), 'tool-calls'),
    answer('msg_3', 3),
  ];
  expect([...runningOf(['msg_0', 'msg_1', 'msg_2', 'msg_3'], messages)]).toEqual(['msg_2', 'msg_3']);
});

test('one that is posted again moves behind what came meanwhile', () => {
  const history = new History();
  history.load([user(at(ID, 10), 10), user(at(OTHER, 20), 20)]);
  history.user(user(at(ID, 10), 30).info);
  expect(history.answered({ parentID: at(OTHER, 20) }).map(({ id }) => id)).toEqual([OTHER]);
  expect(history.answered({ parentID: at(ID, 10) }).map(({ id }) => id)).toEqual([ID]);
});

test('each is told once; one that came through the input box is known by its header', () => {
  const history = new History();
  const text = `[Input from: a (b) via sm send] #${ID}\nhello`;
  const messages = [user('msg_typed', 1, text), answer('msg_typed', 2)];
  expect(history.load(messages)).toEqual([{ id: ID, turn: 'msg_typed' }]);
  expect(history.load(messages)).toEqual([]);
});

test('the conversation goes on with the agent and the model of its newest prompt', () => {
  const history = new History();
  const model = { providerID: 'p', modelID: 'm', variant: 'high' };
  history.user({ ...user('msg_1', 1).info, agent: 'build', model });
  history.user({ ...user('msg_2', 2).info, agent: 'plan', model });
  expect(history.answeredBy).toEqual({
    agent: 'plan',
    model: { providerID: 'p', modelID: 'm' },
    variant: 'high',
  });
});

test('what is not understood is ignored', () => {
  expect(parseEvent('{"id":"evt_1","type":"message.part.delta","properties":{}}')).toBeUndefined();
  expect(parseEvent('{"id":"evt_1","type":"session.idle","properties":{"sessionID":"s"}}')?.type).toBe(
    'session.idle',
  );
  expect(parseEvent('{"type":"session.status","properties":{}}')).toBeUndefined();
  expect(parseEvent('not json')).toBeUndefined();
});
