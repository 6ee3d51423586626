// Signals from end to end: every door but the screen, with the daemon up, down, and killed between two of its steps.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session, Signal } from '../src/api/types.js';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

const session = async (name?: string): Promise<Session> =>
  (await world.agent('box', [], { ...(name && { name }) })).session;
const inside = ({ id }: Session) => ({ env: { SM_SESSION: id } });
const fileOf = ({ id }: Session): string => path.join(world.home, 'signals', `${id}.jsonl`);
const write = (one: Session, ...lines: (object | string)[]): void =>
  fs.appendFileSync(
    fileOf(one),
    lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''),
  );
const said = async ({ id }: Session): Promise<string[]> =>
  (await world.client.signals({ session: id })).map(
    ({ seq, state, message }) => `${seq} ${state} ${message}`,
  );
const saidIs = (one: Session, ...expected: string[]): Promise<void> =>
  until(async () => (await said(one)).join() === expected.join(), expected.join())
    .then(() => undefined)
    .catch(async () => {
      expect(await said(one)).toEqual(expected);
    });
const spool = (): string[] =>
  fs.readdirSync(path.join(world.home, 'spool')).filter((name) => name.endsWith('-signal'));

test('sm signal numbers it, and everything that shows a session shows it', { timeout: 60_000 }, async () => {
  const one = await session('shown');
  const answer = await world.sm(['signal', 'needs_input', 'Which port?'], inside(one));
  expect(answer).toMatchObject({ code: 0, stdout: 'shown 1 needs_input: Which port?\n' });
  const now = await world.client.session(one.id);
  expect(now).toMatchObject({
    signal_seq: 1,
    signal_state: 'needs_input',
    signal_message: 'Which port?',
    signal_door: 'command',
    nudge_seq: 1,
    nudge_state: 'needs_input',
  });
  expect(now.last_signal_at).toBe(now.signal_at);
  expect((await world.sm(['ls'])).stdout).toMatch(/shown .*needs_input \d+ m?s .*Which port\?/);
  expect((await world.sm(['show', 'shown'])).stdout).toMatch(
    /signal +needs_input: Which port\? for .*number 1, by its command/,
  );
  expect((await world.sm(['signals', 'shown'])).stdout).toMatch(
    /shown +1 +needs_input +command +Which port\?/,
  );
  expect((await world.sm(['statusline'])).stdout).toBe('needs_input 1 (shown)\n');
  expect((await world.sm(['signals', 'shown', '--since', '1h', '--json'])).stdout).toContain('Which port?');
  expect((await world.sm(['signals', 'shown', '--since', '2999-01-01'])).stdout).toMatch(/^no signals/);
  expect((await world.sm(['signal', 'working'], inside(one))).code).toBe(0);
  expect((await world.sm(['statusline'])).stdout).toBe('');
});

test('the pane tells whose it is, without a variable', { timeout: 60_000 }, async () => {
  const one = await session();
  const pane = {
    TMUX: `${world.socket},${world.tmux('display-message', '-p', '#{pid}')},0`,
    TMUX_PANE: one.pane,
  };
  expect((await world.sm(['signal', 'idle'], { env: pane })).code).toBe(0);
  expect(await said(one)).toEqual(['1 idle ']);
});

test('bad input is refused, with what would be right', { timeout: 60_000 }, async () => {
  const one = await session();
  const refused = async (args: string[], code: number, words: RegExp, env = inside(one)): Promise<void> => {
    const answer = await world.sm(['signal', ...args], env);
    expect([answer.code, answer.stderr]).toEqual([code, expect.stringMatching(words)]);
  };
  await refused(['Needs_Input'], 2, /must be a word such as needs_input/);
  await refused(['unheard'], 2, /no such state: unheard; expected one of working, idle, needs_input/);
  await refused(['error', 'x', '--id', 'a b'], 2, /--id "a b": must be/);
  await refused([], 2, /state/);
  await refused(['error'], 2, /this is no session/, { env: {} as { SM_SESSION: string } });
  await refused(['error', '--session', 'nobody'], 3, /no such session: nobody/);
  expect(await said(one)).toEqual([]);
  await expect(world.client.signal(one.id, { state: 'x'.repeat(200) })).rejects.toMatchObject({
    status: 400,
    detail: { field: 'state', expected: expect.stringContaining('needs_testing') },
  });
  await expect(world.client.signal(one.id, { state: 'error', id: '' })).rejects.toMatchObject({
    detail: { field: 'id' },
  });
  await expect(world.client.signals({ after: -1 })).rejects.toMatchObject({ status: 400 });
  await expect(world.client.waitForSession(one.id, { for: 'signal:unheard' })).rejects.toMatchObject({
    detail: { field: 'for' },
  });
});

