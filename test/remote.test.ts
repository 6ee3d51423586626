// Sessions on another machine: a real OpenSSH server, and a tmux behind it that knows nothing of us.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { briefing } from '../src/agents/briefing.js';
import { Far, isAlive, NO_SSHD } from './support/far.js';
import { fill, seenEmpty } from './support/fill.js';
import { fakeAgent, until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

const STASH = `
programs: []
protocols: [{ protocol: direct }, { protocol: stash }]
stash: { key: C-s, taken: '› stashed' }
pace: { stepMs: 2, enterMs: 50 }
`;

describe.skipIf(NO_SSHD)('a machine that is reached over ssh', () => {
  let far: Far;
  let world: World;
  beforeAll(async () => {
    far = new Far();
    await far.start();
    world = new World({ SM_SSH_CONFIG: far.config });
    world.profile('fake-stash', STASH);
    await world.begin();
    await world.client.addHost({ name: 'box', destination: 'far' });
  });
  afterAll(async () => {
    await world.dispose();
    await far.dispose();
  });

  test('is checked step by step', async () => {
    const { code, stdout } = await world.sm(['host', 'check', 'box']);
    expect(stdout).toMatch(/ok +tmux: tmux 3/);
    expect(stdout).not.toMatch(/failed|not tried/);
    expect(code).toBe(0);
    expect(await world.client.hosts()).toMatchObject([
      { name: 'box', destination: 'far', state: 'up', clock_skew: 0 },
    ]);
  });

  test('a program is started there, and takes its mail', async () => {
    const agent = await far.agent(world, 'box');
    expect(agent.session).toMatchObject({ host: 'box', host_down: null, state: 'live', socket: far.socket });
    expect(far.tmux('list-panes', '-a', '-F', '#{pane_id}')).toContain(agent.session.pane);
    const message = await world.send(agent, 'hello over there');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
    expect((await world.sm(['ls'])).stdout).toContain(`box:${far.folder}`);
  });

  test('its program gets the words and variables that it was given, and none of ours', async () => {
    const words = ["it's", 'a  b', '$HOME', '\\', '#{pane_id}', '*', ''];
    const out = far.file('given');
    const code = `require('fs').writeFileSync(process.env.OUT, JSON.stringify([process.argv.slice(1), process.env])); setTimeout(() => {}, 1e9)`;
    await world.client.start({
      host: 'box',
      command: [process.execPath, '-e', code, '--', ...words],
      env: { OUT: out, API_TOKEN: 'secret "1"' },
    });
    await until(() => fs.existsSync(out) && fs.statSync(out).size > 0, 'the program to run');
    const [argv, env] = JSON.parse(fs.readFileSync(out, 'utf8'));
    expect(argv).toEqual(words);
    expect(env).toMatchObject({ API_TOKEN: 'secret "1"' });
    expect(Object.keys(env).filter((name) => name.startsWith('SM_'))).toEqual([]);
    // A command line is shown to every user.
    const shown = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(shown).not.toContain('secret "1"');
  });

  test('a draft of a person who types there makes way and is back, and their keys wait meanwhile', async () => {
    const agent = await far.agent(world, 'box', ['--stash', 'C-s'], { agent: 'fake-stash' });
    await seenEmpty(world, agent);
    const person = await far.person(agent);
    await fill(agent, person, { text: 'half a', back: 0 });
    const typing = person.type(' thought of mine that goes on and on');
    const message = await world.send(agent, 'hello', { past_draft: 'now' });
    expect((await world.submitted(message)).receipt).toBe('submitted');
    await typing;
    await until(
      async () => (await agent.draft()).text === 'half a thought of mine that goes on and on',
      'the draft, with all that was typed meanwhile',
    );
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    await until(() => !far.holds, 'the keys to be free');
    const { events } = await world.client.message(message.id);
    expect(events.some(({ data }) => data.way === 'stash')).toBe(true);
  });

  test('an agent there is told to print markers: it has no sm to run', async () => {
    const agent = await far.agent(world, 'woken/cli', [], { agent: 'claude', name: 'told' });
    const words = fs.readFileSync(`/proc/${agent.pid()}/cmdline`, 'utf8').split('\0');
    const told = words[words.indexOf('--append-system-prompt') + 1];
    expect(told).toBe(briefing('far', { signals: true }));
  });

  test('a pane that is there is adopted by HOST:target, and listed', async () => {
    far.tmux('new-session', '-d', '-s', 'work', '-x', '100', '-y', '30', process.execPath, fakeAgent('box'));
    const pane = far.tmux('display-message', '-p', '-t', 'work', '#{pane_id}');
    const listed = await world.sm(['adopt', '--host', 'box', '--all', '--json']);
    expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ pane, target: 'work:0.0' }));
    const { stdout } = await world.sm(['adopt', 'box:work', '--name', 'adopted', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ host: 'box', pane, origin: 'adopted', state: 'live' });
    const message = await world.send('adopted', 'hello');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    // It is there once, however it is named.
    const again = await world.client.adopt({ host: 'box', target: pane, socket: far.socket });
    expect(again.name).toBe('adopted');
  });

  test('what ends there is seen, and what is killed here ends there', async () => {
    const agent = await far.agent(world, 'box');
    const pid = agent.session.program?.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    await world.client.kill(agent.session.id);
    await until(() => !isAlive(pid), 'its program to end');
    const other = await far.agent(world, 'box');
    process.kill(other.session.program?.pid ?? 0, 'SIGKILL');
    await until(
      async () => (await world.client.session(other.session.id)).state === 'ended',
      'its end to be seen',
    );
  });

  test('a program that floods does not keep the keys of another one waiting', async () => {
    const flood = await world.client.start({ host: 'box', command: ['yes', 'x'.repeat(200)], name: 'flood' });
    const agent = await far.agent(world, 'box');
    await seenEmpty(world, agent);
    const out = await world.client.output(flood.id, { follow: true });
    let bytes = 0;
    out.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    for (let round = 0; round < 5; round++) {
      const before = bytes;
      await until(() => bytes > before, 'it to flood the same connection');
      const message = await world.send(agent, `round ${round}`);
      expect((await world.submitted(message)).receipt).toBe('submitted');
    }
    expect(bytes).toBeGreaterThan(100_000);
    out.destroy();
    await world.client.kill(flood.id);
  });

  test('more sessions than a connection takes', async () => {
    const names = Array.from({ length: 14 }, (_, i) => `many-${i}`);
    const agents = [];
    for (const name of names) agents.push(await far.agent(world, 'box', [], { name, ready: false }));
    const messages = await Promise.all(agents.map((agent) => world.send(agent, `to ${agent.session.name}`)));
    for (const message of messages) expect((await world.submitted(message)).receipt).toBe('submitted');
    const [host] = await world.client.hosts();
    expect(host?.connections).toBeGreaterThan(1);
    expect(host?.connections).toBeLessThanOrEqual(4);
    for (const { session } of agents) await world.client.kill(session.id);
  });

  test('the daemon is killed and comes back: what it had there ends, and all is found again', async () => {
    const agent = await far.agent(world, 'box', [], { name: 'survivor' });
    await seenEmpty(world, agent);
    const clients = (): number[] =>
      far
        .tmux('list-clients', '-F', '#{client_control_mode} #{client_pid}')
        .split('\n')
        .flatMap((line) => (line.startsWith('1 ') ? [Number(line.slice(2))] : []));
    const before = clients();
    expect(before.length).toBeGreaterThan(0);
    await world.kill9();
    await until(() => far.connections === 0, 'its connections to end');
    await until(() => !clients().some((pid) => before.includes(pid)), 'its clients there to end');
    expect(fs.readdirSync(path.join(world.home, 'ssh'))).toEqual([]);
    await world.startDaemon();
    const message = await world.send(agent, 'are you there');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    expect(await world.client.session('survivor')).toMatchObject({ state: 'live', epoch: 1 });
  });

  test('a night without a network: nothing is gone, mail waits, and all goes on in the morning', async () => {
    const agent = await far.agent(world, 'box', [], { name: 'sleeper' });
    await seenEmpty(world, agent);
    const told: (string | null)[] = [];
    await new Promise<void>((opened) => {
      // It ends with the daemon, which is killed below.
      void (async () => {
        for await (const { event } of world.client.events(undefined, opened))
          if (event.type === 'session' && event.session.name === 'sleeper')
            told.push(event.session.host_down);
      })().catch(() => {});
    });
    await far.stop();
    const message = await world.send(agent, 'good morning');
    await world.held(message, 'host_down');
    await until(() => told.some((reason) => reason !== null), 'the feed to tell');
    expect(await world.client.session('sleeper')).toMatchObject({
      state: 'live',
      host_down: expect.stringMatching(/far cannot be reached|connection/),
    });
    expect((await world.sm(['ls'])).stdout).toMatch(/sleeper .*host down/);
    const killed = await world.sm(['kill', 'sleeper']);
    expect(killed).toMatchObject({ code: 4, stderr: expect.stringMatching(/host box is not reached/) });
    // Also a daemon that is started meanwhile.
    await world.kill9();
    await world.startDaemon();
    expect(await world.client.session('sleeper')).toMatchObject({ state: 'live', epoch: 1 });
    await world.held(message, 'host_down');
    await far.listen();
    await world.client.checkHost('box');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    expect(await world.client.session('sleeper')).toMatchObject({ host_down: null, epoch: 1 });
  });

  test('what is printed streams on after the connection was lost', async () => {
    const file = far.file('said');
    fs.writeFileSync(file, '');
    const session = await world.client.start({ host: 'box', command: ['tail', '-f', file], name: 'speaker' });
    const out = await world.client.output('speaker', { follow: true });
    let seen = '';
    out.on('data', (chunk: Buffer) => {
      seen += chunk;
    });
    fs.appendFileSync(file, 'before\n');
    await until(() => seen.includes('before'), 'output before');
    far.cut();
    await until(
      async () => (await world.client.session(session.id)).host_down !== null,
      'the host to be down',
    );
    await world.client.checkHost('box');
    await until(async () => (await world.client.session(session.id)).host_down === null, 'the host to be up');
    fs.appendFileSync(file, 'after\n');
    await until(() => seen.includes('after'), 'output after');
    out.destroy();
  });

  test('a tmux server there that ends takes its sessions with it, and no others', async () => {
    far.tmux('-L', 'other', 'new-session', '-d', '-s', 'other', '-x', '100', '-y', '30', 'cat');
    const session = await world.client.adopt({
      host: 'box',
      target: 'other',
      socket: 'other',
      name: 'other',
    });
    expect(session).toMatchObject({ state: 'live', socket: expect.stringMatching(/\/other$/) });
    far.tmux('-L', 'other', 'kill-server');
    await until(async () => (await world.client.session('other')).state === 'gone', 'it to be gone');
    expect(await world.client.session('other')).toMatchObject({ state_reason: 'its tmux server has ended' });
    expect(await world.client.session('speaker')).toMatchObject({ state: 'live', host_down: null });
  });

  test('a tmux server there that is replaced while nobody gets there is another one, whatever its panes are called', async () => {
    const begin = (): string =>
      far.tmux('-L', 'twin', 'new-session', '-d', '-P', '-F', '#{session_id} #{pane_id}', 'cat');
    const before = begin();
    await world.client.adopt({ host: 'box', target: '%0', socket: 'twin', name: 'twin' });
    await far.stop();
    const message = await world.send('twin', 'hello', { command: true });
    await world.held(message, 'host_down');
    far.tmux('-L', 'twin', 'kill-server');
    await until(() => {
      try {
        return begin() === before;
      } catch {
        return false;
      }
    }, 'another server with the same ids');
    await far.listen();
    await world.client.checkHost('box');
    await until(async () => (await world.client.session('twin')).state === 'gone', 'it to be gone');
    expect(await world.client.session('twin')).toMatchObject({ state_reason: 'its tmux server has ended' });
    expect(far.tmux('-L', 'twin', 'capture-pane', '-p', '-t', '%0').trim()).toBe('');
    far.tmux('-L', 'twin', 'kill-server');
  });

  test('which version of an agent runs there is asked of it', async () => {
    const bin = far.file('claude');
    fs.writeFileSync(
      bin,
      '#!/bin/sh\n[ "$1" = --version ] && echo "2.1.325 (Claude Code)" && exit\nexec cat\n',
      { mode: 0o700 },
    );
    const { id } = await world.client.start({ host: 'box', command: [bin] });
    const { sessions } = await world.client.doctor();
    const found = sessions.find((session) => session.id === id);
    expect(found).toMatchObject({ agent: 'claude', version: '2.1.325', door: null });
    expect(found?.ways.map(({ protocol }) => protocol)).toContain('stash');
    expect(found?.ways.map(({ protocol }) => protocol)).not.toContain('editor');
  });

  test('is not forgotten while there are sessions on it', async () => {
    const refused = await world.sm(['host', 'rm', 'box']);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(/there are sessions on box/) });
    for (const { id, host } of await world.client.sessions())
      if (host) await world.client.kill(id, { keep: true });
    expect((await world.sm(['host', 'rm', 'box'])).code).toBe(0);
    expect(await world.client.hosts()).toEqual([]);
    await until(() => far.connections === 0, 'its connections to end');
  });
});

