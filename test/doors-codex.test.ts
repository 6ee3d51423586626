// Codex's door on the real Codex, with a stand-in model behind it; skipped where it cannot be installed.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../src/api/client.js';
import type { Message, MessageWithEvents, Session } from '../src/api/types.js';

// Plain modules without types of their own.
const load = (file: string) => import(new URL(`./conformance/${file}`, import.meta.url).href);
const { copyBuild } = await load('build-copy.mjs');
const { binFolder, install } = await load('packages.mjs');
const { seeded } = await load('random.mjs');
const { Stage } = await load('stage.mjs');
const { sleep, soon } = await load('wait.mjs');

// A registry that answers slowly is no reason to fail.
const INSTALL_MS = 240_000;
const SHOWN_MS = 15_000;

let stage: InstanceType<typeof Stage> | undefined;
let client: Client;
let own: Session;
let missing = '';

beforeAll(async () => {
  try {
    install('codex', (line: string) => console.log(line));
  } catch (error) {
    missing = (error as Error).message;
    console.log(`codex is skipped: ${missing}`);
    return;
  }
  stage = await Stage.open('codex', {
    build: await copyBuild(),
    random: seeded(1),
    doors: true,
    tell: () => {},
  });
  client = stage.place.client;
  own = stage.session;
  await opened(own.id);
}, INSTALL_MS);
afterAll(() => stage?.close());

const eventually = async (holds: () => Promise<boolean> | boolean, what: string): Promise<void> => {
  const end = Date.now() + SHOWN_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not in time: ${what}\n${stage?.screen()}\n${stage?.daemonLog()}`);
    await sleep(50);
  }
};
const opened = (id: string): Promise<void> =>
  eventually(async () => (await client.session(id)).door?.state === 'open', `the door of ${id} is open`);
const stateIs = (state: string): Promise<void> =>
  eventually(async () => (await client.session(own.id)).status?.state === state, state);
const send = async (text: string, more: Record<string, unknown> = {}, to = own.id): Promise<Message> => {
  const sent = await client.send({ to: [to], text, from: { session: to }, ...more });
  return sent.messages[0] as Message;
};
const done = async ({ id }: Message): Promise<MessageWithEvents> => {
  await eventually(async () => (await client.message(id)).receipt === 'done', `#${id} is done`);
  return client.message(id);
};
// The last words of every request that was a turn, in order.
const arrived = (): string[] =>
  (stage as { model: { requests: { tools: number; users: string[] }[] } }).model.requests
    .filter(({ tools }) => tools > 0)
    .map(({ users }) => users.at(-1) ?? '');
const countOf = (word: string): number =>
  new Set(arrived().filter((text) => text.endsWith(`\n${word}`))).size;
const waysOf = ({ events }: MessageWithEvents): unknown[] =>
  events.filter(({ kind }) => kind === 'attempt').map(({ data }) => (data as { way: string }).way);

test('idle and busy: each exact, once, after the turn and in order; important ahead; the draft untouched', async (context) => {
  if (!stage) return context.skip(missing);
  await stage.typist.person.type('half a draft');
  const first = await done(await send('while idle'));
  expect(waysOf(first)).toEqual(['door']);
  const busy = await send('work [[hold one]]');
  await stateIs('busy');
  const burst: Message[] = [];
  for (let i = 0; i < 5; i++) burst.push(await send(`burst ${i}`));
  await eventually(async () => (await client.message(burst[4]?.id ?? '')).state === 'accepted', 'accepted');
  const important = await send('pressing', { mode: 'important' });
  await eventually(async () => (await client.message(important.id)).state === 'accepted', 'accepted');
  expect(countOf('burst 0')).toBe(0);
  stage.model.release('one');
  for (const message of [busy, important, ...burst]) expect(waysOf(await done(message))).toEqual(['door']);
  const words = arrived().map((text) => text.split('\n').at(-1));
  const expected = [
    'while idle',
    'work [[hold one]]',
    'pressing',
    ...[0, 1, 2, 3, 4].map((i) => `burst ${i}`),
  ];
  expect(words).toEqual(expected);
  await stage.rest();
  expect(await stage.takeDraft()).toBe('half a draft');
});

