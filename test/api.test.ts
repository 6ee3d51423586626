// The daemon lets in only its owner, and says of everything it refuses what would have been right.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../src/api/client.js';
import { locateHome, shortFolder } from '../src/api/locate.js';
import * as routes from '../src/api/routes.js';
import * as short from '../src/api/short-routes.js';
import type { FeedEvent } from '../src/api/types.js';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
let url: URL;
let token: string;
let agent: TestAgent;
beforeAll(async () => {
  world = await World.start();
  url = new URL((await world.client.status()).url);
  token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
  agent = await world.agent('box', [], { name: 'agent' });
});
afterAll(() => world.dispose());

interface Answer {
  status: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer may be anything; the tests say what it must be.
  body: any;
}

// A request as anything on this machine could make it; the right token unless told otherwise.
function request(
  method: string,
  where: string,
  { headers = {}, body }: { headers?: http.OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const used = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const sent = http.request(
      { hostname: url.hostname, port: url.port, method, path: where, headers: used, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const type = response.headers['content-type'] ?? '';
          const isJson = type.startsWith('application/json');
          resolve({ status: response.statusCode ?? 0, type, body: isJson ? JSON.parse(text) : text });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
const post = (where: string, body: unknown): Promise<Answer> =>
  request('POST', `/api/v1${where}`, { body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('over TCP', () => {
  const status = (headers: http.OutgoingHttpHeaders): Promise<Answer> =>
    request('GET', '/api/v1/status', { headers });

  test('the right token is let in, from a program and from a page of its own', async () => {
    expect((await status({})).status).toBe(200);
    expect((await status({ host: `localhost:${url.port}` })).status).toBe(200);
    expect((await status({ origin: `http://127.0.0.1:${url.port}` })).status).toBe(200);
  });

  test.each<[string, () => http.OutgoingHttpHeaders, number, string]>([
    ['no token', () => ({ authorization: undefined }), 401, 'unauthorized'],
    ['a wrong token', () => ({ authorization: `Bearer ${'0'.repeat(64)}` }), 401, 'unauthorized'],
    ['a part of the token', () => ({ authorization: `Bearer ${token.slice(0, -1)}` }), 401, 'unauthorized'],
    ['the token under another scheme', () => ({ authorization: `Basic ${token}` }), 401, 'unauthorized'],
    ['a foreign Host', () => ({ host: 'evil.example' }), 403, 'foreign_host'],
    ['the right Host with another port', () => ({ host: '127.0.0.1:1' }), 403, 'foreign_host'],
    ['a foreign Origin', () => ({ origin: 'http://evil.example' }), 403, 'foreign_origin'],
    ['an Origin without a name', () => ({ origin: 'null' }), 403, 'foreign_origin'],
    ['another port as Origin', () => ({ origin: 'http://127.0.0.1:1' }), 403, 'foreign_origin'],
  ])('%s is refused', async (_, headers, code, word) => {
    const answer = await status(headers());
    expect(answer.status).toBe(code);
    expect(answer.type).toContain('application/json');
    expect(answer.body.error.code).toBe(word);
    expect(answer.body.error.message).not.toBe('');
    expect(JSON.stringify(answer.body)).not.toContain(token);
  });

  test('nothing at all is told without the token, not even which endpoints there are', async () => {
    for (const where of ['/api/v1/openapi.json', '/api/v1/nonsense', '/api/v1/events'])
      expect([
        where,
        (await request('GET', where, { headers: { authorization: undefined } })).status,
      ]).toEqual([where, 401]);
  });

  test('no other page is allowed to read an answer', async () => {
    const answer = await fetch(new URL('/api/v1/status', url), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('the typed client works there as on the socket', async () => {
    const client = new Client({ url: url.origin, token });
    expect((await client.status()).pid).toBe(world.pid);
    await expect(new Client({ url: url.origin, token: 'x' }).status()).rejects.toMatchObject({ status: 401 });
  });
});

test('a page cannot use the socket either', async () => {
  const { socket } = locateHome(world.env);
  const code = await new Promise((resolve, reject) =>
    http
      .get({ socketPath: socket, path: '/api/v1/status', headers: { origin: 'http://x' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject),
  );
  expect(code).toBe(403);
});

test('whatever the daemon keeps is private to its owner', async () => {
  await world.submitted(await world.send(agent, 'so that there is something in the log of the database'));
  const home = locateHome(world.env);
  const modes = (files: string[]): string[] =>
    files.map((file) => `${path.basename(file)} ${(fs.statSync(file).mode & 0o777).toString(8)}`);
  expect(modes([home.folder, home.bin])).toEqual(['home 700', 'bin 700']);
  const files = [home.token, home.socket, home.database, `${home.database}-wal`, home.log, home.info];
  expect(modes(files)).toEqual(files.map((file) => `${path.basename(file)} 600`));
  const tooOpen = fs
    .readdirSync(home.folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(home.folder, name)).mode & 0o077);
  expect(tooOpen).toEqual([]);
});

test('a home that was too open is closed again', async () => {
  const own = new World();
  fs.mkdirSync(own.home, { mode: 0o755 });
  fs.writeFileSync(path.join(own.home, 'token'), 'a'.repeat(64), { mode: 0o644 });
  try {
    await own.startDaemon();
    expect(fs.statSync(own.home).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(own.home, 'token')).mode & 0o777).toBe(0o600);
  } finally {
    await own.dispose();
  }
});

describe('what is wrong with a request is answered as JSON', () => {
  const messages = async (): Promise<string[]> =>
    (await world.client.messages({ limit: 1000 })).map(({ id }) => id);
  const send = (more: object): [string, string, unknown] => [
    'POST',
    '/messages',
    { to: ['agent'], text: 'x', ...more },
  ];
  const start = (more: object): [string, string, unknown] => [
    'POST',
    '/sessions',
    { command: ['cat'], socket: world.socket, ...more },
  ];

  // Input: the field, its value and what would be right; `value` is matched where it is given.
  test.each<[string, () => [string, string, unknown], number, string, { field: string; value?: unknown }]>([
    ['an empty list of recipients', () => send({ to: [] }), 400, 'invalid_input', { field: 'to', value: [] }],
    ['an empty recipient', () => send({ to: [''] }), 400, 'invalid_input', { field: 'to.0', value: '' }],
    ['no recipient', () => send({ to: undefined }), 400, 'invalid_input', { field: 'to' }],
    ['an empty text', () => send({ text: '' }), 400, 'invalid_input', { field: 'text', value: '' }],
    ['a text that is none', () => send({ text: 7 }), 400, 'invalid_input', { field: 'text', value: 7 }],
    ['a text over 1 MiB', () => send({ text: 'é'.repeat(524_289) }), 400, 'invalid_input', { field: 'text' }],
    ['an unknown field', () => send({ txet: 'y' }), 400, 'invalid_input', { field: 'txet', value: 'y' }],
    [
      'a sender with brackets',
      () => send({ from: { name: 'a (b)' } }),
      400,
      'invalid_input',
      { field: 'from.name', value: 'a (b)' },
    ],
    [
      'a receipt that there is not',
      () => send({ wait_for: 'read' }),
      400,
      'invalid_input',
      { field: 'wait_for', value: 'read' },
    ],
    [
      'a receipt that cannot be proved',
      () => send({ wait_for: 'received' }),
      409,
      'cannot_prove',
      { field: 'wait_for', value: 'received' },
    ],
    [
      'an unknown session',
      () => send({ to: ['nobody'] }),
      404,
      'not_found',
      { field: 'session', value: 'nobody' },
    ],
    [
      'an unknown session in a path',
      () => ['GET', '/sessions/nobody', undefined],
      404,
      'not_found',
      { field: 'session', value: 'nobody' },
    ],
    [
      'an unknown message',
      () => ['GET', '/messages/ffffffffffff', undefined],
      404,
      'not_found',
      { field: 'message', value: 'ffffffffffff' },
    ],
    [
      'a name that is taken',
      () => start({ name: 'agent' }),
      409,
      'name_taken',
      { field: 'name', value: 'agent' },
    ],
    [
      'renaming to a name that is taken',
      () => ['PATCH', '/sessions/agent-2', { name: 'agent' }],
      409,
      'name_taken',
      { field: 'name', value: 'agent' },
    ],
    [
      'a name with a blank',
      () => start({ name: 'a b' }),
      400,
      'invalid_input',
      { field: 'name', value: 'a b' },
    ],
    [
      'a name that looks like an id',
      () => start({ name: '0123abcd' }),
      400,
      'invalid_input',
      { field: 'name', value: '0123abcd' },
    ],
    [
      'a name that is too long',
      () => start({ name: 'x'.repeat(65) }),
      400,
      'invalid_input',
      { field: 'name' },
    ],
    ['an unknown agent', () => start({ agent: 'hal' }), 400, 'invalid', { field: 'agent', value: 'hal' }],
    [
      'a command that is not found',
      () => start({ command: ['no-such-program'] }),
      400,
      'invalid',
      { field: 'command', value: 'no-such-program' },
    ],
    [
      'a command that may not be run',
      () => start({ command: ['/etc/passwd'] }),
      400,
      'invalid',
      { field: 'command', value: '/etc/passwd' },
    ],
    ['no command', () => start({ command: [] }), 400, 'invalid_input', { field: 'command', value: [] }],
    [
      'a folder that does not exist',
      () => start({ cwd: '/no/such' }),
      400,
      'invalid',
      { field: 'cwd', value: '/no/such' },
    ],
    [
      'a folder that is a file',
      () => start({ cwd: '/etc/passwd' }),
      400,
      'invalid',
      { field: 'cwd', value: '/etc/passwd' },
    ],
    ['a size that cannot be', () => start({ width: 1 }), 400, 'invalid_input', { field: 'width', value: 1 }],
    [
      'a pane that does not exist',
      () => ['POST', '/sessions/adopt', { target: '%9999', socket: world.socket }],
      400,
      'invalid',
      { field: 'target', value: '%9999' },
    ],
    [
      'a limit that is none',
      () => ['GET', '/messages?limit=many', undefined],
      400,
      'invalid_input',
      { field: 'limit', value: 'many' },
    ],
    ['nothing to change', () => ['PATCH', '/sessions/agent', {}], 400, 'invalid_input', { field: 'body' }],
  ])('%s', async (_, make, status, code, input) => {
    const before = await messages();
    const [method, where, body] = make();
    const answer = await request(
      method,
      `/api/v1${where}`,
      body === undefined ? {} : { body: JSON.stringify(body) },
    );
    expect(answer.type).toContain('application/json');
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect(answer.body.error).toMatchObject({
      message: expect.stringMatching(/./),
      expected: expect.stringMatching(/./),
      ...input,
    });
    // What was sent is not sent back as a whole.
    expect(JSON.stringify(answer.body).length).toBeLessThan(2000);
    expect(await messages()).toEqual(before);
  });

  beforeAll(async () => {
    await world.agent('box', [], { name: 'agent-2' });
  });

  test.each<[string, () => Promise<Answer>, number]>([
    ['JSON that is none', () => post('/messages', '{"to": ["agent"], "text": '), 400],
    ['JSON that is no object', () => post('/messages', '[]'), 400],
  ])('%s names the body and what it should be', async (_, make, status) => {
    const answer = await make();
    expect(answer.type).toContain('application/json');
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({
      code: expect.stringMatching(/./),
      message: expect.stringMatching(/./),
      field: 'body',
      expected: expect.stringMatching(/./),
    });
  });

  test.each<[string, () => Promise<Answer>, number]>([
    ['an unknown endpoint', () => request('GET', '/api/v1/nonsense'), 404],
    ['an unknown endpoint outside of the API', () => request('GET', '/'), 404],
    ['an unknown method', () => request('PUT', '/api/v1/sessions', { body: '{}' }), 404],
    ['a path that cannot be decoded', () => request('GET', '/api/v1/sessions/%ZZ'), 404],
    ['no body at all', () => request('POST', '/api/v1/messages'), 400],
    [
      'a body that does not say it is JSON',
      () =>
        request('POST', '/api/v1/messages', {
          headers: { 'content-type': 'text/plain' },
          body: '{"to":["agent"],"text":"x"}',
        }),
      415,
    ],
    // Told by its length alone: nothing of it need be sent.
    [
      'a body over 8 MiB',
      () => request('POST', '/api/v1/messages', { headers: { 'content-length': 9 * 1024 * 1024 } }),
      413,
    ],
  ])('%s', async (_, make, status) => {
    const answer = await make();
    expect([answer.status, answer.type.split(';')[0]]).toEqual([status, 'application/json']);
    expect(answer.body.error).toMatchObject({
      code: expect.stringMatching(/./),
      message: expect.stringMatching(/./),
    });
  });

  test('a text of exactly 1 MiB is taken', async () => {
    const answer = await post('/messages', { to: ['agent'], text: 'x'.repeat(1024 * 1024), dry_run: true });
    expect(answer.status).toBe(202);
  });

  test('nothing is stored for anyone when one of several recipients does not exist', async () => {
    const before = await messages();
    const answer = await post('/messages', { to: ['agent', 'nobody', 'agent-2'], text: 'all or none' });
    expect([answer.status, answer.body.error.value]).toEqual([404, 'nobody']);
    expect(await messages()).toEqual(before);
  });

  test('a recipient named twice gets a message once', async () => {
    const answer = await post('/messages', { to: ['agent', agent.session.id], text: 'once' });
    expect(answer.body.messages).toHaveLength(1);
  });
});

test('the OpenAPI document lists every endpoint with what it takes and what it answers', async () => {
  const { status, body: document } = await request('GET', '/api/v1/openapi.json');
  expect(status).toBe(200);
  expect(document.openapi).toMatch(/^3\.1/);
  const all = [
    ...Object.values(routes).flatMap((route) =>
      typeof route === 'object' ? [{ where: `/api/v1${route.path}`, route }] : [],
    ),
    ...Object.values(short).flatMap((route) =>
      typeof route === 'object' ? [{ where: route.path, route }] : [],
    ),
  ];
  const listed = Object.entries(document.paths as Record<string, object>).flatMap(([where, methods]) =>
    Object.keys(methods).map((method) => `${method} ${where}`),
  );
  expect(listed.sort()).toEqual(all.map(({ where, route }) => `${route.method} ${where}`).sort());
  const { valid, errors } = await new Validator().validate(document);
  expect([errors ?? [], valid]).toEqual([[], true]);
  for (const { where, route } of all) {
    const described = document.paths[where][route.method];
    expect(described.summary).toMatch(/./);
    for (const [code, response] of Object.entries(described.responses as Record<string, { content: object }>))
      for (const [type, { schema }] of Object.entries(response.content ?? {}) as [
        string,
        { schema?: object },
      ][])
        expect([route.path, code, type, Object.keys(schema ?? {}).length > 0]).toEqual([
          route.path,
          code,
          type,
          true,
        ]);
    const taken =
      'request' in route ? (route.request as { body?: object; query?: object; params?: object }) : {};
    if (taken.body) expect(described.requestBody.content['application/json'].schema).toBeTruthy();
    const places = ((described.parameters ?? []) as { in: string }[]).map(({ in: place }) => place);
    expect(places.includes('query')).toBe(taken.query !== undefined);
    expect(places.includes('path')).toBe(taken.params !== undefined);
  }
  // Every schema that is referred to is there.
  const referred = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name]) => name,
  );
  expect(referred.length).toBeGreaterThan(0);
  for (const name of referred) expect(Object.keys(document.components.schemas)).toContain(name);
});

describe('the stream of events', () => {
  interface Numbered {
    id: string;
    event: FeedEvent;
  }

  // Collects events until told to stop; connected when this resolves.
  async function listen(lastId?: string): Promise<{ seen: Numbered[]; stop(): void }> {
    const seen: Numbered[] = [];
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .get(
          {
            hostname: url.hostname,
            port: url.port,
            path: '/api/v1/events',
            headers: { authorization: `Bearer ${token}`, ...(lastId ? { 'last-event-id': lastId } : {}) },
            agent: false,
          },
          resolve,
        )
        .on('error', reject);
    });
    expect(response.headers['content-type']).toContain('text/event-stream');
    response.setEncoding('utf8');
    let rest = '';
    let connected = false;
    response.on('error', () => {});
    response.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const text of parts) {
        if (text.startsWith(':')) connected = true;
        const id = /^id: ?(.*)$/m.exec(text)?.[1];
        const data = /^data: ?(.*)$/m.exec(text)?.[1];
        if (id && data) seen.push({ id, event: JSON.parse(data) as FeedEvent });
      }
    });
    await until(() => connected, 'the stream');
    return { seen, stop: () => response.destroy() };
  }
  const isSubmitted = ({ event }: Numbered, id: string): boolean =>
    event.type === 'message' && event.message.id === id && event.event.kind === 'submitted';

  test('tells of a session, then of a message to it, then of each step up to its receipt', async () => {
    const stream = await listen();
    const one = await world.agent('box', [], { name: 'watched' });
    const message = await world.send(one, 'hello');
    await until(() => stream.seen.some((each) => isSubmitted(each, message.id)), 'the receipt');
    const sessions = stream.seen.findIndex(
      ({ event }) => event.type === 'session' && event.session.name === 'watched',
    );
    const steps = stream.seen.flatMap(({ event }, index) =>
      event.type === 'message' && event.message.id === message.id ? [{ index, ...event }] : [],
    );
    expect(sessions).toBeGreaterThanOrEqual(0);
    expect(sessions).toBeLessThan(steps[0]?.index ?? -1);
    expect(steps.map(({ event }) => event.kind).filter((kind) => kind !== 'held')).toEqual([
      'queued',
      'attempt',
      'typed',
      'submitted',
    ]);
    const stored = await world.client.message(message.id);
    expect(steps.map(({ event }) => event)).toEqual(stored.events);
    expect(steps.at(-1)?.message).toMatchObject({ receipt: 'submitted', state: 'settled' });
    await world.client.update('watched', { name: 'watched-2', paused: true });
    await world.client.kill('watched-2');
    const end = await until(
      () => stream.seen.find(({ event }) => event.type === 'session-removed')?.event,
      'the end',
    );
    expect(end).toMatchObject({ id: one.session.id, name: 'watched-2' });
    stream.stop();
  });

  test('goes on where a client was cut off, without a gap and without a repeat', async () => {
    const whole = await listen();
    const parts: Numbered[] = [];
    let last: string | undefined;
    for (let round = 0; round < 4; round++) {
      const stream = await listen(last);
      const during = await world.send(agent, `while connected ${round}`);
      await until(() => stream.seen.some((each) => isSubmitted(each, during.id)), 'the receipt');
      stream.stop();
      parts.push(...stream.seen);
      last = parts.at(-1)?.id;
      await world.submitted(await world.send(agent, `while away ${round}`));
    }
    const final = await listen(last);
    const end = await world.send(agent, 'the last');
    await until(() => final.seen.some((each) => isSubmitted(each, end.id)), 'the last receipt');
    await until(() => whole.seen.some((each) => isSubmitted(each, end.id)), 'the last receipt');
    parts.push(...final.seen);
    const ids = (events: Numbered[]): string[] => events.map(({ id }) => id);
    const from = whole.seen.findIndex(({ id }) => id === parts[0]?.id);
    const to = whole.seen.findIndex((each) => isSubmitted(each, end.id));
    const partsTo = parts.findIndex((each) => isSubmitted(each, end.id));
    expect(ids(parts).slice(0, partsTo + 1)).toEqual(ids(whole.seen).slice(from, to + 1));
    whole.stop();
    final.stop();
  });

  test('tells that messages were cancelled when their session is removed', async () => {
    const one = await world.agent('box', [], { name: 'doomed' });
    await world.client.update('doomed', { paused: true });
    const message = await world.send(one, 'never');
    await world.held(message, 'paused');
    const stream = await listen();
    await world.client.kill('doomed');
    await until(() => stream.seen.some(({ event }) => event.type === 'session-removed'), 'the removal');
    const kinds = stream.seen.flatMap(({ event }) =>
      event.type === 'message' && event.message.id === message.id ? [event.event.kind] : [],
    );
    stream.stop();
    expect(kinds).toEqual(['cancelled']);
  });
});

test('waiting for a receipt is not cut short when some other session is removed', async () => {
  const held = await world.agent('box', [], { name: 'held-back' });
  await world.agent('box', [], { name: 'bystander' });
  await world.client.update('held-back', { paused: true });
  const message = await world.send(held, 'later');
  const waiting = world.client.wait(message.id, { for: 'submitted', timeout: 30 });
  // The wait has begun once the daemon has answered something that was asked after it.
  await world.client.status();
  await world.client.kill('bystander');
  await world.client.update('held-back', { paused: false });
  expect((await waiting).receipt).toBe('submitted');
});

test('a home whose path is too long for a socket works, with its socket in a private folder', async () => {
  const own = new World({ SM_HOME: path.join(world.folder, 'long'.repeat(30), 'home') });
  try {
    own.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keep', 'cat');
    await own.startDaemon();
    const { socket } = await own.client.status();
    expect(path.dirname(socket)).toBe(shortFolder());
    expect(Buffer.byteLength(socket)).toBeLessThan(104);
    expect(fs.statSync(shortFolder()).mode & 0o777).toBe(0o700);
    expect(fs.statSync(socket).mode & 0o777).toBe(0o600);
    const one = await own.agent('box');
    const message = await own.send(one, 'hello');
    expect((await own.submitted(message)).receipt).toBe('submitted');
    const told = await own.sm(['status', '--json']);
    expect(JSON.parse(told.stdout)).toMatchObject({ running: true, pid: own.pid });
    await own.client.stop();
    await until(() => !fs.existsSync(socket), 'the socket to be removed');
  } finally {
    await own.dispose();
  }
});

test('a home whose path is too long is found by clients whose folder for temporary files is another', async () => {
  // As in a pane of an older tmux server, or in a cron job.
  const own = new World({ SM_HOME: path.join(world.folder, 'long'.repeat(30), 'home') });
  try {
    await own.startDaemon();
    const { stdout } = await own.sm(['status', '--json'], { env: { TMPDIR: own.folder } });
    expect(JSON.parse(stdout)).toMatchObject({ running: true, pid: own.pid });
  } finally {
    await own.client.stop();
    await own.dispose();
  }
});
