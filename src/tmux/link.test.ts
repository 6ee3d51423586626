// The link to a session: output without loss, floods without memory, reconnects without anyone noticing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Box } from '../../test/support/box.js';
import { sees, TestTmux, until } from '../../test/support/tmux.js';
import { Person } from '../cli/demo/person.js';
import { type Notification, TmuxServer } from './index.js';

let tmux: TestTmux;
beforeEach(() => {
  tmux = new TestTmux();
});
afterEach(() => tmux.dispose());

test('a pane that shows protocol lines does not confuse the replies', async () => {
  const pane = await tmux.pane([
    'sh',
    '-c',
    "printf '%%begin 1 2 3\\n%%end 1 2 1\\n%%exit\\n%%output %%0 x\\n'; exec cat",
  ]);
  await sees(pane, '%output %0 x');
  const [screen, id] = await Promise.all([pane.capture(), pane.format('#{pane_id}')]);
  expect(screen).toContain('%begin 1 2 3\n%end 1 2 1\n%exit\n%output %0 x');
  expect(id).toBe(pane.id);
});

test('a failing command fails alone; those behind it in its own list are dropped', async () => {
  const { link } = await tmux.pane(['cat']);
  const replies = await Promise.allSettled([
    link.command('display-message -p a'),
    link.command('no-such'),
    link.command('display-message -p b'),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const blocks = await link.list(['display-message -p 1', 'kill-pane -t %999', 'display-message -p 2']);
  expect(blocks.map(({ ok }) => ok)).toEqual([true, false]);
});

test('no output is lost to anyone who keeps up: 5 MB, byte for byte', async () => {
  const pane = await tmux.pane(['sh', '-c', 'stty -opost; read go; seq 1 700000; echo END; exec cat']);
  const chunks: Buffer[] = [];
  let size = 0;
  pane.onOutput((data) => {
    chunks.push(data);
    size += data.length;
  });
  await pane.press(['Enter']);
  const expected = `${Array.from({ length: 700_000 }, (_, i) => i + 1).join('\n')}\nEND\n`;
  await until(() => size >= expected.length, 'all the output', 40_000);
  const all = Buffer.concat(chunks).toString();
  expect(all.slice(all.indexOf('1\n2\n3\n')) === expected).toBe(true);
});

test('a flood while we cannot read is paused by tmux, then we look again', async () => {
  const pane = await tmux.pane(['sh', '-c', 'read go; exec yes flood']);
  const events: (Notification['type'] | 'resync')[] = [];
  let resyncs = 0;
  pane.link.onNotification((event) => events.push(event.type));
  pane.onOutput(() => events.push('output'));
  pane.link.onResync(pane.id, () => {
    resyncs++;
    events.push('resync');
  });
  // With a person looking on, tmux reads the pane at full speed whether or not we keep up.
  const person = await Person.attach(tmux.server.socketArgs, pane.link.sessionId);
  await pane.press(['Enter']);
  await sees(pane, 'flood');
  // The whole process stands still, as under a heavy load.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  await until(() => resyncs > 0, 'a resync');
  expect(events).toContain('pause');
  // What comes behind the gap comes after the word of it.
  const behind = events.slice(events.indexOf('pause') + 1);
  expect(behind.filter((one) => one !== 'pause' && one !== 'continue')[0]).toBe('resync');
  expect(await pane.capture()).toContain('flood');
  let more = 0;
  pane.onOutput((data) => {
    more += data.length;
  });
  await until(() => more > 0, 'output after the pause');
  await person.leave();
});

test('our client shapes no window: it keeps its size before, while and after a person looks on', async () => {
  const pane = await tmux.pane(['cat']);
  const size = (): Promise<string> => pane.format('#{window_width}x#{window_height}');
  const before = await size();
  const person = await Person.attach(tmux.server.socketArgs, pane.link.sessionId, { width: 91, height: 27 });
  // tmux keeps a line for its status.
  await until(async () => (await size()) === '91x26', 'the size of the person');
  await person.leave();
  expect(await size()).toBe('91x26');
  const again = await Person.attach(tmux.server.socketArgs, pane.link.sessionId, { width: 73, height: 19 });
  await until(async () => (await size()) === '73x18', 'the size of the next one');
  await again.leave();
  expect([before, await size()]).toEqual(['100x30', '73x18']);
});

test('a client that is thrown out comes back, and its subscriptions with it', async () => {
  const pane = await tmux.pane(['cat']);
  const values: string[] = [];
  pane.link.onNotification((event) => event.type === 'subscription-changed' && values.push(event.value));
  await pane.link.watch('mode', pane.id, '#{pane_in_mode}');
  await until(() => values.at(-1) === '0', 'the first value');
  let resyncs = 0;
  pane.link.onResync(pane.id, () => resyncs++);
  tmux.run('detach-client', '-s', pane.link.sessionId);
  await until(() => pane.link.state.kind !== 'up', 'the link to go down');
  await pane.link.ready();
  expect(await pane.format('#{pane_id}')).toBe(pane.id);
  expect(resyncs).toBe(1);
  tmux.run('copy-mode', '-t', pane.id);
  await until(() => values.at(-1) === '1', 'a value after the reconnect');
});

test('a server that dies takes its sessions with it, and a new one on the same socket can be used', async () => {
  const pane = await tmux.pane(['cat']);
  const before = await tmux.server.identity();
  tmux.run('kill-server');
  await until(() => pane.link.state.kind === 'gone', 'the session to be gone');
  await expect(pane.capture()).rejects.toThrow(/not connected/);
  await expect(tmux.server.identity()).rejects.toMatchObject({ isGone: true });
  const next = await tmux.pane(['cat']);
  expect(await next.format('#{pane_id}')).toBe('%0');
  expect(await tmux.server.identity()).not.toMatchObject({ pid: before.pid });
});

test('with detach-on-destroy off a session that ends is gone, though tmux moves the client to another', async () => {
  const other = await tmux.pane(['cat']);
  tmux.run('set-option', '-g', 'detach-on-destroy', 'off');
  const pane = await tmux.pane(['cat']);
  tmux.run('kill-session', '-t', pane.link.sessionId);
  await until(() => pane.link.state.kind === 'gone', 'the session to be gone');
  expect(other.link.state.kind).toBe('up');
  await until(
    () => tmux.run('list-clients', '-F', '#{client_session}').split('\n').length === 1,
    'our client to leave',
  );
});

test('two that ask for one session share one client; it leaves with the last', async () => {
  const pane = await tmux.pane(['cat']);
  const lease = tmux.server.lease(pane.link.sessionId);
  expect(lease.link).toBe(pane.link);
  expect(tmux.run('list-clients', '-F', '#{client_name}').split('\n')).toHaveLength(1);
  lease.dispose();
  lease.dispose();
  expect(pane.link.state.kind).toBe('up');
});

test('a server elsewhere that was replaced while we were cut off is another one, though its sessions have the same ids', async () => {
  tmux.run('new-session', '-d', 'cat');
  const box = new Box();
  const lease = new TmuxServer({ kind: 'name', name: tmux.name }, box).lease('$0');
  const { link } = lease;
  try {
    await link.ready();
    await box.cut();
    tmux.run('kill-server');
    await until(() => !tmux.isRunning, 'the server to end');
    tmux.run('new-session', '-d', 'cat');
    box.restore();
    await expect(link.ready()).rejects.toThrow(/its tmux server was replaced/);
  } finally {
    lease.dispose();
  }
});
