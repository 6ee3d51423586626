import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { locateHome } from '../api/locate.js';
import type { Message, Session } from '../api/types.js';
import { run } from './run.js';

interface Asked {
  method: string;
  path: string;
  body: unknown;
}
type Answer = { status: number; body: unknown };

// A daemon that answers as the test says, on the socket of a home of its own.
let folder: string;
let server: http.Server | undefined;
let asked: Asked[];

const printed = { out: '', err: '' };
const VARIABLES = [
  'SM_HOME',
  'SM_SESSION',
  'TMUX',
  'TMUX_PANE',
  'CODEX_THREAD_ID',
  'CODEX_SESSION_ID',
  'NO_COLOR',
  'FORCE_COLOR',
  'VISUAL',
  'EDITOR',
  'SM_EDITOR',
] as const;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sm-cli-'));
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
  vi.stubEnv('SM_HOME', folder);
  asked = [];
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.out += String(chunk);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    printed.err += String(chunk);
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

async function daemon(answers: Record<string, Answer | ((asked: Asked) => Answer)>): Promise<void> {
  server = http.createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const one: Asked = {
      method: request.method ?? '',
      path: (request.url ?? '').replace('/api/v1', ''),
      body: text ? JSON.parse(text) : undefined,
    };
    asked.push(one);
    const found = answers[`${one.method} ${one.path.replace(/\?.*/, '')}`];
    const answer = typeof found === 'function' ? found(one) : (found ?? missing(one.path));
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server?.listen(locateHome().socket, resolve));
}

const missing = (what: string): Answer => ({
  status: 404,
  body: { error: { code: 'not_found', message: `no such thing: ${what}` } },
});
const ok = (body: unknown, status = 200): Answer => ({ status, body });

const session = (name: string, more: Partial<Session> = {}): Session => ({
  id: '0a1b2c3d',
  name,
  agent: 'claude',
  origin: 'started',
  host: null,
  host_down: null,
  socket: '/tmp/tmux-0/default',
  pane: '%12',
  tmux_session: '$3',
  command: ['claude', '--model', 'a b'],
  cwd: '/srv/api',
  program: { pid: 42, name: 'claude', started: '2026-01-01T00:00:00.000Z' },
  epoch: 1,
  state: 'live',
  state_reason: null,
  status: { state: 'unknown', since: null, source: null, sure: null, detail: null },
  door: null,
  paused: false,
  parent: null,
  groups: [],
  busy_since: null,
  busy_reason: null,
  signal_seq: 0,
  signal_state: null,
  signal_message: null,
  signal_door: null,
  signal_at: null,
  went_on_at: null,
  last_signal_at: null,
  nudge_seq: 0,
  nudge_state: null,
  past_draft: null,
  pending: 0,
  held: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
});

const message = (more: Partial<Message> = {}): Message => ({
  id: 'm1',
  to: { id: '0a1b2c3d', name: 'api' },
  from: { id: null, name: 'user' },
  text: 'hello',
  command: false,
  mode: 'sequential',
  as: 'prompt',
  surety: 'at_most_once',
  past_draft: null,
  state: 'pending',
  receipt: 'queued',
  held: null,
  held_detail: null,
  attempts: 0,
  failures: 0,
  expires_at: null,
  when: 'now',
  in_reply_to: null,
  thread: 'thread',
  queue_position: 1,
  created_at: new Date().toISOString(),
  settled_at: null,
  ...more,
});
const stored = (...messages: Message[]): Answer => ok({ messages, inbox: [], plans: [] }, 202);

