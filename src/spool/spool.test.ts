import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOOK_SCRIPT, type HookEntry, Spool, type Taken } from './index.js';

let home: string;
let taken: HookEntry[];
let spool: Spool;
let answer: (entry: HookEntry) => Taken | Promise<Taken>;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-spool-'));
  fs.mkdirSync(path.join(home, 'spool'));
  taken = [];
  answer = () => 'taken';
  spool = new Spool({
    folder: path.join(home, 'spool'),
    take: async (entry) => {
      taken.push(entry);
      return answer(entry);
    },
    log: () => {},
  });
});
afterEach(() => {
  spool.dispose();
  fs.rmSync(home, { recursive: true, force: true });
});

const hook = (event: string, input: string, env: Record<string, string> = {}): string =>
  execFileSync('sh', [HOOK_SCRIPT.pathname, home, 'claude', event], {
    input,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      TMUX: '/tmp/a b/tmux,42,0',
      TMUX_PANE: '%7',
      SM_SESSION: 'abc',
      ...env,
    },
  });

const left = (): string[] => fs.readdirSync(path.join(home, 'spool')).filter((name) => name !== 'aside');

test('what hooks left while nobody listened is taken in order, and then deleted', async () => {
  hook('SessionStart', '{"n":1}');
  hook('UserPromptSubmit', '{"n":2,"prompt":"a\\nb"}');
  hook('Stop', '{"n":3}');
  await spool.start();
  expect(taken.map(({ event, body }) => [event, body.n])).toEqual([
    ['SessionStart', 1],
    ['UserPromptSubmit', 2],
    ['Stop', 3],
  ]);
  expect(taken[0]).toMatchObject({
    agent: 'claude',
    session: 'abc',
    pane: { socket: '/tmp/a b/tmux', server: 42, pane: '%7' },
  });
  expect(left()).toEqual([]);
});

test('what comes later is heard by itself', async () => {
  await spool.start();
  hook('Stop', '{}');
  await expect.poll(() => taken.length).toBe(1);
  await expect.poll(left).toEqual([]);
});

test("an agent that takes long does not keep another's waiting; its own stay in order", async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const done: unknown[] = [];
  answer = async ({ pane, body }): Promise<Taken> => {
    if (body.n === 1) await released;
    done.push([pane?.pane, body.n]);
    return 'taken';
  };
  hook('SessionStart', '{"n":1}');
  hook('Stop', '{"n":2}');
  hook('Stop', '{"n":3}', { TMUX_PANE: '%8' });
  const started = spool.start();
  await expect.poll(() => done).toEqual([['%8', 3]]);
  // One that comes meanwhile neither waits for it nor is taken twice.
  hook('Stop', '{"n":4}', { TMUX_PANE: '%8' });
  await expect.poll(() => done).toHaveLength(2);
  release();
  await started;
  expect(done).toEqual([
    ['%8', 3],
    ['%8', 4],
    ['%7', 1],
    ['%7', 2],
  ]);
  expect(left()).toEqual([]);
});

test('what comes behind an entry that has to wait waits with it', async () => {
  const order: unknown[] = [];
  answer = ({ body }) => {
    order.push(body.n);
    return order.length === 1 ? 'later' : 'taken';
  };
  hook('SessionStart', '{"n":1}');
  hook('UserPromptSubmit', '{"n":2}');
  await spool.start();
  expect(left()).toHaveLength(2);
  await expect.poll(left, { timeout: 5000 }).toEqual([]);
  expect(order).toEqual([1, 1, 2]);
});

test('nobody knows whose it is, or it is no JSON: kept aside', async () => {
  answer = () => 'unknown';
  hook('Stop', '{}');
  hook('Stop', 'not json');
  await spool.start();
  expect(left()).toEqual([]);
  expect(fs.readdirSync(path.join(home, 'spool', 'aside'))).toHaveLength(2);
});

test('what is kept aside is bounded in bytes too; the newest stays', async () => {
  answer = () => 'unknown';
  const big = JSON.stringify({ text: 'x'.repeat(9 * 1024 * 1024) });
  const place = path.join(home, 'spool', 'aside');
  for (const event of ['Stop', 'SessionEnd']) {
    hook(event, big);
    await (event === 'Stop' ? spool.start() : spool.drain());
  }
  const kept = fs.readdirSync(place);
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatch(/-SessionEnd$/);
});

