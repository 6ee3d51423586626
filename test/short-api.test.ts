// The short endpoints over HTTP, as a script uses them: what they take, what they answer, and when they say "delivered".
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

let world: World;
let url: string;
let token: string;
beforeAll(async () => {
  world = await World.start();
  ({ url } = await world.client.status());
  token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
});
afterAll(() => world.dispose());

interface Answer {
  status: number;
  message: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: an answer may be anything; the tests say what it must be.
  body: any;
}

async function http(method: 'GET' | 'POST', where: string, body?: object, more = {}): Promise<Answer> {
  const response = await fetch(new URL(where, url), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    message: response.headers.get('suremail-message'),
    body: await response.json(),
  };
}
const send = (to: string, body: object, more = {}): Promise<Answer> =>
  http('POST', `/sessions/${to}/send`, body, more);
const queue = (of: string): Promise<Answer> => http('GET', `/sessions/${of}/send-queue`);

// With a door, hooks and a registry: it is known to be idle or busy.
async function woken(name: string, busy: number): Promise<TestAgent> {
  const agent = await world.agent('woken/cli', ['--busy', String(busy)], {
    name,
    agent: 'claude',
    env: { CLAUDE_CONFIG_DIR: fs.mkdtempSync(path.join(world.folder, 'config-')) },
  });
  const session = () => world.client.session(name);
  await until(async () => (await session()).door?.state === 'open', 'its door to open');
  await until(async () => (await session()).status.state === 'idle', 'it to be idle');
  return agent;
}

async function paused(name: string): Promise<TestAgent> {
  const agent = await world.agent('box', [], { name });
  await world.client.update(name, { paused: true });
  return agent;
}

describe('who may', () => {
  test.each<['GET' | 'POST', string]>([
    ['POST', '/sessions/x/send'],
    ['GET', '/sessions/x/send-queue'],
    ['POST', '/scheduler/remind'],
  ])('%s %s: with the token, from this machine, and no page', async (method, where) => {
    const body = method === 'POST' ? {} : undefined;
    const refused = async (headers: object): Promise<unknown[]> => {
      const answer = await http(method, where, body, headers);
      return [answer.status, answer.body.error.code];
    };
    expect(await refused({ authorization: '' })).toEqual([401, 'unauthorized']);
    expect(await refused({ origin: 'http://evil.example' })).toEqual([403, 'foreign_origin']);
  });
});

