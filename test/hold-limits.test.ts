// When a hold does not begin, and when it does not end at once: each with its reason.
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, expect, it } from 'vitest';
import { Pane } from '../src/tmux/index.js';
import { arrives, HoldStage, settled } from './support/hold.js';
import { until } from './support/tmux.js';

const stage = new HoldStage();
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});
afterEach(() => stage.tidy());
afterAll(() => stage.dispose());

const keyTables = (session: string): string[] =>
  stage.tmux
    .run('list-clients', '-t', session, '-F', '#{client_control_mode} #{client_key_table}')
    .split('\n')
    .filter((line) => line.startsWith('0 '))
    .map((line) => line.slice(2));

it('synchronized panes are refused', async () => {
  const agent = await stage.recorder('synchronized');
  stage.tmux.run('set-option', '-w', '-t', agent.pane.id, 'synchronize-panes', 'on');
  expect(await stage.refusal(agent.pane)).toBe('synchronized');
});

it('a pane in copy mode is refused', async () => {
  const agent = await stage.recorder('copy');
  stage.tmux.run('copy-mode', '-t', agent.pane.id);
  expect(await stage.refusal(agent.pane)).toBe('in_mode');
});

it('a dead pane and one that is gone are refused', async () => {
  const agent = await stage.recorder('dead');
  expect(await stage.refusal(new Pane(agent.pane.link, '%9999'))).toBe('gone');
  stage.tmux.run('set-option', '-w', '-t', agent.pane.id, 'remain-on-exit', 'on');
  process.kill(Number(await agent.pane.format('#{pane_pid}')));
  await until(async () => (await agent.pane.format('#{pane_dead}')) === '1', 'its end');
  expect(await stage.refusal(agent.pane)).toBe('dead');
});

it('a second hold on the pane, or on another pane of the session, is refused', async () => {
  const agent = await stage.recorder('twice');
  const session = agent.pane.link.sessionId;
  const other = stage.tmux.run('split-window', '-d', '-t', agent.pane.id, '-P', '-F', '#{pane_id}', 'cat');
  const hold = await stage.hold(agent.pane);
  expect(await stage.refusal(agent.pane)).toBe('held');
  expect(await stage.refusal(await stage.tmux.link(session, other))).toBe('held');
  await hold.release();
  expect(await stage.refusal(agent.pane)).toBe('none');
  expect(stage.traces()).toBe('');
});

it('a control client of somebody else is refused, unless it is read-only or elsewhere', async () => {
  const agent = await stage.recorder('foreign');
  const other = await stage.recorder('foreign-other');
  const attach = async (session: string, ...flags: string[]): Promise<ChildProcess> => {
    const child = spawn('tmux', ['-L', stage.tmux.name, '-C', 'attach', ...flags, '-t', session], {
      env: { ...process.env, TMUX: '' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    started.push(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await settled();
    return child;
  };
  await attach(other.pane.link.sessionId);
  await attach(agent.pane.link.sessionId, '-r');
  const free = await stage.start(agent.pane);
  expect(free.outcome).toBe('held');
  if (free.outcome === 'held') await free.hold.release();
  await attach(agent.pane.link.sessionId);
  expect(await stage.refusal(agent.pane)).toBe('foreign_control');
});

it('a read-only client is no obstacle', async () => {
  const agent = await stage.recorder('read-only');
  const person = await stage.person(agent.pane.link.sessionId);
  const viewer = await stage.person(agent.pane.link.sessionId);
  const [, tty = ''] = stage.tmux
    .run('list-clients', '-t', agent.pane.link.sessionId, '-F', '#{client_control_mode} #{client_name}')
    .split('\n')
    .filter((line) => line.startsWith('0 '))
    .map((line) => line.slice(2));
  stage.tmux.run('switch-client', '-r', '-c', tty);
  const hold = await stage.hold(agent.pane);
  viewer.send('v');
  person.send('p');
  await settled();
  const released = await hold.release();
  expect(released.by).toBe('us');
  await arrives(agent, 'p');
  expect(stage.traces()).toBe('');
});

it('a pending prefix, of any session, is not thrown away: refused, and a moment later it is held', async () => {
  const agent = await stage.recorder('pending');
  const other = await stage.recorder('pending-other');
  const person = await stage.person(other.pane.link.sessionId);
  person.send('\x02');
  await until(() => keyTables(other.pane.link.sessionId).includes('prefix'), 'the prefix');
  expect(await stage.refusal(agent.pane)).toBe('pending_prefix');
  person.send('\x02');
  await arrives(other, '\x02');
  const hold = await stage.hold(agent.pane);
  await hold.release();
});

it('a prefix pressed at the end of the keys is waited for, and works', async () => {
  const agent = await stage.recorder('prefix-end');
  const session = agent.pane.link.sessionId;
  const person = await stage.person(session);
  const hold = await stage.hold(agent.pane);
  person.send('a\x02');
  await settled();
  let over = false;
  const releasing = hold.release().then(() => (over = true));
  await until(() => keyTables(session).includes('prefix'), 'the prefix');
  await settled();
  expect(over).toBe(false);
  person.send('\x02b');
  await releasing;
  await arrives(agent, 'a\x02b');
  expect(stage.traces()).toBe('');
});

it('a prefix that nothing follows does not hold up the release for long, and still works after it', async () => {
  const agent = await stage.recorder('prefix-left');
  const session = agent.pane.link.sessionId;
  const person = await stage.person(session);
  const hold = await stage.hold(agent.pane);
  person.send('a\x02');
  await settled();
  await hold.release();
  expect(keyTables(session)).toEqual(['prefix']);
  person.send('\x02b');
  await arrives(agent, 'a\x02b');
  expect(stage.traces()).toBe('');
});

it('the program ends during the hold: the release still ends', async () => {
  const agent = await stage.recorder('ends');
  const session = agent.pane.link.sessionId;
  const person = await stage.person(session);
  stage.tmux.run('new-window', '-d', '-t', session, 'cat');
  const hold = await stage.hold(agent.pane);
  person.send('abc');
  await settled();
  stage.tmux.run('kill-pane', '-t', agent.pane.id);
  expect((await hold.release()).by).toBe('us');
  expect(stage.traces()).toBe('');
});
