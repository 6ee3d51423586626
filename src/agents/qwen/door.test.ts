// Qwen Code's door with files that a test writes: what is received, what waits, and what a person's interrupt took out.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DoorContext, DoorEvent, LaunchContext } from '../door.js';
import { QwenDoor } from './door.js';
import { qwenDoor } from './index.js';
import { launchQwen } from './launch.js';

const ID = '0123456789ab';
const letter = (id: string) => ({
  id,
  text: `[Input from: a (b) via sm send] #${id}\nhello`,
  mode: 'sequential' as const,
  speaks: 'notice' as const,
});

let folder: string;
let door: QwenDoor;
let events: DoorEvent[];
let facts: Record<string, string>;
const output = (): string => path.join(folder, 'out');
const input = (): string => path.join(folder, 'in');
// As Qwen does: by the name under which it opened the file, or in what was made of that.
const claimed = (pid = process.pid): string => `${output()}.${pid}`;
const write = (...lines: unknown[]): void =>
  fs.appendFileSync(
    fs.existsSync(claimed()) ? claimed() : output(),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
const start = (conversation: string) => ({
  type: 'system',
  subtype: 'session_start',
  session_id: conversation,
});
const base = { uuid: 'u1', session_id: 's1', parent_tool_use_id: null };
const prompt = (text: string) => ({ ...base, type: 'user', message: { content: [{ type: 'text', text }] } });
const stop = { ...base, type: 'stream_event', event: { type: 'message_stop' } };
const kinds = (): string[] => events.map(({ kind }) => kind);

function open(
  argv = ['qwen', '--input-file', input(), '--json-file', output()],
  pid = process.pid,
): QwenDoor {
  events = [];
  const context: DoorContext = {
    session: { id: 's', name: 'n', cwd: folder, origin: 'adopted' },
    program: { pid, argv },
    env: { HOME: folder },
    version: '0.24.4',
    folder,
    facts: {},
    saveFacts: async (saved) => {
      facts = saved;
    },
    onHook: () => ({ dispose() {} }),
    clock: Date.now,
    log: () => {},
  };
  door = new QwenDoor(context, 300);
  door.onEvent((event) => events.push(event));
  return door;
}

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-qwen-'));
  for (const file of [input(), output()]) fs.writeFileSync(file, '');
});
afterEach(() => {
  door.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function opened(): Promise<void> {
  write(start('s1'));
  open();
  await vi.waitFor(() => expect(door.state).toEqual({ kind: 'open' }));
}

test('it opens with its first line, and is shut where it was started without files', async () => {
  await opened();
  door.dispose();
  expect(open(['qwen']).state.kind).toBe('shut');
  expect(open(['qwen', '--input-file', '/i', '--json-file', output()]).state.kind).toBe('shut');
});

// Another process by the same command line: it makes the file anew, and passes over what stands in its input.
const startAnew = (): void => fs.writeFileSync(output(), `${JSON.stringify(start('s2'))}\n`);
// No process has it.
const DEAD = 2 ** 30;
const states = (): string[] =>
  events.flatMap((event) => (event.kind === 'status' ? [event.status.state] : []));

test('the next process in its pane is heard alone, and reads only what is given to it', async () => {
  await opened();
  const lost = door.send(letter(ID));
  write(prompt('go'));
  expect(await lost).toMatchObject({ outcome: 'unknown' });
  door.dispose();
  open(undefined, process.ppid);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([door.state.kind, states()]).toEqual(['opening', []]);
  startAnew();
  await vi.waitFor(() => expect(door.state).toEqual({ kind: 'open' }));
  await vi.waitFor(() => expect(states()).toEqual(['idle']));
  expect(facts).toMatchObject({ output: claimed(process.ppid), conversation: 's2' });
  expect(await door.find(ID)).toMatchObject({ at: 'nowhere' });
  expect(await qwenDoor.findLast?.({ output: claimed() }, ID)).toMatchObject({ at: 'nowhere' });
  void door.send(letter('ffffffffffff'));
  expect(fs.readFileSync(input(), 'utf8').trim().split('\n')).toHaveLength(1);
});

test('the door of one that has ended leaves the next one alone', async () => {
  open(undefined, DEAD);
  startAnew();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([door.state.kind, fs.existsSync(output())]).toEqual(['opening', true]);
});

test('one that has started itself again is followed if nothing was given to it, and shut out otherwise', async () => {
  await opened();
  startAnew();
  await vi.waitFor(() => expect(facts.conversation).toBe('s2'));
  expect(door.state.kind).toBe('open');
  void door.send(letter(ID));
  startAnew();
  await vi.waitFor(() => expect(door.state.kind).toBe('shut'));
  await vi.waitFor(() => expect(states().at(-1)).toBe('unknown'));
  expect(await door.send(letter('ffffffffffff'))).toMatchObject({ outcome: 'refused' });
  door.dispose();
  open();
  await vi.waitFor(() => expect(door.state.kind).toBe('shut'));
});

test('a message is accepted and received once its output shows it; nothing is given while a turn runs', async () => {
  await opened();
  const sent = door.send(letter(ID));
  expect(fs.readFileSync(input(), 'utf8')).toContain(`#${ID}`);
  expect(door.carries(letter(ID)).kind).toBe('later');
  expect(await door.find(ID)).toMatchObject({ at: 'queue' });
  write(prompt(letter(ID).text));
  expect(await sent).toMatchObject({ outcome: 'accepted' });
  await vi.waitFor(() => expect(kinds()).toContain('received'));
  expect(door.carries(letter(ID)).kind).toBe('later');
  write(stop);
  await vi.waitFor(() => expect(kinds()).toContain('turn_ended'));
  expect(door.carries(letter(ID)).kind).toBe('now');
  expect(await door.find(ID)).toMatchObject({ at: 'received', turn: 'u1' });
  expect(await door.find('ffffffffffff')).toMatchObject({ at: 'nowhere' });
});

test('what an interrupt dropped into the input box comes back only when a person has sent the box without it', async () => {
  await opened();
  const sent = door.send(letter(ID));
  // A person's prompt came first, and was interrupted.
  write(prompt('go'), stop);
  expect(await sent).toMatchObject({ outcome: 'unknown' });
  await vi.waitFor(() => expect(door.carries(letter(ID)).kind).toBe('now'));
  expect(await door.find(ID)).toMatchObject({ at: 'queue' });
  // Other mail of ours proves nothing about the box.
  write(prompt(letter('ffffffffffff').text), stop);
  await vi.waitFor(() => expect(events).toContainEqual(expect.objectContaining({ id: 'ffffffffffff' })));
  expect(kinds()).not.toContain('returned');
  write(prompt('something else'), stop);
  await vi.waitFor(() =>
    expect(events).toContainEqual(expect.objectContaining({ kind: 'returned', id: ID })),
  );
});

test('what it has not shown without a turn having ended since waits in its queue, whatever a person sends', async () => {
  await opened();
  expect(await door.send(letter(ID))).toMatchObject({ outcome: 'unknown' });
  await vi.waitFor(() => expect(door.carries(letter(ID)).kind).toBe('now'));
  write(prompt('go'));
  await vi.waitFor(() => expect(kinds()).toContain('turn_started'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(kinds()).not.toContain('returned');
  expect(await door.find(ID)).toMatchObject({ at: 'queue' });
});

test('a later daemon is told the ends of turns with mail that were not told, and no other', async () => {
  await opened();
  const turn = (uuid: string, text: string) => [{ ...prompt(text), uuid }, stop];
  write(...turn('t1', letter(ID).text), ...turn('t2', 'go'), prompt('on'));
  await vi.waitFor(() => expect(kinds().filter((kind) => kind === 'turn_started')).toHaveLength(3));
  door.dispose();
  write(stop, ...turn('t4', letter('ffffffffffff').text), ...turn('t5', 'go'));
  open();
  await vi.waitFor(() => expect(door.state).toEqual({ kind: 'open' }));
  await vi.waitFor(() => expect(kinds()).toContain('changed'));
  const ends = events.flatMap((event) => (event.kind === 'turn_ended' ? [event.turn] : []));
  expect(ends).toEqual(['t4', null]);
});

test('what its record of the conversation shows was taken in the middle of a turn', async () => {
  await opened();
  const sent = door.send(letter(ID));
  write(prompt('go'));
  expect(await sent).toMatchObject({ outcome: 'unknown' });
  const chats = path.join(folder, '.qwen', 'projects', 'p', 'chats');
  fs.mkdirSync(chats, { recursive: true });
  fs.writeFileSync(path.join(chats, 's1.jsonl'), `${JSON.stringify({ text: letter(ID).text })}\n`);
  expect(await door.find(ID)).toMatchObject({ at: 'received' });
});

test('it is started with files of its own, beside what the user asks for', () => {
  open(['qwen']);
  const launch = (command: string[]) =>
    launchQwen({ command, folder, briefing: 'read your mail' } as unknown as LaunchContext).command;
  const command = launch(['qwen', '--append-system-prompt', 'be brief', '-m', 'x']);
  expect(command.slice(-2)).toEqual(['-m', 'x']);
  expect(command[command.indexOf('--append-system-prompt') + 1]).toBe('be brief\n\nread your mail');
  const file = command[command.indexOf('--json-file') + 1] as string;
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(launch(['qwen', '--json-file', '/o']).join(' ')).not.toContain(folder);
  for (const other of [['-p', 'hi'], ['mcp', 'list'], ['--help'], ['--output-format=json', 'x']])
    expect(launch(['qwen', ...other])).toEqual(['qwen', ...other]);
});