describe.skipIf(NO_SSHD)('what cannot be reached is told in one sentence', () => {
  let far: Far;
  let world: World;
  beforeAll(async () => {
    far = new Far();
    await far.start();
    world = await World.start({ SM_SSH_CONFIG: far.config });
  });
  afterAll(async () => {
    await world.dispose();
    await far.dispose();
  });

  const check = async (name: string): Promise<string> => (await world.sm(['host', 'check', name])).stdout;

  test('words that are no host', async () => {
    const said = async (...args: string[]): Promise<string> => (await world.sm(args)).stderr;
    expect(await said('host', 'check', 'nowhere')).toMatch(/no such host: nowhere/);
    expect(await said('new', '--host', 'nowhere', '--', 'cat')).toMatch(/no such host: nowhere/);
    expect(await said('host', 'add', 'a', '--', '-oProxyCommand=touch /tmp/x')).toMatch(/destination/);
    expect(await said('host', 'add', 'a/b', 'far')).toMatch(/name/);
    expect(await said('host', 'add', 'a', 'two words')).toMatch(/destination/);
    expect(await said('host', 'add', 'a', 'me@box:2222')).toMatch(/ssh:\/\/me@box:2222/);
    expect(await world.client.hosts()).toEqual([]);
  });

  test('a host key that is not known is refused, and never added', async () => {
    const known = far.file('empty');
    fs.writeFileSync(known, '');
    far.configure({ known });
    const { stdout } = await world.sm(['host', 'add', 'unknown', 'far']);
    expect(stdout).toMatch(/ok +reached\nfailed +host key: .*run "ssh far" once/);
    expect(fs.readFileSync(known, 'utf8')).toBe('');
    far.configure();
    expect(await check('unknown')).not.toMatch(/failed/);
    await world.client.removeHost('unknown');
  });

  test('a login that is refused', async () => {
    far.configure({ user: 'other' });
    const { code, stdout } = await world.sm(['host', 'add', 'denied', 'far']);
    expect(code).toBe(4);
    expect(stdout).toMatch(/ok +host key\nfailed +login: far lets us in with no key/);
    expect((await world.client.hosts())[0]?.reason).toMatch(/no key/);
    far.configure();
    await world.client.removeHost('denied');
  });

  test('a program or a folder that is not there', async () => {
    await world.client.addHost({ name: 'box', destination: 'far' });
    const start = (command: string[], cwd?: string) =>
      world.client.start({ host: 'box', command, ...(cwd && { cwd }) });
    await expect(start(['no-such-program'])).rejects.toThrow(/command not found on box: no-such-program/);
    await expect(start(['cat'], '/no/such')).rejects.toThrow(/no such folder on box: \/no\/such/);
    await expect(start(['cat'], 'relative')).rejects.toThrow(/no such folder on box/);
    await expect(world.client.adopt({ host: 'box', target: 'none' })).rejects.toThrow(/no such pane/);
    expect(await world.client.sessions()).toEqual([]);
  });

  test('another machine at the same address', async () => {
    await far.changeHostKey();
    await world.client.addHost({ name: 'changed', destination: 'far' });
    expect(await check('changed')).toMatch(/failed +host key: .*is not the one that ssh knows/);
    await world.client.removeHost('changed');
  });

  test('nobody at all', async () => {
    await far.stop();
    await world.client.addHost({ name: 'silent', destination: 'far' });
    expect(await check('silent')).toMatch(/failed +reached: far cannot be reached: .*Connection refused/);
    const failed = await world.sm(['new', '--host', 'silent', '--', 'cat']);
    expect(failed).toMatchObject({ code: 4, stderr: expect.stringMatching(/host silent is down/) });
  });
});

