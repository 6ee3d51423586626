// A hold whose owner is gone ends by itself: the rescuer first, then the keys in order, and nothing stays behind.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { findHold, HOLD_WATCH, Pane, TmuxServer } from '../src/tmux/index.js';
import { arrives, freshToken, HoldStage, PACE, type Recorder, settled } from './support/hold.js';
import { until } from './support/tmux.js';

const stage = new HoldStage();
afterEach(() => stage.tidy());
afterAll(() => stage.dispose());

const processes = (token: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('hold-watch') && line.includes(token));

// A daemon of its own, whose connection can be cut.
async function owner(agent: Recorder): Promise<{ pane: Pane; pids: Set<number>; vanish(): void }> {
  const server = new TmuxServer({ kind: 'name', name: stage.tmux.name });
  const lease = server.lease(agent.pane.link.sessionId);
  await lease.link.ready();
  const pids = new Set([...server.ownClientPids, ...stage.tmux.server.ownClientPids]);
  const vanish = (): void => {
    for (const pid of server.ownClientPids) process.kill(pid, 'SIGKILL');
    lease.dispose();
  };
  return { pane: new Pane(lease.link, agent.pane.id), pids, vanish };
}

it('runs the rescue, then frees the keys in order and cleans up; whatever its paths are called', async () => {
  const folder = stage.tmux.file(`it's "a" #{pane_id} $HOME %d folder`);
  fs.mkdirSync(folder);
  const script = path.join(folder, 'hold-watch #1.sh');
  fs.copyFileSync(HOLD_WATCH, script);
  const agent = await stage.recorder('abandoned', '--bracketed');
  stage.tmux.run('set-option', '-t', agent.pane.link.sessionId, 'assume-paste-time', '3');
  const before = stage.traces();
  const person = await stage.person(agent.pane.link.sessionId);
  const rescued = path.join(folder, 'rescued #(x)');
  const recorded = stage.tmux.file('abandoned');
  const daemon = await owner(agent);
  const from = Date.now();
  await stage.hold(daemon.pane, {
    ownClients: daemon.pids,
    maxMs: 800,
    watch: {
      script,
      rescue: ['/bin/sh', '-c', 'wc -c < "$1" > "$2.new" && mv "$2.new" "$2"', 'rescue', recorded, rescued],
      graceMs: 600,
    },
  });
  person.send('héld\x1b[A');
  person.paste('two\rlines');
  person.send('\r\x02c');
  await settled();
  daemon.vanish();
  await until(() => fs.existsSync(rescued), 'the rescue', 6000);
  expect(Date.now() - from).toBeGreaterThanOrEqual(750);
  person.send('x');
  expect(fs.readFileSync(rescued, 'utf8').trim()).toBe('0');
  await until(() => stage.traces() === before, 'nothing left of the hold');
  expect(Date.now() - from).toBeGreaterThanOrEqual(1350);
  await arrives(agent, 'héld\x1b[A\x1b[200~two\rlines\x1b[201~\r');
  expect(stage.tmux.run('list-windows', '-t', agent.pane.link.sessionId).split('\n')).toHaveLength(2);
  stage.tmux.run('set-option', '-u', '-t', agent.pane.link.sessionId, 'assume-paste-time');
});

it('leaves the keys to a rescuer who finds the hold', async () => {
  const agent = await stage.recorder('found');
  const person = await stage.person(agent.pane.link.sessionId);
  const called = stage.tmux.file('called');
  const token = freshToken();
  const daemon = await owner(agent);
  await stage.hold(daemon.pane, {
    token,
    ownClients: daemon.pids,
    maxMs: 300,
    watch: { script: HOLD_WATCH, rescue: ['touch', called] },
  });
  person.send('abc');
  await settled();
  daemon.vanish();
  await until(() => fs.existsSync(called), 'the rescue', 6000);
  expect(agent.bytes().length).toBe(0);
  const found = await findHold(agent.pane, PACE);
  expect(found?.token).toBe(token);
  // A recovery that takes its time asks for it.
  await found?.extend(8000);
  await settled(500);
  expect(agent.bytes().length).toBe(0);
  expect(await found?.release()).toMatchObject({ by: 'us', keys: 3 });
  await arrives(agent, 'abc');
  await until(() => processes(token).length === 0, 'the end of the watchdog', 5000);
  expect(stage.traces()).toBe('');
});

