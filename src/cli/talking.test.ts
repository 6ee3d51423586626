// The commands of conversations, against a daemon that answers as the test says.
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { locateHome } from '../api/locate.js';
import { run } from './run.js';

type Answer = { status: number; body: unknown } | 'dies';
interface Asked {
  what: string;
  body: unknown;
}

let folder: string;
let server: http.Server | undefined;
let asked: Asked[];
const printed = { out: '', err: '' };

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sm-cli-'));
  for (const name of [
    'SM_SESSION',
    'TMUX',
    'TMUX_PANE',
    'CODEX_THREAD_ID',
    'CODEX_SESSION_ID',
    'FORCE_COLOR',
  ])
    vi.stubEnv(name, undefined);
  vi.stubEnv('SM_HOME', folder);
  asked = [];
  Object.assign(printed, { out: '', err: '' });
  for (const [stream, key] of [
    [process.stdout, 'out'],
    [process.stderr, 'err'],
  ] as const)
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      printed[key] += String(chunk);
      return true;
    });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  rmSync(folder, { recursive: true });
});

const ok = (body: unknown, status = 200): Answer => ({ status, body });
const failed = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { code, message } },
});

async function daemon(answers: Record<string, Answer>): Promise<void> {
  server = http.createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const what = `${request.method} ${(request.url ?? '').replace('/api/v1', '')}`;
    asked.push({ what, body: text ? JSON.parse(text) : undefined });
    const answer =
      answers[what] ??
      answers[what.replace(/\?.*/, '')] ??
      failed(404, 'not_found', `no such thing: ${what}`);
    if (answer === 'dies') return request.socket.destroy();
    const { status, body } = answer;
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(locateHome().socket, resolve));
}

const ids = { id: '0a1b2c3d', name: 'api' };
const message = (more: object = {}) => ({
  id: 'aaaabbbbcccc',
  to: ids,
  from: { id: null, name: 'user' },
  text: 'why?',
  state: 'settled',
  receipt: 'done',
  outcome: 'reached',
  in_reply_to: null,
  thread: 'aaaabbbbcccc',
  created_at: new Date().toISOString(),
  answer: null,
  events: [],
  ...more,
});
const item = (more: object = {}) => ({
  id: 'ddddeeeeffff',
  from: ids,
  text: 'may I?\x1b[2J',
  mode: 'sequential',
  in_reply_to: null,
  thread: 'ddddeeeeffff',
  created_at: new Date().toISOString(),
  read_at: null,
  ...more,
});
const done = (how: string) => [{ seq: 1, at: '', kind: 'done', data: { how } }];

describe('sm ask', () => {
  const whole = (more: object) => ({
    'POST /messages': ok({ messages: [message({ receipt: 'queued', state: 'pending' })] }, 202),
    'GET /messages/aaaabbbbcccc/wait': ok(message(more)),
    'GET /messages/aaaabbbbcccc': ok(message(more)),
  });

  it('prints the answer, and asks for the proof that it needs before anything is sent', async () => {
    await daemon(whole({ answer: 'because\x1b[2J', events: done('completed') }));
    expect(await run(['ask', 'api', 'why?'])).toBe(0);
    expect(printed).toEqual({ out: 'because␛[2J\n', err: '' });
    expect(asked[0]?.body).toEqual({ to: ['api'], text: 'why?', wait_for: 'done' });
  });

  it.each<[string, object, RegExp]>([
    ['gives no answer', { events: done('completed') }, /hands over no answer; sm output api/],
    ['was interrupted', { events: done('interrupted') }, /was interrupted/],
    [
      'came to nothing',
      { receipt: 'queued', state: 'expired', outcome: 'never' },
      /is expired and will not be done/,
    ],
  ])('says plainly that it %s', async (_, more, words) => {
    await daemon(whole(more));
    expect(await run(['ask', 'api', 'why?'])).toBe(1);
    expect(printed.out).toBe('');
    expect(printed.err).toMatch(words);
  });

  it('ends with 124 when the time is over', async () => {
    await daemon(whole({ receipt: 'received', outcome: 'timeout' }));
    expect(await run(['ask', 'api', 'why?', '--timeout', '1ms'])).toBe(124);
    expect(printed.err).toMatch(/no answer from api within/);
  });

  it('says that the message is stored when the daemon dies while it waits, and sends it once', async () => {
    await daemon({ ...whole({}), 'GET /messages/aaaabbbbcccc/wait': 'dies' });
    expect(await run(['ask', 'api', 'why?'])).toBe(5);
    expect(printed.err).toContain('the daemon stopped before it had answered');
    expect(printed.err).toContain('nothing is lost: aaaabbbbcccc is stored');
    expect(asked.filter(({ what }) => what === 'POST /messages')).toHaveLength(1);
  });

  it.each(['worker-*', '@all', '@me'])('asks no more than one: not %s', async (to) => {
    await daemon({});
    expect(await run(['ask', to, 'why?'])).toBe(2);
    expect(printed.err).toContain('one session is asked at a time');
    expect(asked).toEqual([]);
  });

  it('passes on a refusal', async () => {
    await daemon({ 'POST /messages': failed(409, 'cannot_prove', 'api can prove "submitted" at most') });
    expect(await run(['ask', 'api', 'why?'])).toBe(4);
    expect(printed.err).toContain('can prove "submitted" at most');
  });
});

