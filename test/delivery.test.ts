// Every manner of program gets every message: whole, once, in order, with a receipt.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

const MANNERS: [string, string, string[]][] = [
  ['an ink-like box', 'box', []],
  ['a box without a prompt', 'box', ['--no-prompt']],
  ['a box on the alternate screen', 'box', ['--alt']],
  ['a box that is busy after each prompt and queues', 'box', ['--busy', '300']],
  ['a box that stops reading while busy', 'box', ['--busy', '500', '--ignore-input', '400']],
  ['one that swallows an early Enter', 'swallow', []],
  ['one without a prompt that swallows an early Enter', 'swallow', ['--no-prompt']],
  ['one that collapses pastes', 'collapse', ['--collapse', '10']],
  ['one with a dim placeholder', 'placeholder', []],
  ['one that redraws constantly', 'redraw', []],
  ['one that starts slowly', 'box', ['--start-delay', '700']],
  ['one whose cursor is hidden below its box', 'box', ['--cursor-below']],
  ['such a one that swallows an early Enter', 'swallow', ['--cursor-below']],
];

describe.each(MANNERS)('%s', (_, program, args) => {
  test('gets three messages sent at once, exactly, once and in order', async () => {
    const agent = await world.agent(program, args, { ready: false });
    const texts = ['one line', 'two\nlines, é中🙂', `a long one ${'x'.repeat(700)}`];
    const messages = [];
    for (const text of texts) messages.push(await world.send(agent, text));
    expect(messages.map(({ queue_position }) => queue_position)).toEqual([1, 2, 3]);
    const done = await Promise.all(messages.map((message) => world.submitted(message)));
    expect(done.map(({ receipt, state }) => [receipt, state])).toEqual(
      texts.map(() => ['submitted', 'settled']),
    );
    await until(() => agent.submissions().length >= 3, 'three submissions');
    expect(agent.submissions()).toEqual(messages.map((message) => delivered(message)));
  });
});

const TEXTS: [string, string, string?][] = [
  ['a leading dash', '-x'],
  ['a trailing semicolon', 'a;'],
  ['200 KB', 'lorem ipsum é中🙂 '.repeat(10_000).slice(0, 200_000)],
  ['a paste that tries to end itself', '\x1b[201~rm -rf\r', '␛[201~rm -rf\n'],
  ['emoji and CJK', '👩‍👩‍👧 🙂 中文 日本語'],
  ['every control byte', Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join('') + '\x7f\x9b'],
  ['formats and shell', '#{pane_id} $(touch x) `id` ; kill-server'],
  ['a final backslash', 'path\\', 'path\\\n[end of message]'],
  ['a final at', 'mail me@', 'mail me@\n[end of message]'],
  ['a tab and blank lines', 'a\tb\n\n\nc'],
];

test.each(TEXTS)('%s arrives exactly, control bytes made visible', async (name, text, shown = text) => {
  const agent = await world.agent('box');
  const message = await world.send(agent, text);
  await world.submitted(message);
  await until(() => agent.submissions().length === 1, 'the submission');
  const [got = ''] = agent.submissions();
  if (name === 'every control byte') {
    expect(got).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(got).toContain('␛');
  } else expect(got).toBe(delivered({ ...message, text: shown }));
});

test('line readers get each line as a line', async () => {
  for (const program of ['readline', 'cooked']) {
    const agent = await world.agent(program);
    const message = await world.send(agent, 'first\nsecond');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    await until(() => agent.submissions().length === 3, 'three lines');
    expect(agent.submissions()).toEqual(delivered(message).split('\n'));
  }
});

test('a line too long for a cooked terminal is held, not cut', async () => {
  const agent = await world.agent('cooked');
  const message = await world.send(agent, 'x'.repeat(5000));
  expect((await world.held(message, 'line_too_long')).held_detail).toContain('4095');
  expect(agent.submissions()).toEqual([]);
  await world.client.cancel(message.id);
  expect((await world.submitted(await world.send(agent, 'short'))).receipt).toBe('submitted');
});

test('a command goes in as it is', async () => {
  const agent = await world.agent('box');
  const message = await world.send(agent, '/help me', { command: true });
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions()).toEqual(['/help me']);
});

test('the timeline tells how each step is known', async () => {
  const agent = await world.agent('box');
  const message = await world.send(agent, 'hello');
  await world.submitted(message);
  const { events } = await world.client.message(message.id);
  expect(events.map(({ kind }) => kind).filter((kind) => kind !== 'held')).toEqual([
    'queued',
    'attempt',
    'typed',
    'submitted',
  ]);
  expect(events.find(({ kind }) => kind === 'typed')?.data).toEqual({ evidence: 'id' });
  expect(events.find(({ kind }) => kind === 'submitted')?.data).toEqual({ evidence: 'box_empty' });
});
