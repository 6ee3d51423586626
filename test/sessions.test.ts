// Sessions: who they are, who may take a name, what becomes of them when panes move, programs end and daemons die.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, Session } from '../src/api/types.js';
import { fakeAgent, until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended may stay listed until its parent has looked.
    return !/^\d+ \(.*\) Z /s.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};
const inState = (session: Session, state: Session['state']): Promise<Session> =>
  until(
    async () => {
      const now = await world.client.session(session.id);
      return now.state === state ? now : undefined;
    },
    `${session.name} to be ${state}`,
    5000,
  );
const paneExists = (pane: string): boolean =>
  world.tmux('list-panes', '-a', '-F', '#{pane_id}').split('\n').includes(pane);
const shell = (name: string): Promise<Session> =>
  world.client.start({ name, command: ['sh'], socket: world.socket, cwd: world.folder });

// A fake agent that a person started in a pane of their own.
async function paneWith(program: string): Promise<{ pane: string } & ReturnType<World['agentLog']>> {
  const log = world.agentLog(`pane-${randomBytes(3).toString('hex')}`);
  const pane = world.tmux(
    ...['new-session', '-d', '-x', '100', '-y', '30', '-P', '-F', '#{pane_id}'],
    ...['-e', `FAKE_LOG=${log.log}`, '--', process.execPath, fakeAgent(program)],
  );
  await until(() => log.events().some(({ ev }) => ev === 'ready'), 'the agent');
  return { pane, ...log };
}
const adopt = (target: string, more: object = {}): Promise<Session> =>
  world.client.adopt({ target, socket: world.socket, ...more });

// What an agent was given by a session.
const from = (session: Session, message: Message): string =>
  delivered(message, `${session.name} (${session.id})`);

describe('a started session', () => {
  test('is listed with what is known about it', async () => {
    const { session } = await world.agent('box', [], { name: 'listed' });
    const listed = (await world.client.sessions()).find(({ id }) => id === session.id);
    expect(listed).toMatchObject({
      name: 'listed',
      agent: 'generic',
      origin: 'started',
      state: 'live',
      epoch: 1,
      cwd: world.folder,
      socket: world.socket,
      command: [process.execPath, fakeAgent('box')],
      pending: 0,
      held: null,
    });
    expect(listed?.id).toMatch(/^[0-9a-f]{8}$/);
    expect(isAlive(listed?.program?.pid ?? 0)).toBe(true);
    expect(paneExists(listed?.pane ?? '')).toBe(true);
  });

  test('knows who it is, and finds sm', async () => {
    const session = await shell('self-aware');
    const out = path.join(world.folder, 'self.json');
    await world.submitted(
      await world.send(session, `sm whoami --json > ${out}.tmp; mv ${out}.tmp ${out}`, { command: true }),
    );
    await until(() => fs.existsSync(out), 'the answer');
    expect(JSON.parse(fs.readFileSync(out, 'utf8'))).toMatchObject({
      name: 'self-aware',
      session: { id: session.id },
    });
  });

  test('whose program cannot be started leaves nothing behind', async () => {
    const before = [await world.client.sessions(), world.tmux('list-panes', '-a')];
    await expect(
      world.client.start({ name: 'nothing', command: ['no-such-program'], socket: world.socket }),
    ).rejects.toMatchObject({ status: 400 });
    expect([await world.client.sessions(), world.tmux('list-panes', '-a')]).toEqual(before);
  });

  test('whose program fails at once is shown as ended, with its last words', async () => {
    const session = await world.client.start({
      name: 'short-lived',
      command: ['sh', '-c', 'echo the last words; exit 3'],
      socket: world.socket,
    });
    await inState(session, 'ended');
    const answer = await world.sm(['output', 'short-lived']);
    expect(answer.stdout).toContain('the last words');
  });

  test('is killed: its program ends, what waits is cancelled, its name is free', async () => {
    const agent = await world.agent('box', [], { name: 'killed' });
    await world.client.update('killed', { paused: true });
    const messages = [await world.send(agent, 'one'), await world.send(agent, 'two')];
    expect(await world.client.kill('killed')).toEqual({ id: agent.session.id, name: 'killed', cancelled: 2 });
    await until(() => !isAlive(agent.session.program?.pid ?? 0), 'the program to end');
    expect(paneExists(agent.session.pane)).toBe(false);
    for (const { id } of messages) {
      const after = await world.client.message(id);
      expect(after).toMatchObject({ state: 'cancelled', receipt: 'queued', queue_position: null });
      expect(after.events.at(-1)?.kind).toBe('cancelled');
    }
    await expect(world.client.session('killed')).rejects.toMatchObject({ status: 404 });
    expect((await world.agent('box', [], { name: 'killed' })).session.id).not.toBe(agent.session.id);
    expect(agent.submissions()).toEqual([]);
  });

  test('is forgotten with keep: its program goes on, and the pane can be adopted again', async () => {
    const agent = await world.agent('box', [], { name: 'kept' });
    await world.client.kill('kept', { keep: true });
    await expect(world.client.session('kept')).rejects.toMatchObject({ status: 404 });
    expect(isAlive(agent.session.program?.pid ?? 0)).toBe(true);
    expect(paneExists(agent.session.pane)).toBe(true);
    const again = await adopt(agent.session.pane, { name: 'kept' });
    const message = await world.send(again, 'still there?');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
  });
});

