// What a session's agent does: idle, busy, waiting, gone; since when, by which source and how sure; and what is acted on.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../src/api/types.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('boxer', 'title: A box\nprograms: [boxer]\n');
  await world.begin();
});
afterAll(() => world.dispose());

const session = ({ session: { id } }: TestAgent): Promise<Session> => world.client.session(id);
const inState = (agent: TestAgent, state: Session['status']['state']): Promise<Session['status']> =>
  until(
    async () => {
      const { status } = await session(agent);
      return status.state === state ? status : undefined;
      // The end of a program in a pane that stays is found by a look every 5 s.
    },
    `${agent.session.name} to be ${state}`,
    10_000,
  );
const listed = async (name: string): Promise<string> =>
  (await world.sm(['ls'])).stdout.split('\n').find((line) => line.startsWith(name)) ?? '';

test('of a program without a profile nothing is known', async () => {
  const agent = await world.agent('box', [], { name: 'plain' });
  expect((await session(agent)).status).toEqual({
    state: 'unknown',
    since: null,
    source: null,
    sure: null,
    detail: null,
  });
  expect(await listed('plain')).toMatch(/ live +- /);
  expect((await world.sm(['show', 'plain'])).stdout).toMatch(/status +not known/);
});

test('of an agent that tells nothing its screen gives a guess', async () => {
  const agent = await world.agent('box', [], { name: 'silent', agent: 'boxer' });
  const idle = await inState(agent, 'idle');
  expect(idle).toMatchObject({ source: 'screen', sure: 'guess' });
  expect(Date.now() - Date.parse(idle.since ?? '')).toBeLessThan(60_000);
  expect(await listed('silent')).toMatch(/ idle\? +[\d.]+ (ms|s) /);
  expect((await world.sm(['show', 'silent'])).stdout).toMatch(
    /status +idle \(.*\) for .*, by its screen: a guess/,
  );
});

test('gone: since when, and the next daemon knows it too', async () => {
  const agent = await world.agent('box', [], { name: 'leaving', agent: 'boxer' });
  const before = Date.now();
  world.tmux('kill-pane', '-t', agent.session.pane);
  const gone = await inState(agent, 'gone');
  expect(gone).toMatchObject({ source: 'process', sure: 'certain', detail: 'its pane was closed' });
  expect(Date.parse(gone.since ?? '')).toBeGreaterThanOrEqual(before);
  expect(await listed('leaving')).toMatch(/ gone +[\d.]+ (ms|s) /);
  await world.kill9();
  await world.startDaemon();
  expect((await session(agent)).status).toEqual(gone);
});

test('an agent that ends is gone, though its pane stays', async () => {
  const agent = await world.agent('box', [], { name: 'ending', agent: 'boxer' });
  process.kill(agent.session.program?.pid ?? Number.NaN, 'SIGKILL');
  expect(await inState(agent, 'gone')).toMatchObject({ source: 'process', sure: 'certain' });
  expect((await session(agent)).state).toBe('ended');
});

test('nothing is typed into a session that waits for a person; once they have answered, the mail goes', async () => {
  const config = fs.mkdtempSync(path.join(world.folder, 'config-'));
  const agent = await world.agent('woken/cli', [], {
    name: 'asking',
    agent: 'claude',
    env: { CLAUDE_CONFIG_DIR: config },
  });
  await inState(agent, 'idle');
  const [file = ''] = fs.readdirSync(path.join(config, 'sessions'));
  const registry = path.join(config, 'sessions', file);
  const say = (status: string, more = {}): void => {
    const known = JSON.parse(fs.readFileSync(registry, 'utf8')) as object;
    fs.writeFileSync(registry, JSON.stringify({ ...known, status, statusUpdatedAt: Date.now(), ...more }));
  };
  say('waiting', { waitingFor: 'permission prompt' });
  expect(await inState(agent, 'waiting')).toMatchObject({
    source: 'registry',
    sure: 'certain',
    detail: 'permission prompt',
  });
  expect(await listed('asking')).toMatch(/ waiting +[\d.]+ (ms|s) /);
  const message = await world.send(agent, 'a prompt, which goes through the box');
  await world.held(message, 'agent_waits');
  expect((await world.client.message(message.id)).attempts).toBe(0);
  expect(agent.submissions()).toEqual([]);
  say('idle', { waitingFor: undefined });
  await world.submitted(message);
  await until(() => agent.submissions().length > 0, 'the prompt');
  expect(agent.submissions()).toEqual([delivered(message)]);
});