describe('send', () => {
  test('to an idle program: queued, with its place, and nothing in its way; then it is there', async () => {
    const agent = await world.agent('box', [], { name: 'plain' });
    await world.submitted(await world.send(agent, 'first, so that it has started'));
    const answer = await send('plain', { text: 'hello' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'queued',
      queue_position: 1,
      delivery_mode: 'sequential',
      estimated_delivery: 'immediate',
    });
    await world.client.wait(answer.message ?? '', { for: 'submitted', timeout: 20 });
    expect(agent.submissions().at(-1)).toContain(`#${answer.message}\nhello`);
  });

  test('to a busy agent: it waits for idle, and so does the second one behind it', async () => {
    const agent = await woken('worker', 60_000);
    await send('worker', { text: 'work', sender_session_id: agent.session.id });
    await until(async () => (await world.client.session('worker')).status.state === 'busy', 'it to be busy');
    const sender_session_id = agent.session.id;
    const first = await send('worker', { text: 'one', sender_session_id });
    await until(
      async () => (await world.client.message(first.message ?? '')).held === 'agent_busy',
      'the first to be held',
    );
    const second = await send('worker', { text: 'two', sender_session_id, delivery_mode: 'sequential' });
    expect(first.body).toMatchObject({ queue_position: 1, estimated_delivery: 'waiting_for_idle' });
    expect(second.body).toEqual({
      status: 'queued',
      queue_position: 2,
      delivery_mode: 'sequential',
      estimated_delivery: 'waiting_for_idle',
    });
    expect((await queue('worker')).body).toMatchObject({ is_idle: false, pending_count: 2 });
  });

  test('all of its fields are taken, and those that are null count as not given', async () => {
    const to = await paused('all-fields');
    const sender = await world.agent('box', [], { name: 'architect' });
    const answer = await send(to.session.id, {
      text: 'message content',
      sender_session_id: sender.session.id,
      delivery_mode: 'important',
      timeout_seconds: 300,
      notify_on_delivery: true,
      notify_after_seconds: 300,
    });
    expect(answer.body).toMatchObject({ delivery_mode: 'important', estimated_delivery: 'paused' });
    const row = stored(answer.message);
    expect(row).toMatchObject({
      sender_session_id: sender.session.id,
      sender_name: 'architect',
      delivery_mode: 'important',
      notify_on_delivery: 1,
      notify_after_seconds: 300,
    });
    expect(Date.parse(String(row?.timeout_at)) - Date.parse(String(row?.queued_at))).toBe(300_000);
    const bare = await send('all-fields', {
      text: 'x',
      sender_session_id: null,
      delivery_mode: null,
      timeout_seconds: null,
      notify_on_delivery: null,
      notify_after_seconds: null,
    });
    expect(stored(bare.message)).toMatchObject({
      sender_session_id: null,
      sender_name: 'user',
      delivery_mode: 'sequential',
      timeout_at: null,
      notify_on_delivery: 0,
      notify_after_seconds: null,
    });
  });

  const stored = (id: string | null): Record<string, unknown> | undefined => {
    const database = new Database(path.join(world.home, 'suremail.db'), { readonly: true });
    try {
      return database.prepare('SELECT * FROM message_queue WHERE id = ?').get(id) as Record<string, unknown>;
    } finally {
      database.close();
    }
  };

  test.each<[string, string, object, number, object]>([
    [
      'no time at all',
      'plain',
      { text: 'x', timeout_seconds: 0 },
      400,
      { field: 'timeout_seconds', value: 0 },
    ],
    ['a time before now', 'plain', { text: 'x', timeout_seconds: -1 }, 400, { field: 'timeout_seconds' }],
    ['no text', 'plain', {}, 400, { field: 'text' }],
    [
      'an unknown mode',
      'plain',
      { text: 'x', delivery_mode: 'soon' },
      400,
      { field: 'delivery_mode', value: 'soon' },
    ],
    ['an unknown field', 'plain', { text: 'x', loud: true }, 400, { field: 'loud' }],
    ['an unknown session', 'nobody', { text: 'x' }, 404, { field: 'session_id', value: 'nobody' }],
    [
      'an unknown sender',
      'plain',
      { text: 'x', sender_session_id: 'abc123' },
      404,
      { field: 'sender_session_id', value: 'abc123' },
    ],
  ])('%s is refused, with the field, and nothing is stored', async (_, to, body, status, error) => {
    const count = async (): Promise<number> => (await world.client.messages({ limit: 1000 })).length;
    const before = await count();
    const answer = await send(to, body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.objectContaining(error)]);
    expect(answer.body.error.expected).toMatch(/./);
    expect(await count()).toBe(before);
  });

  test('to a shell it is refused in the words of this endpoint', async () => {
    const { name } = await world.client.start({ command: ['sh'], name: 'a-shell', socket: world.socket });
    const { status, body } = await send(name, { text: 'x' });
    expect([status, body.error]).toEqual([
      409,
      expect.objectContaining({ code: 'shell', field: 'session_id', expected: 'a session with an agent' }),
    ]);
  });

  test('sent twice with the same key it is one message', async () => {
    await paused('keyed');
    const key = { 'idempotency-key': 'k1' };
    const first = await send('keyed', { text: 'once' }, key);
    const again = await send('keyed', { text: 'once' }, key);
    expect(again.message).toBe(first.message);
    expect(again.body).toEqual(first.body);
    expect((await send('keyed', { text: 'other' }, key)).body.error).toMatchObject({ code: 'key_reused' });
  });
});

describe('urgent', () => {
  test('to an idle agent: delivered, with proof, and nothing was interrupted', async () => {
    const agent = await world.agent('box', [], { name: 'calm' });
    await world.submitted(await world.send(agent, 'first, so that it has started'));
    const answer = await send('calm', { text: 'now', delivery_mode: 'urgent' });
    expect(answer.body).toEqual({ status: 'delivered', delivery_mode: 'urgent', interrupted: false });
    expect(agent.submissions().filter((text) => text.endsWith('\nnow'))).toHaveLength(1);
  });

  test('to a busy agent: its turn is stopped for it', async () => {
    const agent = await woken('interrupted', 60_000);
    const sender_session_id = agent.session.id;
    await send('interrupted', { text: 'long work', sender_session_id });
    await until(
      async () => (await world.client.session('interrupted')).status.state === 'busy',
      'it to be busy',
    );
    const answer = await send('interrupted', { text: 'stop', sender_session_id, delivery_mode: 'urgent' });
    expect(answer.body).toEqual({ status: 'delivered', delivery_mode: 'urgent', interrupted: true });
    expect((await world.client.message(answer.message ?? '')).receipt).toBe('received');
  });

  test('without proof within five seconds: queued, and why', async () => {
    await paused('stuck');
    const began = Date.now();
    const answer = await send('stuck', { text: 'now', delivery_mode: 'urgent' });
    expect(Date.now() - began).toBeGreaterThanOrEqual(4900);
    expect(answer.body).toEqual({
      status: 'queued',
      queue_position: 1,
      delivery_mode: 'urgent',
      estimated_delivery: 'paused',
    });
  });

  test('one whose time is over meanwhile is not called queued', async () => {
    await paused('brief');
    const answer = await send('brief', { text: 'now', delivery_mode: 'urgent', timeout_seconds: 0.5 });
    expect(answer.body).toEqual({ status: 'expired', delivery_mode: 'urgent' });
  });
});

