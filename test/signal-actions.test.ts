// What is done because of signals, with a real daemon that is killed between two of its steps: a note, a webhook, a command,
// mail; each once.
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Session } from '../src/api/types.js';
import { fakeAgent, program, until } from './support/tmux.js';
import { World } from './support/world.js';

const SECRET = '0123456789abcdef';

interface Asked {
  headers: http.IncomingHttpHeaders;
  body: string;
}

let folder: string;
let world: World;
let server: http.Server;
let port: number;
let asked: Asked[];
let status: number;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sma-'));
  [asked, status] = [[], 200];
  server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push({ headers: request.headers, body });
    response.writeHead(status).end();
  });
  await listen(0);
  port = (server.address() as AddressInfo).port;
  script('notify-send', `echo "$*" >>${folder}/notes`);
  script('act', `cat >>${folder}/acts; env | grep ^SM_SIGNAL_ | sort >${folder}/variables`);
  script('fail', 'echo "no such thing" >&2; exit 4');
  world = new World({ PATH: `${folder}:${process.env.PATH}` });
});
afterEach(async () => {
  await world.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  fs.rmSync(folder, { recursive: true, force: true });
});

const listen = (at: number): Promise<void> =>
  new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
const script = (name: string, lines: string): void =>
  fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
const lines = (name: string): string[] => {
  const file = path.join(folder, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
};
const session = async (name: string, parent?: Session): Promise<Session> =>
  world.client.start({
    name,
    socket: world.socket,
    cwd: world.folder,
    command: [process.execPath, fakeAgent('box')],
    env: { FAKE_LOG: path.join(world.folder, `${name}.jsonl`) },
    ...(parent && { from: { session: parent.id } }),
  });
const deliveries = (): string[] => asked.map(({ headers }) => String(headers['x-suremail-delivery']));
const states = async (one: Session): Promise<string[]> =>
  (await world.client.signals({ session: one.id })).map(({ state }) => state);

test('a note, a signed webhook, a command and mail to the parent, each once for a signal that is seen ten times', {
  timeout: 90_000,
}, async () => {
  world.configure(
    [
      'signal_actions:',
      `  - { desktop: true, webhook: { url: "http://127.0.0.1:${port}/hook", secret: ${SECRET} } }`,
      '  - { on: needs_input, session: "work*", command: [act, "$(id)"], mail: { to: parent } }',
    ].join('\n'),
  );
  await world.begin();
  const boss = await session('boss');
  const worker = await session('worker', boss);
  // Two viewers, of which one reloads.
  const viewers = [world.client.socketEvents(), world.client.socketEvents()];
  const seen = viewers.map((viewer) => viewer.next());
  for (let n = 0; n < 10; n++)
    await world.client.signal(worker.id, { state: 'needs_input', message: 'Which "port"?', id: 'q1' });
  for (const one of seen) expect((await one).done).toBe(false);
  await viewers[0]?.return(undefined);
  const again = world.client.socketEvents('nonsense');
  await again.next();
  // What asks for nothing.
  await world.client.signal(worker.id, { state: 'working' });
  await world.client.signal(boss.id, { state: 'completed', message: 'all done' });
  await until(
    () => lines('notes').length === 2 && asked.length === 2 && lines('acts').length === 1,
    'all of it',
  );
  const mail = await until(
    async () => (await world.client.messages({ session: boss.id })).find(({ from }) => from.name === 'sm'),
    'mail to the boss',
  );
  expect(mail.text).toMatch(/^worker \(session [0-9a-f]{8}\) reports needs_input: Which "port"\?\n/);
  expect(lines('notes')).toEqual([
    '--app-name=Suremail --urgency=critical -- Suremail needs_input from worker: Which "port"?',
    '--app-name=Suremail -- Suremail completed from boss: all done',
  ]);
  const [first] = asked as [Asked];
  expect(JSON.parse(first.body)).toMatchObject({
    type: 'signal',
    signal: {
      session: { id: worker.id, name: 'worker' },
      seq: 1,
      state: 'needs_input',
      message: 'Which "port"?',
      id: 'q1',
      door: 'http',
      urgency: 'high',
    },
  });
  expect(first.headers['x-suremail-signature']).toBe(
    `sha256=${createHmac('sha256', SECRET).update(first.body).digest('hex')}`,
  );
  expect(JSON.parse(lines('acts')[0] ?? '')).toEqual(JSON.parse(first.body).signal);
  expect(lines('variables')).toEqual(
    expect.arrayContaining(['SM_SIGNAL_MESSAGE=Which "port"?', 'SM_SIGNAL_NAME=worker', 'SM_SIGNAL_SEQ=1']),
  );
  expect(
    (await world.client.messages({ session: boss.id })).filter(({ from }) => from.name === 'sm'),
  ).toHaveLength(1);
  for (const viewer of [...viewers, again]) await viewer.return(undefined);
});

test('a marker that is drawn ten times, with a viewer that reloads and a second one: one notification', {
  timeout: 90_000,
}, async () => {
  world.configure('signal_actions: [{ desktop: true }]');
  await world.begin();
  const socket = path.join(world.folder, 'printer.sock');
  const { id } = await world.client.start({
    name: 'printer',
    socket: world.socket,
    cwd: world.folder,
    command: [process.execPath, program('printer.mjs'), socket],
    width: 80,
    height: 20,
  });
  const print = (text: string): Promise<boolean> =>
    new Promise((resolve) => {
      const peer = net.connect(socket, () => peer.end(text));
      peer
        .on('error', () => resolve(false))
        .on('close', (failed) => resolve(!failed))
        .resume();
    });
  await until(() => print(''), 'the printer to listen');
  const draw = (...rows: string[]): string =>
    `\x1b[H\x1b[2J${['● I have changed the file.', ...rows].join('\r\n')}\r\n❯ `;
  const asks = '--<[sm:needs_input:Which port?]>--';
  // As most agents do.
  await print('\x1b[?1049h');
  const url = (await world.client.status()).url.replace('http', 'ws');
  const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
  const view = (): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const viewer = new WebSocket(`${url}/api/v1/ws`, { headers: { authorization: `Bearer ${token}` } });
      viewer.once('open', () => resolve(viewer)).once('error', reject);
    });
  let viewer = await view();
  const second = await view();
  for (let n = 0; n < 10; n++) {
    await print(draw(asks, `tick ${n}`));
    viewer.terminate();
    viewer = await view();
  }
  // What comes before the last one has been seen by then.
  await print(draw(asks, '● And now:', '--<[sm:completed:done]>--'));
  await until(
    () => lines('notes').some((line) => line.endsWith('completed from printer: done')),
    'the last note',
  );
  expect(lines('notes').map((line) => line.replace(/.*Suremail /, ''))).toEqual([
    'needs_input from printer: Which port?',
    'completed from printer: done',
  ]);
  expect((await world.client.signals({ session: id })).map(({ seq, door }) => `${seq} ${door}`)).toEqual([
    '1 marker',
    '2 marker',
  ]);
  for (const one of [viewer, second]) one.terminate();
});

