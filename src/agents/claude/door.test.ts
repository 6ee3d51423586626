import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONVERSATION, DoorRig, ID, TEXT } from '../../../test/support/claude-door.js';
import { findLast, hearLast } from './last.js';

// More than any system gives to a process.
const NOBODY = 99_999_999;

let rig: DoorRig;
beforeEach(() => {
  rig = new DoorRig();
});
afterEach(() => rig.dispose());

test('put and never rung for: taken back, so that it can be sent again', async () => {
  rig.registry('idle', rig.now);
  fs.writeFileSync(rig.file('msg'), TEXT);
  expect((await rig.open().find(ID)).at).toBe('nowhere');
  expect(fs.existsSync(rig.file('msg'))).toBe(false);
});

test('said to be handed over, and the agent idle ever since: it never was', async () => {
  rig.registry('idle', rig.now - 60_000);
  fs.writeFileSync(rig.file('told'), TEXT);
  const one = rig.open();
  expect((await one.find(ID)).at).toBe('queue');
  rig.now += 11_000;
  expect((await one.find(ID)).at).toBe('nowhere');
  expect(fs.existsSync(rig.file('told'))).toBe(false);
});

test.each<[string, () => void, string]>([
  ['it works', () => rig.registry('busy', rig.now), 'queue'],
  ['it worked, and keeps no transcript', () => rig.registry('idle', rig.now + 5000), 'unknown'],
  [
    'its own queue has it',
    () => {
      rig.registry('idle', rig.now - 1);
      rig.write({ type: 'queue-operation', operation: 'enqueue', content: TEXT });
    },
    'queue',
  ],
  [
    'it took it before a /clear',
    () => {
      rig.registry('idle', rig.now + 5000);
      rig.write({});
      rig.prompt('t1', TEXT, path.join(rig.folder, 'projects', 'earlier.jsonl'));
    },
    'received',
  ],
])('said to be handed over long ago: %s', async (_, set, at) => {
  fs.writeFileSync(rig.file('told'), TEXT);
  set();
  const one = rig.open();
  rig.say('SessionStart', { source: 'compact' });
  rig.now += 60_000;
  expect((await one.find(ID)).at).toBe(at);
});

test('mail that is typed into a turn after a restart is not received before the transcript shows it', () => {
  rig.registry('busy', rig.now);
  rig.prompt('t1', 'work');
  rig.open();
  rig.say('UserPromptSubmit', { prompt: TEXT, prompt_id: 't1' });
  rig.say('Stop', { prompt_id: 't1', last_assistant_message: 'not for it' });
  expect(rig.received()).toEqual([]);
  rig.prompt('t2');
  rig.say('Stop', { prompt_id: 't2', last_assistant_message: 'for it' });
  expect(rig.received()).toEqual([[ID, 't2', 'transcript: user, queued']]);
});

test('nor is mail that is typed into a turn that came out of the queue without a hook', () => {
  rig.registry('idle', rig.now);
  rig.open();
  rig.say('SessionStart', { source: 'startup' });
  rig.prompt('t2', 'was queued');
  rig.say('UserPromptSubmit', { prompt: TEXT, prompt_id: 't2' });
  expect(rig.received()).toEqual([]);
});

test('the turn that runs is known to the next daemon', () => {
  rig.registry('idle', rig.now);
  rig.open();
  rig.say('UserPromptSubmit', { prompt: 'work', prompt_id: 't1' });
  expect(rig.facts.turn).toBe('t1');
  rig.registry('busy', rig.now);
  rig.open();
  rig.say('UserPromptSubmit', { prompt: TEXT, prompt_id: 't1' });
  expect(rig.received()).toEqual([]);
});

test('lines of a transcript that was made between two hooks are read, and the file of the hook goes', () => {
  rig.registry('idle', rig.now);
  rig.open();
  fs.writeFileSync(rig.file('told'), TEXT);
  rig.say('SessionStart', { source: 'startup' });
  rig.prompt('t1');
  rig.say('PostToolUse');
  expect(rig.received()).toEqual([[ID, 't1', 'transcript: user, queued']]);
  expect(fs.existsSync(rig.file('told'))).toBe(false);
});

test('a waiter of an agent that was killed counts for nothing', () => {
  fs.symlinkSync(`${process.pid}.${process.pid}`, path.join(rig.folder, 'waiter.c1'));
  fs.symlinkSync(`${process.pid}.${NOBODY}`, path.join(rig.folder, 'waiter.c2'));
  rig.facts = { conversation: 'c1' };
  expect(rig.open().state.kind).toBe('open');
  rig.facts = { conversation: 'c2' };
  expect(rig.open().state.kind).toBe('opening');
});

test('a process that is gone: what was left for it is taken away, and its last hooks still tell', async () => {
  const last = { conversation: CONVERSATION, transcript: rig.transcript, folder: rig.folder };
  fs.writeFileSync(rig.file('told'), TEXT);
  rig.write({});
  expect((await findLast(last, ID)).at).toBe('nowhere');
  expect(fs.existsSync(rig.file('told'))).toBe(false);
  rig.prompt('t1');
  expect(hearLast(last, rig.hook('UserPromptSubmit', { prompt: TEXT, prompt_id: 't0' }))).toMatchObject([
    { kind: 'received', id: ID, turn: 't1' },
  ]);
  expect(hearLast(last, rig.hook('Stop', { prompt_id: 't1', last_assistant_message: 'ok' }))).toMatchObject([
    { kind: 'turn_ended', turn: 't1', answer: 'ok' },
  ]);
  expect(hearLast(last, rig.hook('Stop', { session_id: 'nested' }))).toBeUndefined();
});

const ask = (command: string): void =>
  rig.say('PermissionRequest', { tool_name: 'Bash', tool_input: { command } });
const ran = (command: string): void => rig.say('PostToolUse', { tool_name: 'Bash', tool_input: { command } });

test('without a registry a question is open until its own tool has run, not another one', () => {
  rig.open();
  rig.say('SessionStart');
  rig.say('UserPromptSubmit', { prompt: 'go' });
  ask('a');
  ask('b');
  ran('c');
  ran('a');
  expect(rig.state).toBe('waiting');
  ran('b');
  expect(rig.state).toBe('busy');
  ask('d');
  rig.say('Stop');
  expect(rig.state).toBe('idle');
});

test("without a registry a person's Escape at a question is known by the transcript, and ends the turn", () => {
  rig.open();
  rig.say('SessionStart');
  rig.say('UserPromptSubmit', { prompt: TEXT });
  rig.prompt('t1');
  ask('a');
  rig.write({ type: 'user', message: { content: [{ type: 'tool_result' }] }, toolUseResult: 'no' });
  rig.say('Notification');
  expect(rig.state).toBe('waiting');
  rig.write({ type: 'user', isSidechain: false, message: { content: [{ type: 'text', text: 'x' }] } });
  rig.say('Notification');
  expect(rig.state).toBe('idle');
  expect(rig.told.at(-1)).toMatchObject({
    kind: 'turn_ended',
    turn: 't1',
    how: 'interrupted',
    evidence: 'transcript: interrupted',
  });
});