describe('sm wait', () => {
  const rest = (outcome: string, reason: string | null = null, sure = 'certain') => ({
    'GET /sessions/api': ok(ids),
    'GET /sessions/0a1b2c3d/wait': ok({ outcome, reason, status: { state: 'idle', sure } }),
  });

  it.each<[string, Record<string, Answer>, number, RegExp]>([
    ['reached', rest('reached'), 0, /^api is idle\n$/],
    ['a guess', rest('reached', null, 'guess'), 0, /as far as its screen tells/],
    [
      'never',
      rest('never', 'its program has ended'),
      1,
      /will not be seen to be idle: its program has ended/,
    ],
    ['over', rest('timeout', 'its turn is running'), 124, /was not idle within 1 ms: its turn is running/],
  ])('for a session: %s', async (_, answers, code, words) => {
    await daemon(answers);
    expect(await run(['wait', 'api', '--timeout', '1ms'])).toBe(code);
    expect(printed.out + printed.err).toMatch(words);
  });

  it.each<[object, number, RegExp]>([
    [{}, 0, /^done aaaabbbbcccc to api\n$/],
    [{ receipt: 'submitted', outcome: 'never' }, 1, /will not be done; the best known is "submitted"/],
    [{ receipt: 'queued', state: 'dead', outcome: 'never' }, 1, /is dead/],
    [
      { receipt: 'typed', state: 'settled', outcome: 'never' },
      1,
      /is uncertain: it is not known whether it was done.*sm show aaaabbbbcccc/,
    ],
  ])('for a message: %o', async (more, code, words) => {
    await daemon({
      'GET /messages/aaaabbbbcccc': ok(message()),
      'GET /messages/aaaabbbbcccc/wait': ok(message(more)),
    });
    expect(await run(['wait', '#aaaabbbbcccc'])).toBe(code);
    expect(printed.out + printed.err).toMatch(words);
    expect(asked.at(-1)?.what).toContain('for=done');
  });

  it('goes on asking while the time lasts', async () => {
    await daemon(rest('timeout'));
    expect(await run(['wait', 'api', '--timeout', '700ms'])).toBe(124);
    expect(asked.filter(({ what }) => what.includes('/wait')).length).toBeGreaterThan(1);
  });

  it.each([
    [['wait', 'api', '--for', 'done'], 2, /--for done is of a message, and api is a session/],
    [['wait', 'nobody', '--for', 'idle'], 3, /there is none named "nobody"/],
    [['wait', 'nobody', '--for', 'signal:any'], 3, /there is none named "nobody"/],
    [['wait', 'nobody'], 3, /no session or message "nobody"/],
  ])('%j', async (words, code, error) => {
    await daemon({ 'GET /sessions/api': ok(ids) });
    expect(await run(words)).toBe(code);
    expect(printed.err).toMatch(error);
  });
});

describe('sm reply', () => {
  const answer = ok({ messages: [message({ id: 'answer' })], inbox: [], answers: 'aaaabbbbcccc' }, 202);

  it('says who answers and nothing that it does not know', async () => {
    vi.stubEnv('SM_SESSION', '99999999');
    await daemon({ 'POST /replies': answer });
    expect(await run(['reply', 'because'])).toBe(0);
    expect(asked[0]?.body).toEqual({ text: 'because', from: { session: '99999999', inherited: true } });
    expect(printed.out).toBe('queued answer for api, in answer to aaaabbbbcccc\n');
  });

  it.each([[['reply', '#aaaa', 'yes']], [['reply', '--to', 'aaaa', 'yes']]])('%j', async (words) => {
    await daemon({ 'POST /replies': answer });
    expect(await run(words)).toBe(0);
    expect(asked[0]?.body).toEqual({ to: 'aaaa', text: 'yes' });
  });

  it('to the person', async () => {
    await daemon({ 'POST /replies': ok({ messages: [], inbox: [item()], answers: 'm' }, 202) });
    expect(await run(['reply', 'because'])).toBe(0);
    expect(printed.out).toBe('put ddddeeeeffff into the inbox, in answer to m\n');
  });

  it('twice named is refused', async () => {
    expect(await run(['reply', 'a', '--to', 'b', 'yes'])).toBe(2);
  });
});