it('lets no further key through once a rescuer who came late has taken the hold over, who knows that some came', async () => {
  const agent = await stage.recorder('late');
  const person = await stage.person(agent.pane.link.sessionId);
  const daemon = await owner(agent);
  await stage.hold(daemon.pane, {
    ownClients: daemon.pids,
    maxMs: 300,
    pace: { stepMs: 100, enterMs: 100 },
    watch: { script: HOLD_WATCH, rescue: [], graceMs: 0 },
  });
  const keys = 'abcdefghijklmnopqrst';
  person.send(keys);
  await settled();
  daemon.vanish();
  await until(() => agent.bytes().length > 2, 'the first keys', 6000);
  const found = await findHold(agent.pane, PACE);
  await found?.extend(8000);
  expect(await found?.look()).toBe(true);
  expect(found?.wasFreed).toBe(true);
  await settled(300);
  const some = agent.bytes().length;
  expect(some).toBeLessThan(keys.length);
  await settled(500);
  expect(agent.bytes().length).toBe(some);
  await found?.release();
  await arrives(agent, keys);
});

it('waits as long as the owner asks for, and ends soon after the release', async () => {
  const agent = await stage.recorder('extended');
  const person = await stage.person(agent.pane.link.sessionId);
  const called = stage.tmux.file('not-called');
  const token = freshToken();
  const hold = await stage.hold(agent.pane, {
    token,
    maxMs: 2500,
    watch: { script: HOLD_WATCH, rescue: ['touch', called], graceMs: 0 },
  });
  expect(processes(token)).toEqual([]);
  await hold.extend(20_000);
  person.send('a');
  await until(() => processes(token).length > 0, 'the watchdog');
  await settled(900);
  expect(agent.bytes().length).toBe(0);
  await hold.release();
  await until(() => processes(token).length === 0, 'the end of the watchdog', 2000);
  expect(fs.existsSync(called)).toBe(false);
  await arrives(agent, 'a');
});

it('frees the keys of those who are still there when a client vanished', async () => {
  const agent = await stage.recorder('vanished');
  const gone = await stage.person(agent.pane.link.sessionId);
  const stays = await stage.person(agent.pane.link.sessionId);
  const daemon = await owner(agent);
  await stage.hold(daemon.pane, {
    ownClients: daemon.pids,
    maxMs: 700,
    watch: { script: HOLD_WATCH, rescue: [] },
  });
  gone.send('x');
  stays.send('abc');
  await settled();
  await gone.leave();
  daemon.vanish();
  await until(() => stage.traces() === '', 'nothing left of the hold');
  await arrives(agent, 'abc');
});

it('cleans up after a session that ended under its hold', async () => {
  const agent = await stage.recorder('ended');
  await stage.hold(agent.pane, { maxMs: 300 });
  stage.tmux.run('kill-session', '-t', agent.pane.link.sessionId);
  await until(() => stage.traces() === '', 'nothing left of the hold');
});

it('opens no view mode in anyone’s pane, not even when it cannot be run', async () => {
  const agent = await stage.recorder('missing');
  const watch = { script: '/does/not/exist.sh', rescue: [] };
  const hold = await stage.hold(agent.pane, { maxMs: 10, watch });
  await settled();
  expect(await agent.pane.format('#{pane_in_mode}')).toBe('0');
  await hold.release();
});

it('survives an owner that is killed at any moment', { timeout: 120_000 }, async () => {
  const agent = await stage.recorder('killed');
  const person = await stage.person(agent.pane.link.sessionId);
  let sent = '';
  for (let round = 0; round < 15; round++) {
    const daemon = await owner(agent);
    const starting = stage.start(daemon.pane, {
      ownClients: daemon.pids,
      maxMs: 250,
      watch: { script: HOLD_WATCH, rescue: [], graceMs: 0 },
    });
    starting.catch(() => {});
    const type = (text: string): void => {
      person.send(text);
      sent += text;
    };
    type(`${round}:`);
    // Its command lists follow each other within a few milliseconds.
    await settled(round * 0.7);
    daemon.vanish();
    type('abc ');
    await until(() => stage.traces() === '', `nothing left of hold ${round}`);
  }
  await arrives(agent, sent);
});