test('the daemon is down while an agent signals five times, by command and by file: five, in order', {
  timeout: 60_000,
}, async () => {
  const [one, other] = [await session(), await session()];
  await world.client.signal(one.id, { state: 'working', message: 'before' });
  await world.kill9();
  for (let i = 1; i <= 5; i++) {
    const answer = await world.sm(['signal', 'completed', `step ${i}`], inside(one));
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('no daemon answers') });
    write(other, { state: 'completed', message: `step ${i}` });
    // Both ways at once is still one.
    write(one, { state: 'completed', message: `step ${i}` });
  }
  const [left] = spool();
  expect(fs.statSync(path.join(world.home, 'spool', left as string)).mode & 0o777).toBe(0o600);
  await world.startDaemon();
  const five = (from: number): string[] => [1, 2, 3, 4, 5].map((i) => `${i + from} completed step ${i}`);
  expect(await said(one)).toEqual(['1 working before', ...five(1)]);
  expect(await said(other)).toEqual(five(0));
  expect(spool()).toEqual([]);
  await world.kill9();
  await world.startDaemon();
  expect((await said(one)).length + (await said(other)).length).toBe(11);
});

test.each(['signal:write', 'signal:written'])(
  'killed at %s, between the report and the answer: once',
  { timeout: 60_000 },
  async (point) => {
    const one = await session();
    await world.kill9();
    await world.startDaemon({ SM_FAULT_AT: point });
    expect(await world.sm(['signal', 'error', 'it broke'], inside(one))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^left error/),
    });
    await world.startDaemon();
    expect(await said(one)).toEqual(['1 error it broke']);
    await world.kill9();
    await world.startDaemon({ SM_FAULT_AT: point });
    write(one, { state: 'completed', message: 'by file' });
    await world.ended();
    await world.startDaemon();
    expect(await said(one)).toEqual(['1 error it broke', '2 completed by file']);
  },
);

test('the file: its mode, half lines, bad lines, a truncation and a new file', {
  timeout: 60_000,
}, async () => {
  const one = await session();
  expect(fs.statSync(fileOf(one)).mode & 0o777).toBe(0o600);
  write(one, '{"state":"work');
  write(one, 'ing"}\n');
  await saidIs(one, '1 working ');
  write(
    one,
    'no json\n',
    '\n',
    { state: 'unheard' },
    { message: 'x' },
    { state: 'idle', message: 'still read' },
  );
  await saidIs(one, '1 working ', '2 idle still read');
  const { findings } = await world.client.doctor();
  expect(findings.map(({ message }) => message).join('\n')).toMatch(
    /reported 3 times what is no signal; last by its file: .*message/,
  );
  fs.writeFileSync(fileOf(one), '{"state":"error","message":"anew"}\n');
  await saidIs(one, '1 working ', '2 idle still read', '3 error anew');
  fs.rmSync(fileOf(one));
  write(one, { state: 'error', message: 'another file' });
  await saidIs(one, '1 working ', '2 idle still read', '3 error anew', '4 error another file');
  await world.client.kill(one.id);
  await until(() => !fs.existsSync(fileOf(one)), 'its file to go');
});

test('one thing through the command, the file and HTTP is one; the same again later is another', {
  timeout: 60_000,
}, async () => {
  const one = await session();
  const what = { state: 'completed', message: 'All  done' };
  await world.sm(['signal', what.state, what.message], inside(one));
  write(one, what);
  const again = await world.client.signal(one.id, what);
  expect(again).toMatchObject({ outcome: 'known', signal: { seq: 1, door: 'command' } });
  write(one, { state: 'idle' });
  await saidIs(one, '1 completed All done', '2 idle ');
  await world.sm(['signal', what.state, what.message], inside(one));
  expect(await said(one)).toHaveLength(3);
});

test('one thing through the command, the screen and the file is one, from inside a program', {
  timeout: 60_000,
}, async () => {
  const script = `
    sm signal completed "All done"
    echo '--<[sm:completed:All done]>--'
    echo '{"state":"completed","message":"All done"}' >>"$SM_SIGNALS"
    echo '--<[sm:idle:rest]>--'
    exec cat`;
  const one = await world.client.start({
    socket: world.socket,
    cwd: world.folder,
    command: ['sh', '-c', script],
  });
  await saidIs(one, '1 completed All done', '2 idle rest');
  await world.kill9();
  await world.startDaemon();
  await world.client.signal(one.id, { state: 'working' });
  expect(await said(one)).toEqual(['1 completed All done', '2 idle rest', '3 working ']);
});