describe('sm send', () => {
  it('says who sends and answers with id and position', async () => {
    await daemon({ 'POST /messages': stored(message({ queue_position: 3 })) });
    vi.stubEnv('SM_SESSION', '99999999');
    vi.stubEnv('TMUX', '/tmp/a,b/default,123,0');
    vi.stubEnv('TMUX_PANE', '%7');
    expect(await run(['send', 'api', '--from', 'ci', 'hello'])).toBe(0);
    expect(asked[0]?.body).toEqual({
      to: ['api'],
      text: 'hello',
      from: {
        name: 'ci',
        session: '99999999',
        inherited: true,
        pane: { socket: '/tmp/a,b/default', pane: '%7' },
      },
    });
    expect(printed.out).toBe('queued m1 for api, position 3 in its queue\n');
  });

  it('reads a file, dropping one newline at its end', async () => {
    await daemon({ 'POST /messages': stored(message()) });
    const file = path.join(folder, 'text');
    writeFileSync(file, 'one\ntwo\n\n');
    expect(await run(['send', 'api', '--file', file])).toBe(0);
    expect(asked[0]?.body).toEqual({ to: ['api'], text: 'one\ntwo\n' });
    writeFileSync(file, Buffer.from([0xff, 0xfe]));
    expect(await run(['send', 'api', '--file', file])).toBe(2);
    expect(printed.err).toContain('is not UTF-8 text');
  });

  it('waits: reached, failed, and timed out', async () => {
    let answer = { ...message({ receipt: 'submitted', state: 'settled' }), outcome: 'reached' };
    await daemon({ 'POST /messages': stored(message()), 'GET /messages/m1/wait': () => ok(answer) });
    expect(await run(['send', 'api', '--wait', 'hello'])).toBe(0);
    expect(printed.out).toBe('submitted m1 to api\n');
    expect(asked[0]?.body).toMatchObject({ wait_for: 'submitted' });
    answer = { ...message({ state: 'cancelled' }), outcome: 'never' };
    expect(await run(['send', 'api', '--wait', 'hello'])).toBe(1);
    expect(printed.err).toContain('m1 for api is cancelled and was not submitted');
    for (const receipt of ['queued', 'typed'] as const) {
      printed.err = '';
      answer = { ...message({ state: 'settled', receipt }), outcome: 'never' };
      expect(await run(['send', 'api', '--wait', 'hello'])).toBe(1);
      expect(printed.err).toContain('m1 for api is uncertain: it is not known whether it was submitted');
      expect(printed.err).toContain('sm show m1');
      expect(printed.err).not.toContain('was not');
    }
    answer = {
      ...message({ held: 'user_typing', held_detail: 'a person is typing' }),
      outcome: 'timeout',
    };
    expect(await run(['send', 'api', '--wait=received', '--wait-timeout', '50ms', 'hello'])).toBe(124);
    expect(printed.err).toContain(
      'm1 for api was not received within 50 ms; it stays queued: a person is typing',
    );
  });

  it('refuses a time to wait without --wait', async () => {
    await daemon({ 'POST /messages': stored(message()) });
    expect(await run(['send', 'api', '--wait-timeout', '5s', 'hello'])).toBe(2);
    expect(printed.err).toContain('--wait-timeout goes with --wait');
    expect(asked).toEqual([]);
  });

  it('says that a text and --file exclude each other where a word names no session', async () => {
    const file = path.join(folder, 'text');
    writeFileSync(file, 'from the file');
    const error = { code: 'not_found', message: 'no such session: hello', field: 'to', value: 'hello' };
    await daemon({ 'POST /messages': { status: 404, body: { error } } });
    expect(await run(['send', 'api', 'hello', '--file', file])).toBe(3);
    expect(printed.err).toContain('give a text or --file, not both');
    expect(printed.err).not.toContain('quotes');
  });

  it('does not claim to know what became of a broken request', async () => {
    server = http.createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => server?.listen(locateHome().socket, resolve));
    expect(await run(['send', 'api', 'hello'])).toBe(5);
    expect(printed.err).toContain('the daemon stopped before it had answered');
    expect(printed.err).toContain('it may have been stored');
  });

  it('shows the plan of a dry run', async () => {
    const plan = {
      to: { id: '0a1b2c3d', name: 'api' },
      way: 'refuse',
      reason: 'shell',
      detail: 'a shell is no agent',
      proves: 'queued',
    };
    await daemon({ 'POST /messages': ok({ messages: [], plans: [plan] }, 202) });
    expect(await run(['send', 'api', '--dry-run', 'hello'])).toBe(4);
    expect(printed.out).toBe('api: would be refused (refuse, shell): a shell is no agent\n');
  });

  it('says in a dry run which way it would go past a draft', async () => {
    const plan = {
      to: { id: '0a1b2c3d', name: 'api' },
      way: 'editor',
      reason: 'past_draft',
      detail: 'it is saved',
      proves: 'submitted',
    };
    await daemon({ 'POST /messages': ok({ messages: [], plans: [plan] }, 202) });
    expect(await run(['send', 'api', '--dry-run', 'hello'])).toBe(0);
    expect(printed.out).toBe(
      'api: would go past the draft now (editor, past_draft): it is saved; the best receipt it can get is "submitted"\n',
    );
  });

  it('suggests the nearest session, and quotes', async () => {
    await daemon({ 'GET /sessions': ok({ sessions: [session('backend')] }), 'POST /messages': missing('x') });
    expect(await run(['send', 'backand', 'the', 'tests'])).toBe(3);
    expect(printed.err).toContain('did you mean "backend"?');
    expect(printed.err).toContain('put the text in quotes');
  });
});