test('an approval is open: nothing is answered, mail waits behind it; then it goes on after a denial', async (context) => {
  if (!stage) return context.skip(missing);
  const ran = path.join(stage.place.cwd, 'ran');
  await send(`[[run touch ${ran}]] please`);
  await stateIs('waiting');
  const behind = await send('behind the dialog');
  const urgent = await send('urgent at the dialog', { mode: 'urgent' });
  await eventually(async () => (await client.message(behind.id)).state === 'accepted', 'accepted');
  await sleep(1000);
  expect(stage.dialogOpen()).toBe(true);
  expect((await client.message(urgent.id)).state).toBe('pending');
  await stage.typist.press('Escape');
  for (const message of [behind, urgent]) await done(message);
  expect([countOf('behind the dialog'), countOf('urgent at the dialog')]).toEqual([1, 1]);
  expect(fs.existsSync(ran)).toBe(false);
});

test('a person interrupts with mail queued: Codex holds it, and it is let go on, once and in order', async (context) => {
  if (!stage) return context.skip(missing);
  await send('work [[hold two]]');
  await stateIs('busy');
  const queued = [await send('held 1'), await send('held 2')];
  await eventually(async () => (await client.message(queued[1]?.id ?? '')).state === 'accepted', 'accepted');
  await stage.typist.press('Escape');
  for (const message of queued) await done(message);
  expect(
    arrived()
      .slice(-2)
      .map((text) => text.split('\n').at(-1)),
  ).toEqual(['held 1', 'held 2']);
});

test('the daemon is killed with mail in the queue: received while nobody looked, and once', async (context) => {
  if (!stage) return context.skip(missing);
  await send('work [[hold three]]');
  await stateIs('busy');
  const queued = await send('through the crash');
  await eventually(async () => (await client.message(queued.id)).state === 'accepted', 'accepted');
  await stage.place.killDaemon();
  stage.model.release('three');
  await soon(() => countOf('through the crash') > 0, SHOWN_MS);
  await stage.place.startDaemon();
  expect(waysOf(await done(queued))).toEqual(['door']);
  expect(arrived().filter((text) => text.endsWith('through the crash'))).toHaveLength(1);
});

test('two that start at once in one folder are told apart, as recipients and as senders', async (context) => {
  if (!stage) return context.skip(missing);
  const { place } = stage;
  const start = async (name: string): Promise<Session> => {
    const words = ['new', '--json', '--name', name, '--cwd', place.cwd, '--env', 'STAND_IN_KEY=none'];
    const program = path.join(binFolder('codex'), 'codex');
    return JSON.parse(await place.sm([...words, '--socket', place.tmuxSocket, '--', program]));
  };
  const both = await Promise.all([start('bee'), start('cee')]);
  for (const { id, name, pane } of both) {
    await opened(id);
    const command = `${process.execPath} ${place.cli} send ${own.id} from-${name}`;
    await send(`[[run ${command}]] to ${name}`, {}, id);
    await eventually(async () => (await client.session(id)).status?.state === 'waiting', 'asks');
    const shown = (): string => place.tmux('capture-pane', '-p', '-t', pane);
    await eventually(() => stage?.agent.dialog(shown()), 'its question is on its own pane');
    place.tmux('send-keys', '-t', pane, 'y');
    await eventually(() => countOf(`from-${name}`) === 1, `from ${name}`);
    const told = arrived().find((text) => text.endsWith(`\nfrom-${name}`));
    expect(told).toContain(`[Input from: ${name} (${id}) via sm send]`);
  }
});

test('with an option that gives it a server of its own the door is shut, and says so', async (context) => {
  if (!stage) return context.skip(missing);
  const words = ['new', '--json', '--cwd', stage.place.cwd, '--env', 'STAND_IN_KEY=none'];
  const program = [path.join(binFolder('codex'), 'codex'), '-c', 'model_verbosity="low"'];
  const socket = ['--socket', stage.place.tmuxSocket];
  const { id } = JSON.parse(await stage.place.sm([...words, ...socket, '--', ...program]));
  await eventually(async () => (await client.session(id)).door?.state === 'shut', 'shut');
  expect((await client.session(id)).door?.reason).toContain('a server of its own');
});