test('a daemon that dies right after a signal is on disk leaves what follows to the next one', {
  timeout: 90_000,
}, async () => {
  world.configure(
    `signal_actions: [{ webhook: { url: "http://127.0.0.1:${port}/" }, command: act, mail: { to: boss } }]`,
  );
  await world.begin();
  const boss = await session('boss');
  const worker = await session('worker');
  await world.kill9();
  await world.startDaemon({ SM_FAULT_AT: 'signal:written' });
  await expect(world.client.signal(worker.id, { state: 'error', id: 'e1' })).rejects.toThrow();
  await world.ended();
  expect([asked.length, lines('acts').length]).toEqual([0, 0]);
  await world.startDaemon();
  // The agent that had no answer says it again.
  await world.client.signal(worker.id, { state: 'error', id: 'e1' });
  const mails = async (): Promise<number> =>
    (await world.client.messages({ session: boss.id })).filter(({ from }) => from.name === 'sm').length;
  await until(
    async () => asked.length === 1 && lines('acts').length === 1 && (await mails()) === 1,
    'all of it',
  );
  // And nothing again by yet another one.
  await world.kill9();
  await world.startDaemon();
  await world.client.signal(worker.id, { state: 'completed', id: 'c1' });
  await until(
    async () => asked.length === 2 && lines('acts').length === 2 && (await mails()) === 2,
    'the next',
  );
  expect(await states(worker)).toEqual(['error', 'completed']);
  expect(new Set(deliveries()).size).toBe(2);
});