describe.skipIf(NO_SSHD)('a machine that takes few channels on a connection', () => {
  test('one that takes a single one cannot be used, and says why', async () => {
    const far = new Far({ maxSessions: 1 });
    await far.start();
    const world = await World.start({ SM_SSH_CONFIG: far.config });
    try {
      await world.client.addHost({ name: 'box', destination: 'far' });
      const refused = expect(world.client.start({ host: 'box', command: ['cat'] })).rejects.toThrow(
        /host box is down: .*MaxSessions/,
      );
      await until(
        async () => (await world.client.hosts())[0]?.reason?.includes('MaxSessions'),
        'the reason to be told',
      );
      expect(far.connections).toBeLessThanOrEqual(2);
      await refused;
    } finally {
      await world.dispose();
      await far.dispose();
    }
  });

  test('gets as many connections as are needed', async () => {
    const far = new Far({ maxSessions: 3 });
    await far.start();
    const world = await World.start({ SM_SSH_CONFIG: far.config });
    try {
      await world.client.addHost({ name: 'box', destination: 'far' });
      const sessions = [];
      for (let i = 0; i < 5; i++)
        sessions.push(await world.client.start({ host: 'box', command: ['cat'], name: `s${i}` }));
      for (const { id } of sessions) {
        const message = await world.send(id, 'hello', { command: true });
        expect((await world.submitted(message)).receipt).toBe('submitted');
      }
    } finally {
      await world.dispose();
      await far.dispose();
    }
  });
});