test('what is still being written is taken once it is whole', async () => {
  await spool.start();
  const file = path.join(home, 'spool', '1-Stop');
  fs.writeFileSync(file, 'claude Stop abc /tmp/tmux 42 %7\n{"n":');
  await spool.drain();
  fs.appendFileSync(file, '1}');
  await spool.drain();
  expect(taken).toEqual([]);
  fs.appendFileSync(file, '\n.\n');
  await expect.poll(() => taken.map(({ body }) => body.n)).toEqual([1]);
  await expect.poll(left).toEqual([]);
});

test('an entry that could not be dealt with stays', async () => {
  answer = () => {
    throw new Error('the disk is full');
  };
  hook('Stop', '{}');
  await spool.start();
  expect(left()).toHaveLength(1);
});

test.each(['it could not be written', 'its session is being started'])(
  '%s: tried again by itself',
  async (why) => {
    let tries = 0;
    answer = () => {
      tries++;
      if (tries > 1) return 'taken';
      if (why === 'it could not be written') throw new Error('the disk is full');
      return 'later';
    };
    hook('Stop', '{}');
    await spool.start();
    expect(left()).toHaveLength(1);
    await expect.poll(left, { timeout: 5000 }).toEqual([]);
    expect(tries).toBe(2);
  },
);

test('a process number that comes again replaces nothing that nobody has read', async () => {
  // In subshells of one shell, so that all three have the same number.
  const script = 'set -- "$H" claude Stop; for n in 1 2 3; do echo "{\\"n\\":$n}" | (. "$S"); done';
  execFileSync('sh', ['-c', script], {
    env: { PATH: process.env.PATH ?? '', H: home, S: HOOK_SCRIPT.pathname, TMUX: '', TMUX_PANE: '' },
  });
  expect(left().filter((name) => name.endsWith('-Stop'))).toHaveLength(3);
  await spool.start();
  expect(taken.map(({ body }) => body.n)).toEqual([1, 2, 3]);
  expect(fs.readdirSync(path.join(home, 'spool'))).toEqual(['aside']);
});

test('a hook prints what the daemon left for it, once', () => {
  const at = path.join(home, 'doors', 'at', '42-7');
  fs.mkdirSync(at, { recursive: true });
  fs.writeFileSync(path.join(at, 'Stop.say'), '{"decision":"block"}');
  expect(hook('Stop', '{}')).toBe('{"decision":"block"}');
  expect(hook('Stop', '{}')).toBe('');
});

test('what belongs to a message is printed with the prompt that rings for it, and with no other', () => {
  const place = path.join(home, 'doors', 'at', '42-7', 'UserPromptSubmit.for');
  fs.mkdirSync(place, { recursive: true });
  for (const id of ['0123456789ab', '0123456789cd', '.0123456789ef'])
    fs.writeFileSync(path.join(place, id), id);
  const submit = (prompt: string): string => hook('UserPromptSubmit', JSON.stringify({ prompt }));
  expect(submit('[Input from: user via sm send] #0123456789cd My message')).toBe('0123456789cd');
  // Whoever left it takes it away.
  expect(submit('[Input from: user via sm send] #0123456789cd My message')).toBe('0123456789cd');
  for (const prompt of ['hello', '#0123456789cd\nthe text', '#0123456789ef My', '#0123456789cde My'])
    expect(submit(prompt)).toBe('');
  expect(hook('Stop', '{"prompt":"#0123456789cd My"}')).toBe('');
  expect(left()).toHaveLength(7);
});

test('what is for one conversation only that one prints', () => {
  const at = path.join(home, 'doors', 'at', '42-7');
  fs.mkdirSync(at, { recursive: true });
  fs.writeFileSync(path.join(at, 'AfterAgent.to'), 'outer\n');
  fs.writeFileSync(path.join(at, 'AfterAgent.say'), '{}');
  expect(hook('AfterAgent', '{}', { GEMINI_SESSION_ID: 'inner' })).toBe('');
  expect(hook('AfterAgent', '{}')).toBe('');
  expect(hook('AfterAgent', '{}', { GEMINI_SESSION_ID: 'outer' })).toBe('{}');
  expect(left()).toHaveLength(3);
});

test('what every tool prints is left only where a session has the pane', () => {
  hook('PostToolUse', '{}');
  hook('AfterTool', '{}', { TMUX: '', TMUX_PANE: '' });
  expect(left()).toEqual([]);
  fs.mkdirSync(path.join(home, 'doors', 'at', '42-7'), { recursive: true });
  hook('PostToolUse', '{}');
  expect(left()).toHaveLength(1);
});

test('outside tmux, or without a spool, a hook does nothing and does not fail', () => {
  expect(hook('Stop', '{}', { TMUX: '', TMUX_PANE: '' })).toBe('');
  fs.rmSync(path.join(home, 'spool'), { recursive: true });
  expect(hook('Stop', '{}')).toBe('');
});