describe('names', () => {
  test('are unique: a second session of the same name is refused', async () => {
    await shell('unique');
    await expect(shell('unique')).rejects.toMatchObject({ status: 409, detail: { code: 'name_taken' } });
  });

  test('are unique also when both are asked for at once', async () => {
    const outcomes = await Promise.allSettled([shell('racing'), shell('racing'), shell('racing')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await world.client.sessions()).filter(({ name }) => name === 'racing')).toHaveLength(1);
  });

  test('of our own making are the name of the program, numbered', async () => {
    const start = (): Promise<Session> => world.client.start({ command: ['cat'], socket: world.socket });
    const names = [(await start()).name, (await start()).name, (await start()).name];
    expect(names).toEqual(['cat', 'cat-2', 'cat-3']);
    await world.client.kill('cat-2');
    expect((await start()).name).toBe('cat-2');
  });

  test('can be changed, and mail goes on under the same id', async () => {
    const agent = await world.agent('box', [], { name: 'before' });
    const renamed = await world.client.update('before', { name: 'after' });
    expect(renamed).toMatchObject({ id: agent.session.id, name: 'after' });
    await expect(world.client.session('before')).rejects.toMatchObject({ status: 404 });
    const message = await world.send('after', 'by the new name');
    expect(message.to).toEqual({ id: agent.session.id, name: 'after' });
    expect((await world.submitted(message)).receipt).toBe('submitted');
    await expect(world.client.update('after', { name: 'unique' })).rejects.toMatchObject({ status: 409 });
    expect((await world.client.update('after', { name: 'after' })).name).toBe('after');
  });

  test('need not be written: the beginning of an id will do', async () => {
    const { id } = await shell('by-prefix');
    const others = (await world.client.sessions())
      .filter((other) => other.id !== id)
      .map((other) => other.id);
    const clear = [3, 4, 5, 6, 7]
      .map((n) => id.slice(0, n))
      .find((part) => !others.some((other) => other.startsWith(part)));
    expect((await world.client.session(clear ?? id)).name).toBe('by-prefix');
  });
});

describe('a pane that a person started', () => {
  test('is adopted by its id and gets mail', async () => {
    const { pane, submissions } = await paneWith('box');
    const session = await adopt(pane, { name: 'by-id' });
    expect(session).toMatchObject({ origin: 'adopted', state: 'live', pane, name: 'by-id' });
    const message = await world.send(session, 'hello');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(submissions()).toEqual([delivered(message)]);
  });

  test('is adopted by a target such as session:window.pane', async () => {
    const { pane } = await paneWith('box');
    const target = world.tmux(
      'display-message',
      '-p',
      '-t',
      pane,
      '#{session_name}:#{window_index}.#{pane_index}',
    );
    expect((await adopt(target)).pane).toBe(pane);
  });

  test('adopted twice is the same session', async () => {
    const { pane } = await paneWith('box');
    const first = await adopt(pane, { name: 'twice' });
    expect((await adopt(pane)).id).toBe(first.id);
    expect((await adopt(pane, { name: 'twice', empty: true })).id).toBe(first.id);
    expect((await world.client.sessions()).filter((session) => session.pane === pane)).toHaveLength(1);
  });

  test('adopted twice at once is one session', async () => {
    const { pane } = await paneWith('box');
    await Promise.allSettled([adopt(pane), adopt(pane), adopt(pane)]);
    expect((await world.client.sessions()).filter((session) => session.pane === pane)).toHaveLength(1);
  });

  test.each(['%9999', 'no-such-session', 'keep:99', 'keep:0.99'])(
    '%s does not exist: refused',
    async (target) => {
      await expect(adopt(target)).rejects.toMatchObject({
        status: 400,
        detail: { field: 'target', value: target, expected: expect.stringContaining('sm adopt') },
      });
    },
  );

  test('on a server that does not run is refused in the same way', async () => {
    await expect(
      world.client.adopt({ target: '%0', socket: path.join(world.folder, 'none.sock') }),
    ).rejects.toMatchObject({ status: 400, detail: { field: 'target' } });
  });

  test('is listed among the panes, with its session once it is one', async () => {
    const { pane } = await paneWith('box');
    const listed = async () => (await world.client.panes(world.socket)).find((each) => each.pane === pane);
    expect(await listed()).toMatchObject({ pane, session: null, agent: null });
    const session = await adopt(pane);
    expect(await listed()).toMatchObject({ pane, session: session.id });
    await world.client.kill(session.id, { keep: true });
    expect(await listed()).toMatchObject({ pane, session: null });
  });
});