test('a command that ran when the daemon was killed is not run again, and the doctor says that nobody knows', {
  timeout: 90_000,
}, async () => {
  script('slow', `echo $$ >>${folder}/slow.log; exec sleep 600`);
  world.configure('signal_actions: [{ on: error, command: slow, timeout: 1h }]');
  await world.begin();
  const worker = await session('worker');
  await world.client.signal(worker.id, { state: 'error' });
  await until(() => lines('slow.log').length === 1, 'it to run');
  await world.kill9();
  await world.startDaemon();
  const { findings } = await world.client.doctor();
  expect(findings.filter(({ about }) => about === 'signals')).toMatchObject([
    {
      level: 'problem',
      message:
        'the command slow: it is not known whether it was done for a signal of the last day; the last time: the daemon ended while it ran',
    },
  ]);
  // The next one is begun, so the first was not.
  await world.client.signal(worker.id, { state: 'error', message: 'another' });
  await until(() => lines('slow.log').length === 2, 'the next');
  for (const pid of lines('slow.log')) process.kill(Number(pid));
});

test('a webhook that is down gets it when it is back, also from the next daemon; the doctor says so meanwhile', {
  timeout: 90_000,
}, async () => {
  world.configure(`signal_actions: [{ webhook: { url: "http://127.0.0.1:${port}/hook/secret" } }]`);
  status = 503;
  await world.begin();
  const worker = await session('worker');
  await world.client.signal(worker.id, { state: 'error' });
  await until(() => asked.length >= 2, 'two tries');
  const ofSignals = async (): Promise<string[]> =>
    (await world.client.doctor()).findings.flatMap(({ about, level, message }) =>
      about === 'signals' ? [`${level}: ${message}`] : [],
    );
  await until(async () => (await ofSignals()).length === 1, 'a finding');
  const [finding] = await ofSignals();
  expect(finding).toMatch(
    /^note: the webhook http:\/\/127\.0\.0\.1:\d+: not taken yet, tried \d+ times \(it answered 503\)/,
  );
  await world.kill9();
  status = 200;
  const before = asked.length;
  await world.startDaemon();
  await until(() => asked.length > before, 'it to be taken');
  await until(async () => (await ofSignals()).length === 0, 'nothing to be wrong');
  expect(new Set(deliveries()).size).toBe(1);
  expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
  expect(fs.readFileSync(path.join(world.home, 'daemon.log'), 'utf8')).not.toContain('hook/secret');
});

test('a command that fails is not run again, and the doctor says why; a changed configuration counts at once', {
  timeout: 90_000,
}, async () => {
  world.configure('signal_actions: [{ on: error, command: [fail] }]');
  await world.begin();
  const worker = await session('worker');
  await world.client.signal(worker.id, { state: 'error' });
  const problems = async (): Promise<string[]> =>
    (await world.client.doctor()).findings.flatMap(({ about, level, message }) =>
      about === 'signals' && level === 'problem' ? [message] : [],
    );
  await until(async () => (await problems()).length === 1, 'the doctor to say it');
  expect((await problems())[0]).toBe(
    'the command fail: it failed for a signal of the last day; the last time: it ended with 4: no such thing',
  );
  world.configure('signal_actions: [{ on: error, command: [act] }]');
  await until(
    async () =>
      (await world.client.config()).values.some(
        ({ key, value }) => key === 'signal_actions' && JSON.stringify(value).includes('act'),
      ),
    'the configuration to be read',
  );
  await world.client.signal(worker.id, { state: 'error', message: 'again' });
  await until(() => lines('acts').length === 1, 'the other command');
  expect(JSON.parse(lines('acts')[0] ?? '')).toMatchObject({ seq: 2 });
});