describe('failures', () => {
  it('name the field, the value and what would be right', async () => {
    const error = {
      code: 'invalid',
      message: 'is not a name',
      field: 'name',
      value: 'a b',
      expected: 'letters',
    };
    await daemon({ 'PATCH /sessions/api': { status: 400, body: { error } } });
    expect(await run(['rename', 'api', 'a b'])).toBe(2);
    expect(printed.err).toBe('sm: "a b": is not a name; expected letters\n');
  });

  it('refused in the present state is 4', async () => {
    await daemon({
      'DELETE /messages/m1': { status: 409, body: { error: { code: 'too_late', message: 'm1 is typed' } } },
    });
    expect(await run(['cancel', '#m1'])).toBe(4);
  });

  it('a full queue is 4', async () => {
    const error = { code: 'queue_full', message: '1000 messages wait for api already' };
    await daemon({ 'POST /messages': { status: 429, body: { error } } });
    expect(await run(['send', 'api', 'hello'])).toBe(4);
    expect(printed.err).toBe('sm: 1000 messages wait for api already\n');
  });

  it('unknown commands suggest the nearest', async () => {
    expect(await run(['snd'])).toBe(2);
    expect(printed.err).toContain('sm: unknown command "snd"; did you mean "send"?');
  });

  it('status, down and logs start no daemon', async () => {
    expect(await run(['status', '--json'])).toBe(5);
    expect(JSON.parse(printed.out)).toEqual({ running: false, home: folder });
    expect(await run(['down'])).toBe(0);
    expect(await run(['logs'])).toBe(1);
    expect(printed.err).toContain('no log at');
  });
});