describe('who sends', () => {
  const line = (to: TestAgent, text: string): string => `sm send ${to.session.name} ${text}`;
  const received = async (agent: TestAgent): Promise<Message> => {
    await until(() => agent.submissions().length === 1, 'the message');
    return (await world.client.messages({ session: agent.session.id }))[0] as Message;
  };

  test('sm send in a session says which one', async () => {
    const agent = await world.agent('box');
    const sender = await shell('alice');
    await world.send(sender, line(agent, 'hi'), { command: true });
    const message = await received(agent);
    expect(message.from).toEqual({ id: sender.id, name: 'alice' });
    expect(agent.submissions()).toEqual([from(sender, message)]);
  });

  test('sm send in an adopted pane says which session it is', async () => {
    const agent = await world.agent('box');
    const pane = world.tmux(
      'new-session',
      '-d',
      '-P',
      '-F',
      '#{pane_id}',
      '-e',
      `SM_HOME=${world.home}`,
      'sh',
    );
    const sender = await adopt(pane, { name: 'carol' });
    world.tmux('send-keys', '-t', pane, `${world.home}/bin/${line(agent, 'hello')}`, 'Enter');
    const message = await received(agent);
    expect(message.from).toEqual({ id: sender.id, name: 'carol' });
    expect(agent.submissions()).toEqual([from(sender, message)]);
  });

  test('sm send in a split that a person opened beside an agent is from the person', async () => {
    const agent = await world.agent('box');
    const beside = world.tmux(
      ...[
        'split-window',
        '-t',
        agent.session.pane,
        '-P',
        '-F',
        '#{pane_id}',
        '-e',
        `SM_HOME=${world.home}`,
        'sh',
      ],
    );
    expect(world.tmux('show-environment', '-t', agent.session.pane)).not.toContain('SM_SESSION');
    world.tmux('send-keys', '-t', beside, `${world.home}/bin/${line(agent, 'me')}`, 'Enter');
    const message = await received(agent);
    expect(message.from).toEqual({ id: null, name: 'user' });
    expect(agent.submissions()).toEqual([delivered(message)]);
  });

  test('sm send and sm whoami agree, also where the variable of another session was inherited', async () => {
    const agent = await world.agent('box');
    const other = await shell('erin');
    const own = await shell('frank');
    // As on a tmux server that was started from inside erin.
    const env = { SM_SESSION: other.id, TMUX: `${world.socket},1,0`, TMUX_PANE: own.pane };
    const told = JSON.parse((await world.sm(['whoami', '--json'], { env })).stdout) as { name: string };
    await world.sm(['send', agent.session.name, 'who?'], { env });
    expect((await received(agent)).from.name).toBe(told.name);
  });

  test('a session that exists no more is unknown, and not the person', async () => {
    const agent = await world.agent('box');
    await world.sm(['send', agent.session.name, 'who?'], { env: { SM_SESSION: '00000000' } });
    expect(await received(agent)).toMatchObject({ from: { id: '00000000', name: 'unknown' }, as: 'notice' });
  });
});

