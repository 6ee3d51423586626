import { expect, test } from 'vitest';
import { isInterruption, Reading, takenIn } from './transcript.js';

const HEADER = '[Input from: a (0a1b2c3d) via sm send] #0123456789ab';
const line = (value: unknown): string => JSON.stringify(value);

test.each<[string, unknown, ReturnType<typeof takenIn>]>([
  [
    'a prompt',
    {
      type: 'user',
      promptSource: 'typed',
      promptId: 't1',
      message: { role: 'user', content: `${HEADER}\nhello` },
    },
    [{ id: '0123456789ab', turn: 't1', evidence: 'transcript: user, typed' }],
  ],
  [
    'two messages that were merged into one',
    {
      type: 'user',
      promptSource: 'queued',
      promptId: 't2',
      message: {
        content: [
          { type: 'text', text: `${HEADER}\na` },
          { type: 'text', text: HEADER.replace('ab', 'cd') },
        ],
      },
    },
    [
      { id: '0123456789ab', turn: 't2', evidence: 'transcript: user, queued' },
      { id: '0123456789cd', turn: 't2', evidence: 'transcript: user, queued' },
    ],
  ],
  [
    'a prompt of 2.0.77',
    { type: 'user', isSidechain: false, thinkingMetadata: {}, message: { content: `${HEADER}\nhello` } },
    [{ id: '0123456789ab', turn: null, evidence: 'transcript: user' }],
  ],
  [
    'a prompt of 2.1.112',
    { type: 'user', promptId: 't3', permissionMode: 'default', message: { content: HEADER } },
    [{ id: '0123456789ab', turn: 't3', evidence: 'transcript: user' }],
  ],
  [
    "a sub-agent's",
    { type: 'user', isSidechain: true, permissionMode: 'default', message: { content: HEADER } },
    [],
  ],
  [
    'one that was taken in the middle of a turn',
    { type: 'attachment', attachment: { type: 'queued_command', prompt: `x ${HEADER}\nhello` } },
    [{ id: '0123456789ab', turn: null, evidence: 'transcript: queued_command' }],
  ],
  ['a queue that merely holds it', { type: 'queue-operation', operation: 'enqueue', content: HEADER }, []],
  [
    "a tool's result that quotes it",
    { type: 'user', message: { content: [{ type: 'tool_result', content: HEADER }] } },
    [],
  ],
  ['an answer that quotes it', { type: 'assistant', message: { content: HEADER } }, []],
])('%s', (_, value, expected) => {
  expect(takenIn(line(value))).toEqual(expected);
});

test('half a line is nothing', () => {
  expect(takenIn(`{"type":"user","x":"${HEADER}`)).toEqual([]);
});

test('what was taken in the middle of a turn is of that turn', () => {
  const reading = new Reading();
  const lines = [
    { type: 'user', promptId: 't1', promptSource: 'typed', message: { content: 'work' } },
    { type: 'user', promptId: 't1', message: { content: [{ type: 'tool_result', content: 'ok' }] } },
    { type: 'attachment', attachment: { type: 'queued_command', prompt: HEADER } },
  ];
  const taken = lines.flatMap((each) => reading.next(line(each)));
  expect(taken).toEqual([{ id: '0123456789ab', turn: 't1', evidence: 'transcript: queued_command' }]);
});

const TEXT = [{ type: 'text', text: 'whatever it says' }];
test.each<[string, boolean, object]>([
  ['a text of theirs that is no prompt', true, { isSidechain: false, message: { content: TEXT } }],
  ['a prompt with a picture', false, { permissionMode: 'default', message: { content: TEXT } }],
  ["a tool's result", false, { toolUseResult: 'x', message: { content: [{ type: 'tool_result' }] } }],
  ['what was added to a prompt', false, { isMeta: true, message: { content: TEXT } }],
  ["a sub-agent's", false, { isSidechain: true, message: { content: TEXT } }],
  ['the output of a command', false, { message: { content: 'out' } }],
])('an interruption: %s: %s', (_, is, fields) => {
  expect(isInterruption(line({ type: 'user', ...fields }))).toBe(is);
});
