// What Qwen Code's output says of its turns.
import { expect, test } from 'vitest';
import { type Change, Turns } from './turns.js';
import { parseLine } from './wire.js';

const base = { uuid: 'u1', session_id: 's1', parent_tool_use_id: null };
const prompt = { ...base, type: 'user', message: { content: [{ type: 'text', text: 'do it' }] } };
const start = { ...base, type: 'stream_event', event: { type: 'message_start' } };
const stop = { ...base, type: 'stream_event', event: { type: 'message_stop' } };
const call = { ...base, type: 'assistant', message: { content: [{ type: 'tool_use', id: 'c1' }] } };
const say = (text: string) => ({
  ...base,
  type: 'assistant',
  message: { content: [{ type: 'text', text }] },
});
const result = (failed: boolean) => ({
  ...base,
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: failed, content: 'x' }] },
});
const ask = {
  type: 'control_request',
  request_id: 'r1',
  request: { subtype: 'can_use_tool', tool_name: 't' },
};
const decide = { type: 'control_response', response: { request_id: 'r1', response: { allowed: true } } };

function play(lines: readonly unknown[]): { turns: Turns; changes: Change[] } {
  const changes: Change[] = [];
  const turns = new Turns((change) => changes.push(change));
  for (const line of lines) {
    const told = parseLine(JSON.stringify(line));
    if (told) turns.heard(told);
  }
  return { turns, changes };
}

const states = (changes: readonly Change[]): string[] =>
  changes.flatMap((change) => (change.kind === 'state' ? [change.state] : []));

test('a turn lasts through its tools, and a person is waited for in between', () => {
  const { changes, turns } = play([
    prompt,
    start,
    call,
    stop,
    ask,
    decide,
    result(false),
    start,
    say('done'),
    stop,
  ]);
  expect(states(changes)).toEqual(['busy', 'waiting', 'busy', 'idle']);
  expect(changes).toContainEqual({ kind: 'started', turn: 'u1' });
  expect(changes).toContainEqual(
    expect.objectContaining({ kind: 'ended', turn: 'u1', how: 'completed', answer: 'done' }),
  );
  expect(turns.isBusy).toBe(false);
});

test('a turn whose tools all failed may have been stopped there', () => {
  const { turns, changes } = play([prompt, start, call, stop, result(true)]);
  expect(turns.mayHaveStopped).toBe(true);
  turns.giveUp(20_000);
  expect(turns.isBusy).toBe(false);
  expect(changes.at(-2)).toMatchObject({ kind: 'ended', how: 'interrupted', evidence: 'silent for 20 s' });
  expect(states(changes).at(-1)).toBe('unknown');
  expect(play([prompt, start, call, stop, result(false)]).turns.mayHaveStopped).toBe(false);
  expect(play([prompt, start, call, stop]).turns.isSilent).toBe(false);
});

test('a subagent is no turn of its own, and what is not understood is ignored', () => {
  expect(parseLine(JSON.stringify({ ...prompt, parent_tool_use_id: 'c1' }))).toBeUndefined();
  expect(parseLine('{"type":"stream_event","event":{"type":"content_block_delta"}}')).toBeUndefined();
  expect(parseLine('{"type":"user"}')).toBeUndefined();
  expect(parseLine('half a li')).toBeUndefined();
});