describe('a session goes on', () => {
  test('after the daemon was killed: same id, same epoch, and it gets its mail', async () => {
    const started = await world.agent('box');
    const { pane, submissions } = await paneWith('box');
    const adopted = await adopt(pane, { name: 'survivor' });
    await world.submitted(await world.send(started, 'before'));
    const before = await world.client.sessions();
    await world.kill9();
    await world.startDaemon();
    expect(await world.client.sessions()).toEqual(before);
    const messages = [await world.send(started, 'after'), await world.send(adopted, 'after')];
    for (const message of messages) expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(started.submissions()).toHaveLength(2);
    expect(submissions()).toEqual([delivered(messages[1] as Message)]);
    const now = await world.client.session(started.session.id);
    expect([now.epoch, now.state, now.program]).toEqual([1, 'live', started.session.program]);
  });

  test('whose program ended while no daemon ran is ended, and what waits for it is kept', async () => {
    const agent = await world.agent('box');
    await world.client.update(agent.session.id, { paused: true });
    const message = await world.send(agent, 'waits');
    await world.kill9();
    world.tmux('kill-pane', '-t', agent.session.pane);
    await world.startDaemon();
    await inState(agent.session, 'gone');
    expect((await world.client.message(message.id)).state).toBe('pending');
  });

  test('when its pane is moved to a window of its own and to another tmux session', async () => {
    const agent = await world.agent('box');
    world.tmux('split-window', '-d', '-t', agent.session.pane, 'cat');
    world.tmux('break-pane', '-d', '-s', agent.session.pane);
    const first = await world.send(agent, 'in a window of its own');
    expect((await world.submitted(first)).receipt).toBe('submitted');
    world.tmux('join-pane', '-d', '-s', agent.session.pane, '-t', 'keep:0');
    const keep = world.tmux('display-message', '-p', '-t', 'keep', '#{session_id}');
    await until(
      async () => (await world.client.session(agent.session.id)).tmux_session === keep,
      'the session to be found where it is now',
    );
    const second = await world.send(agent, 'in another session');
    expect((await world.submitted(second)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(first), delivered(second)]);
    expect(await world.client.session(agent.session.id)).toMatchObject({ epoch: 1, state: 'live' });
  });

  test('when its window is swapped with one of another tmux session', async () => {
    const agent = await world.agent('box');
    const first = await world.send(agent, 'before');
    await world.submitted(first);
    world.tmux('new-session', '-d', '-s', 'swapped', '-x', '100', '-y', '40', 'cat');
    world.tmux('swap-window', '-d', '-s', agent.session.pane, '-t', 'swapped:0');
    const second = await world.send(agent, 'after');
    expect((await world.submitted(second)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(first), delivered(second)]);
    expect(await world.client.session(agent.session.id)).toMatchObject({ epoch: 1, state: 'live' });
  });

  test('when the move ends the tmux session that it was started in', async () => {
    const agent = await world.agent('box');
    await until(
      async () =>
        (await world.client.send({ to: [agent.session.id], text: 'x', dry_run: true })).plans[0]?.way ===
        'direct',
      'the box to be known',
    );
    world.tmux('new-session', '-d', '-s', 'elsewhere', '-x', '100', '-y', '40', 'cat');
    world.tmux('join-pane', '-d', '-s', agent.session.pane, '-t', 'elsewhere:0');
    const message = await world.send(agent, 'moved');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
    expect((await world.client.session(agent.session.id)).epoch).toBe(1);
  });

  test('in a new epoch when its pane is respawned', async () => {
    const agent = await world.agent('box');
    const before = await world.send(agent, 'to the first');
    await world.submitted(before);
    world.tmux('respawn-pane', '-k', '-t', agent.session.pane);
    const now = await until(async () => {
      const session = await world.client.session(agent.session.id);
      return session.epoch === 2 ? session : undefined;
    }, 'a new epoch');
    expect(now.program?.pid).not.toBe(agent.session.program?.pid);
    expect(now.state).toBe('live');
    const after = await world.send(agent, 'to the second');
    expect((await world.submitted(after)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(before), delivered(after)]);
  });
});

describe('a session whose pane is closed', () => {
  test('is gone, says why, and its mail waits', async () => {
    const agent = await world.agent('box');
    world.tmux('kill-pane', '-t', agent.session.pane);
    expect((await inState(agent.session, 'gone')).state_reason).toBe('its pane was closed');
    const message = await world.send(agent, 'too late');
    expect((await world.held(message, 'session_gone')).state).toBe('pending');
    expect(await world.client.kill(agent.session.id)).toMatchObject({ cancelled: 1 });
  });

  test('is gone also when a split beside it stays', async () => {
    const agent = await world.agent('box');
    const split = world.tmux('split-window', '-d', '-t', agent.session.pane, '-P', '-F', '#{pane_id}', 'cat');
    world.tmux('kill-pane', '-t', agent.session.pane);
    await inState(agent.session, 'gone');
    await world.client.kill(agent.session.id);
    expect(paneExists(split)).toBe(true);
  });
});

test('a second daemon on the same home says that one runs, and leaves it alone', async () => {
  const { pid } = await world.client.status();
  expect(await world.startDaemon()).toBe(`running {"pid":${pid}}`);
  expect((await world.client.status()).pid).toBe(pid);
});