describe('sm inbox', () => {
  it('lists what is unread, and nothing that drives the terminal', async () => {
    await daemon({ 'GET /inbox': ok({ items: [item()], unread: 1 }) });
    expect(await run(['inbox'])).toBe(0);
    expect(printed.out).toMatch(/ddddeeeeffff +\d+ ms +api +new +may I\?␛\[2J/);
    expect(asked[0]?.what).toContain('all=false');
  });

  it('says how many more are unread than it lists', async () => {
    await daemon({ 'GET /inbox': ok({ items: [item()], unread: 3 }) });
    expect(await run(['inbox', '--limit', '1'])).toBe(0);
    expect(asked[0]?.what).toContain('limit=1');
    expect(printed.err).toBe('sm: 2 more are unread, older than these; --limit COUNT lists more\n');
  });

  it('says of the whole of it that it may be cut', async () => {
    await daemon({ 'GET /inbox': ok({ items: [item()], unread: 0 }) });
    expect(await run(['inbox', '--all', '--json', '-n', '1'])).toBe(0);
    expect(printed.err).toContain('only the newest 1 are listed');
    expect(JSON.parse(printed.out)).toHaveLength(1);
  });

  it('marks all as read', async () => {
    await daemon({ 'POST /inbox/read': ok({ read: 7 }) });
    expect(await run(['inbox', 'read', '--all'])).toBe(0);
    expect(printed.out).toBe('marked 7 as read\n');
    expect(await run(['inbox', 'read', 'ddddeeeeffff', '--all'])).toBe(2);
  });

  it('reads one, with its conversation', async () => {
    const read = item({ read_at: new Date().toISOString(), thread: 'aaaabbbbcccc' });
    await daemon({
      'POST /inbox/ddddeeeeffff/read': ok(read),
      'GET /messages': ok({ messages: [message({ created_at: '2026-01-01T00:00:00Z' })] }),
      'GET /inbox': ok({ items: [read], unread: 0 }),
    });
    expect(await run(['inbox', 'read', 'ddddeeeeffff'])).toBe(0);
    expect(printed.out).toMatch(/thread +aaaabbbbcccc, 2 messages/);
    expect(printed.out).toMatch(/aaaabbbbcccc +user +api +why\?\nddddeeeeffff +api +@me +may I/);
    expect(printed.out).not.toContain('\x1b');
  });

  it('says what is missing', async () => {
    expect(await run(['inbox', 'read'])).toBe(2);
    expect(printed.err).toContain('sm inbox read ID');
  });
});

describe('sm group', () => {
  it('puts in and takes out, with or without the @', async () => {
    await daemon({ 'PATCH /groups/crew': ok({ name: 'crew', sessions: [ids] }) });
    expect(await run(['group', 'add', '@crew', 'api', 'web'])).toBe(0);
    expect(await run(['group', 'rm', 'crew', 'web'])).toBe(0);
    expect(asked.map(({ body }) => body)).toEqual([{ add: ['api', 'web'] }, { remove: ['web'] }]);
    expect(printed.out).toBe('@crew: api\n@crew: api\n');
  });

  it.each([[['group', 'add']], [['group', 'add', 'crew']]])('%j is not enough', async (words) => {
    expect(await run(words)).toBe(2);
  });
});

describe('the session that it runs in', () => {
  const own = { 'GET /whoami': ok({ ...ids, session: ids.id }) };
  const session = { ...ids, busy_reason: 'migrating', pending: 2 };

  it('is busy, and ready again', async () => {
    vi.stubEnv('SM_SESSION', '0a1b2c3d');
    await daemon({ ...own, 'PATCH /sessions/0a1b2c3d': ok(session) });
    expect(await run(['busy', 'migrating'])).toBe(0);
    expect(await run(['busy'])).toBe(0);
    expect(await run(['ready'])).toBe(0);
    const changes = asked.filter(({ what }) => what.startsWith('PATCH')).map(({ body }) => body);
    expect(changes).toEqual([{ busy: 'migrating' }, { busy: true }, { busy: false }]);
    expect(printed.out).toContain('api is busy: migrating; sequential mail waits');
    expect(printed.out).toContain('api takes mail again; 2 messages waited');
  });

  it.each(['busy', 'ready', 'children'])('outside of one, sm %s wants a name', async (name) => {
    await daemon({});
    expect(await run([name])).toBe(2);
    expect(printed.err).toContain('this is no session: name one');
  });
});

it('sm spawn sends who asks, the words of the command, and the text', async () => {
  vi.stubEnv('SM_SESSION', '99999999');
  vi.stubEnv('PATH', '/bin');
  await daemon({ 'POST /spawn': ok({ session: { ...ids, pane: '%3' }, message: message() }, 201) });
  expect(await run(['spawn', '--agent', 'codex  --model o3', '--group', 'crew', 'go on'])).toBe(0);
  expect(asked[0]?.body).toMatchObject({
    text: 'go on',
    command: ['codex', '--model', 'o3'],
    groups: ['crew'],
    from: { session: '99999999', inherited: true },
    cwd: process.cwd(),
    env: { PATH: '/bin' },
  });
  expect(printed.out).toContain('started api (0a1b2c3d) in pane %3; queued aaaabbbbcccc for it');
  expect(await run(['spawn', '--agent', ' ', 'go on'])).toBe(2);
});