describe('the queue', () => {
  test('what waits, in order, by whom, and until when', async () => {
    const agent = await paused('queue-of');
    const empty = await queue('queue-of');
    expect(empty.body).toEqual({
      session_id: agent.session.id,
      is_idle: expect.any(Boolean),
      pending_count: 0,
      pending_messages: [],
      saved_user_input: null,
    });
    const one = await send('queue-of', { text: 'one', sender_session_id: 'architect', timeout_seconds: 300 });
    const two = await send('queue-of', { text: 'two', delivery_mode: 'important' });
    const { body } = await queue(agent.session.id);
    expect(body).toMatchObject({ pending_count: 2, saved_user_input: null });
    expect(body.pending_messages).toEqual([
      { id: two.message, sender: 'user', queued_at: expect.any(String), timeout_at: null },
      { id: one.message, sender: 'architect', queued_at: expect.any(String), timeout_at: expect.any(String) },
    ]);
    const [, { queued_at, timeout_at }] = body.pending_messages;
    expect(Date.parse(timeout_at) - Date.parse(queued_at)).toBe(300_000);
  });

  test('an idle agent is idle', async () => {
    await woken('resting', 10);
    expect((await queue('resting')).body).toMatchObject({ is_idle: true, pending_count: 0 });
  });

  test('what a person had typed is shown while it is kept for them', async () => {
    const agent = await paused('typed-in');
    const database = new Database(path.join(world.home, 'suremail.db'));
    database
      .prepare(
        `INSERT INTO drafts (id, session_id, session_name, message_id, attempt, protocol, text, exact, state, created_at, updated_at)
         VALUES ('d1', ?, 'typed-in', NULL, 1, 'editor', 'half a thought', 1, 'saved', ?, ?)`,
      )
      .run(agent.session.id, Date.now(), Date.now());
    database.close();
    expect((await queue('typed-in')).body.saved_user_input).toBe('half a thought');
  });

  test('an unknown session is refused', async () => {
    expect((await queue('nobody')).body.error).toMatchObject({ code: 'not_found', field: 'session_id' });
  });
});

describe('a reminder', () => {
  test('is stored, and comes when it is due', async () => {
    const agent = await world.agent('box', [], { name: 'reminded' });
    const began = Date.now();
    const { status, body } = await http('POST', '/scheduler/remind', {
      session_id: agent.session.id,
      delay_seconds: 1,
      message: 'check on engineer',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'scheduled',
      id: expect.any(String),
      session_id: agent.session.id,
      due_at: expect.any(String),
    });
    expect(Date.parse(body.due_at) - began).toBeGreaterThanOrEqual(1000);
    const said = await until(
      () => agent.submissions().find((text) => text.includes('check on engineer')),
      'the reminder',
    );
    expect(said).toContain('[sm] Scheduled reminder:\ncheck on engineer');
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test.each<[string, object, number, object]>([
    [
      'no delay',
      { session_id: 'reminded', delay_seconds: 0, message: 'x' },
      400,
      { field: 'delay_seconds', value: 0 },
    ],
    ['no message', { session_id: 'reminded', delay_seconds: 5 }, 400, { field: 'message' }],
    [
      'nobody',
      { session_id: 'nobody', delay_seconds: 5, message: 'x' },
      404,
      { field: 'session_id', value: 'nobody' },
    ],
  ])('%s is refused', async (_, body, status, error) => {
    const answer = await http('POST', '/scheduler/remind', body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.objectContaining(error)]);
  });
});

test('the typed client has them too', async () => {
  await paused('by-client');
  expect(await world.client.shortSend('by-client', { text: 'x' })).toMatchObject({ status: 'queued' });
  expect(await world.client.sendQueue('by-client')).toMatchObject({ pending_count: 1 });
  await expect(world.client.sendQueue('nobody')).rejects.toMatchObject({ status: 404 });
});