describe('sessions and messages', () => {
  it('show a session with what waits for it, and nothing that drives the terminal', async () => {
    const held = message({ text: 'a\x1b[2Jb\nc', held: 'draft', held_detail: 'a draft is in the box' });
    await daemon({
      'GET /sessions/api': ok(session('api', { pending: 1 })),
      'GET /messages': ok({ messages: [held, message({ id: 'm2', to: { id: 'other', name: 'web' } })] }),
    });
    expect(await run(['show', 'api'])).toBe(0);
    expect(printed.out).toContain("claude --model 'a b'");
    expect(printed.out).toContain('a draft is in the box');
    expect(printed.out).toContain('a␛[2Jb ⏎ c');
    expect(printed.out).not.toContain('m2');
    expect(printed.out).not.toContain('\x1b');
  });

  it('show a message with its timeline', async () => {
    const events = [
      { seq: 1, at: '2026-01-01T00:00:00.000Z', kind: 'queued', data: {} },
      { seq: 2, at: '2026-01-01T00:00:00.012Z', kind: 'held', data: { reason: 'user_typing' } },
      { seq: 3, at: '2026-01-01T00:00:02.500Z', kind: 'submitted', data: { attempt: 1 } },
    ];
    await daemon({
      'GET /messages/m1': ok({
        ...message({ receipt: 'submitted', state: 'settled', queue_position: null }),
        ...{ way: 'editor', held_ms: null, draft: null, turn: null, evidence: null, answer: null },
        events,
      }),
      'GET /messages': ok({ messages: [message()] }),
      'GET /inbox': ok({ items: [], unread: 0 }),
    });
    expect(await run(['show', 'm1'])).toBe(0);
    expect(printed.out).toMatch(/\+12 ms {2}held +reason=user_typing/);
    expect(printed.out).toMatch(/\+2\.5 s {2}submitted +attempt=1/);
  });

  it('say which session or message does not exist', async () => {
    await daemon({ 'GET /sessions': ok({ sessions: [session('api')] }) });
    expect(await run(['show', 'apo'])).toBe(3);
    expect(printed.err).toContain('sm: no session or message "apo"; did you mean "api"?\n');
  });

  it('list why each message waits', async () => {
    await daemon({
      'GET /messages': ok({
        messages: [
          message({ held: 'in_mode', held_detail: 'copy mode' }),
          message({ id: 'm2', queue_position: 2 }),
        ],
      }),
    });
    expect(await run(['queue'])).toBe(0);
    expect(printed.out).toMatch(/m1 .*copy mode/);
    expect(printed.out).toMatch(/m2 .*1 before it/);
  });

  it('start with whole paths and the environment given', async () => {
    await daemon({ 'POST /sessions': ok(session('api'), 201) });
    expect(await run(['new', '--cwd', 'x', '--env', 'A=b=c', '--socket', './s', '--', 'claude', '-p'])).toBe(
      0,
    );
    expect(asked[0]?.body).toEqual({
      command: ['claude', '-p'],
      cwd: path.resolve('x'),
      env: { PATH: process.env.PATH, A: 'b=c' },
      socket: path.resolve('s'),
    });
    vi.stubEnv('EDITOR', 'vi');
    expect(await run(['new', '--past-draft', 'never', 'claude'])).toBe(0);
    expect(asked[1]?.body).toMatchObject({ env: { VISUAL: 'vi' }, past_draft: 'never' });
    // Inside a session: the person's own editor, not the one that stands before it.
    for (const name of ['VISUAL', 'EDITOR']) vi.stubEnv(name, '/home/me/bin/sm-editor');
    vi.stubEnv('SM_EDITOR', 'nano');
    expect(await run(['new', 'claude'])).toBe(0);
    expect(asked[2]?.body).toMatchObject({ env: { VISUAL: 'nano' } });
    expect(await run(['new', '--env', '1=2', 'claude'])).toBe(2);
    expect(printed.err).toContain('--env "1=2": must be KEY=VALUE');
  });

  it('know who asks', async () => {
    await daemon({ 'GET /whoami': ok(session('api')) });
    expect(await run(['whoami'])).toBe(0);
    expect(asked).toEqual([]);
    vi.stubEnv('SM_SESSION', '0a1b2c3d');
    vi.stubEnv('TMUX', '/tmp/x,1,0');
    vi.stubEnv('TMUX_PANE', '%1');
    vi.stubEnv('CODEX_THREAD_ID', 't1');
    vi.stubEnv('CODEX_SESSION_ID', 't2');
    expect(await run(['whoami'])).toBe(0);
    const query = 'socket=%2Ftmp%2Fx&pane=%251&session=0a1b2c3d&threads=t1%2Ct2';
    expect(asked.at(-1)?.path).toBe(`/whoami?${query}`);
    expect(printed.out).toBe("user (this is no session's pane)\napi (0a1b2c3d)\n");
  });

  it('know that the session of who asks was removed', async () => {
    await daemon({});
    vi.stubEnv('SM_SESSION', '0a1b2c3d');
    expect(await run(['whoami'])).toBe(0);
    expect(printed.out).toBe('unknown (the session 0a1b2c3d was removed)\n');
  });
});

it('sm attach refuses to cross tmux servers', async () => {
  await daemon({ 'GET /sessions/api': ok(session('api')) });
  vi.stubEnv('TMUX', '/tmp/elsewhere,1,0');
  vi.stubEnv('TMUX_PANE', '%1');
  expect(await run(['attach', 'api'])).toBe(4);
  expect(printed.err).toContain('inside the tmux server /tmp/elsewhere, and api is on /tmp/tmux-0/default');
});

describe('sm __complete', () => {
  const candidates = async (...words: string[]): Promise<string[]> => {
    printed.out = '';
    expect(await run(['__complete', ...words])).toBe(0);
    return printed.out
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/\t.*/, ''));
  };

  it('completes commands, options, values and sessions', async () => {
    await daemon({ 'GET /sessions': ok({ sessions: [session('api'), session('web')] }) });
    expect(await candidates('res')).toEqual(['resume']);
    expect(await candidates('re')).toEqual(expect.arrayContaining(['reply', 'resume', 'rename', 'ready']));
    expect(await candidates('send', '--w')).toEqual([
      '--wait',
      '--wait=submitted',
      '--wait=received',
      '--wait=done',
      '--wait-timeout',
      '--when',
    ]);
    expect(await candidates('send', '')).toEqual(['api', 'web']);
    expect(await candidates('send', 'api', 'w')).toEqual(['web']);
    expect(await candidates('send', '--from', '')).toEqual([]);
    expect(await candidates('send', '--file', '')).toEqual([':files']);
    expect(await candidates('completion', 'f')).toEqual(['fish']);
    expect(await candidates('nonsense', '')).toEqual([]);
  });

  it('is quiet and starts nothing without a daemon', async () => {
    expect(await candidates('send', '')).toEqual([]);
    expect(printed.err).toBe('');
  });
});