test('an idempotency key, and an id, of HTTP', { timeout: 60_000 }, async () => {
  const one = await session();
  const first = await world.client.signal(one.id, { state: 'error', key: 'k' });
  expect(await world.client.signal(one.id, { state: 'error', key: 'k' })).toEqual({
    ...first,
    outcome: 'known',
  });
  const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
  const { url } = await world.client.status();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'k',
  };
  const where = `${url}/api/v1/sessions/${one.id}/signals`;
  const response = await fetch(where, { method: 'POST', headers, body: '{"state":"error"}' });
  expect([response.status, await response.json()]).toEqual([200, { ...first, outcome: 'known' }]);
  for (const [key, body, field] of [
    ['', '{"state":"error"}', 'Idempotency-Key'],
    ['k'.repeat(201), '{"state":"error"}', 'Idempotency-Key'],
    ['k', '{"state":"error","key":"other"}', 'key'],
  ] as const) {
    const refused = await fetch(where, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body,
    });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { field } }]);
  }
  await world.client.signal(one.id, { state: 'error', id: 'e1' });
  const known = await world.sm(['signal', 'error', 'other words', '--id', 'e1'], inside(one));
  expect(known).toMatchObject({ code: 0, stderr: expect.stringContaining('known as number 2') });
  expect(await said(one)).toEqual(['1 error ', '2 error ']);
});

test('sm wait: the state that it is in, the next one, and nothing missed in between', {
  timeout: 60_000,
}, async () => {
  const one = await session('waited');
  const wait = (...args: string[]) => world.sm(['wait', 'waited', '--timeout', '20s', '--for', ...args]);
  const waiting = wait('signal:any');
  // A wait that has not begun would see it by its number all the same.
  await until(
    async () =>
      (await world.client.signal(one.id, { state: 'working', message: `${Date.now()}` })) &&
      (await Promise.race([waiting, false])),
    'the wait to end',
  );
  expect((await waiting).stdout).toMatch(/^\d+ waited working/);
  const { signal: input } = await world.client.signal(one.id, { state: 'needs_input', message: 'a' });
  await world.client.signal(one.id, { state: 'working', message: 'later' });
  expect((await wait('signal:needs_input', '--after', String(input.seq - 1))).stdout).toBe(
    `${input.seq} waited needs_input a\n`,
  );
  expect((await wait('signal:working')).stdout).toBe(`${input.seq + 1} waited working later\n`);
  expect(await world.sm(['wait', 'waited', '--for', 'signal:error', '--timeout', '100ms'])).toMatchObject({
    code: 124,
  });
  expect(await world.sm(['wait', 'waited', '--after', '3'])).toMatchObject({ code: 2 });
});

test('the feed tells each once, and sm signals -f goes on over a restart', { timeout: 60_000 }, async () => {
  const one = await session();
  const { spawn } = await import('node:child_process');
  const cli = path.join(import.meta.dirname, '../dist/cli/main.js');
  const child = spawn(process.execPath, [cli, 'signals', '-f', '--json', one.id], { env: world.env });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const plain = spawn(process.execPath, [cli, 'signals', '-f', one.id], { env: world.env });
  let lines = '';
  plain.stdout.on('data', (chunk) => {
    lines += chunk;
  });
  const shown = (): string[] =>
    out
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as Signal).message);
  try {
    const events = world.client.events();
    const first = events.next();
    await until(async () => {
      await world.client.signal(one.id, { state: 'working', message: 'a', id: 'a' });
      // Both must have begun before the daemon is killed: without one neither does.
      return shown().length === 1 && /\bworking\b.*\ba\b/.test(lines);
    }, 'the first one');
    for (let next = await first; ; next = await events.next())
      if (!next.done && next.value.event.type === 'signal') {
        expect(next.value.event.signal).toMatchObject({
          session: { id: one.id },
          message: 'a',
          attention: false,
        });
        break;
      }
    await events.return(undefined);
    await world.kill9();
    await world.sm(['signal', 'error', 'b'], inside(one));
    await world.startDaemon();
    await world.client.signal(one.id, { state: 'error', message: 'c' });
    await until(() => shown().length === 3, 'all of them');
    expect(shown()).toEqual(['a', 'b', 'c']);
    await until(() => /\berror\b.*\bc\b/.test(lines), 'the last line');
  } finally {
    child.kill();
    plain.kill();
  }
});

test('the status bar costs nothing where no daemon runs', { timeout: 60_000 }, async () => {
  const answer = await world.sm(['statusline'], { env: { SM_HOME: path.join(world.folder, 'nowhere') } });
  expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(fs.existsSync(path.join(world.folder, 'nowhere'))).toBe(false);
});
