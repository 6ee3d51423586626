// The daemon ends at every named point of a delivery, by every way in and in every mode: each message arrives once, in order,
// and what a person was typing is as it was. Each run plays a third of the points, each in one mode; SM_CRASH=all plays every
// point in every mode (half an hour).
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, Mode } from '../src/api/types.js';
import { fill, seenEmpty } from './support/fill.js';
import { newSeed } from './support/random.js';
import { until } from './support/tmux.js';
import { type AgentDraft, type TestAgent, World } from './support/world.js';

const MODES: readonly Mode[] = ['sequential', 'important', 'urgent'];
const ALL = process.env.SM_CRASH === 'all';
const DRAFT = { text: 'half a\nthought', back: 4 };
const PACE = 'pace: { stepMs: 2, enterMs: 50 }';

const PROFILES = {
  'crash-editor': `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
${PACE}
`,
  'crash-stash': `
programs: []
protocols: [{ protocol: direct }, { protocol: stash }]
stash: { key: C-s, taken: '› stashed' }
${PACE}
`,
  'crash-sentinel': `
programs: []
protocols: [{ protocol: direct }, { protocol: sentinel }]
lineKeys: { start: { key: C-a, moves: line }, end: { key: C-e, moves: line }, killToEnd: { key: C-k, kills: line, joins: true }, echoMs: 50 }
${PACE}
`,
};

let world: World;
let passed: string;
beforeAll(async () => {
  world = new World();
  for (const [name, profile] of Object.entries(PROFILES)) world.profile(name, profile);
  await world.begin();
  passed = path.join(world.folder, 'points');
});
afterAll(() => world.dispose());

const boxAgent = (args: string[], profile?: string) => async (): Promise<TestAgent> => {
  const agent = await world.agent('box', args, profile === undefined ? {} : { agent: profile });
  await seenEmpty(world, agent);
  return agent;
};

async function doorAgent(): Promise<TestAgent> {
  const config = fs.mkdtempSync(path.join(world.folder, 'config-'));
  const agent = await world.agent('woken/cli', [], { agent: 'claude', env: { CLAUDE_CONFIG_DIR: config } });
  const isOpen = async () => (await world.client.session(agent.session.id)).door?.state === 'open';
  await until(isOpen, 'its door to open');
  return agent;
}

interface WayIn {
  start: () => Promise<TestAgent>;
  draft: 'empty' | 'drafted';
  // An agent's mail goes through a door, a person's into the box.
  sender: 'person' | 'agent';
  receipt: string;
}
const WAYS: Record<string, WayIn> = {
  direct: { start: boxAgent([]), draft: 'empty', sender: 'person', receipt: 'submitted' },
  editor: {
    start: boxAgent(['--editor', 'C-g'], 'crash-editor'),
    draft: 'drafted',
    sender: 'person',
    receipt: 'submitted',
  },
  stash: {
    start: boxAgent(['--stash', 'C-s'], 'crash-stash'),
    draft: 'drafted',
    sender: 'person',
    receipt: 'submitted',
  },
  sentinel: {
    start: boxAgent([], 'crash-sentinel'),
    draft: 'drafted',
    sender: 'person',
    receipt: 'submitted',
  },
  door: { start: doorAgent, draft: 'drafted', sender: 'agent', receipt: 'done' },
};

// Two that wait together, so that they go in one delivery; what a request hears from a daemon that dies does not matter.
async function sendTwo(agent: TestAgent, { sender }: WayIn, mode: Mode): Promise<Message[]> {
  const { id } = agent.session;
  await world.client.update(id, { paused: true });
  const from = sender === 'agent' ? { session: id } : {};
  const messages: Message[] = [];
  for (const text of ['first', 'second\nline']) {
    const sent = await world.client.send({ to: [id], text, mode, past_draft: 'now', from });
    messages.push(...sent.messages);
  }
  await world.client.update(id, { paused: false }).catch(() => {});
  return messages;
}

const came = (agent: TestAgent, messages: Message[]): string[] =>
  agent.submissions().flatMap((text) => {
    const at = messages.findIndex(({ id }) => text.includes(`#${id}`));
    return at === -1 ? [] : [`message ${at + 1}`];
  });

async function expectOnce(
  agent: TestAgent,
  way: WayIn,
  messages: Message[],
  before: AgentDraft,
): Promise<void> {
  const wanted = way.receipt as 'submitted' | 'done';
  const after = [];
  for (const { id } of messages) after.push(await world.client.wait(id, { for: wanted, timeout: 40 }));
  await until(async () => (await agent.draft()).text === before.text, 'the draft', 5000).catch(() => {});
  const { text, caret } = await agent.draft();
  const seen = { came: came(agent, messages), text, caret, receipts: after.map(({ receipt }) => receipt) };
  const right = {
    came: ['message 1', 'message 2'],
    text: before.text,
    caret: before.caret,
    receipts: [way.receipt, way.receipt],
  };
  if (JSON.stringify(seen) !== JSON.stringify(right))
    for (const { id } of messages) console.log(JSON.stringify(await world.client.message(id), null, 1));
  expect(seen).toEqual(right);
}

async function play(way: WayIn, mode: Mode, env: NodeJS.ProcessEnv): Promise<{ isReached: boolean }> {
  const agent = await way.start();
  const person = way.draft === 'drafted' ? await world.person(agent) : undefined;
  const before = person ? await fill(agent, person, DRAFT) : await agent.draft();
  await world.kill9();
  await world.startDaemon(env);
  const messages = await sendTwo(agent, way, mode);
  const isReached =
    env.SM_FAULT_AT !== undefined &&
    (await world.ended().then(
      () => true,
      () => false,
    ));
  if (isReached) await world.startDaemon();
  await expectOnce(agent, way, messages, before);
  await person?.leave();
  await world.client.kill(agent.session.id);
  return { isReached };
}

const seed = newSeed();
console.log(`seed ${seed} (repeat with SM_SEED=${seed})`);

describe.each(Object.entries(WAYS))('%s', (_name, way) => {
  const points: string[] = [];

  test('the points of a delivery', { timeout: 60_000 }, async () => {
    // The first delivery to a program tries its keys as well, once for all.
    for (let round = 0; round < 2; round++) {
      fs.rmSync(passed, { force: true });
      await play(way, 'sequential', { SM_FAULT_LOG: passed });
    }
    const all = fs.readFileSync(passed, 'utf8').trim().split('\n');
    points.push(...new Set(all.filter((point) => !point.endsWith(':held'))));
    expect(points).toEqual(expect.arrayContaining(['write:attempt', 'written:attempt']));
    expect(points.length).toBeGreaterThanOrEqual(6);
  });

  test('ended there', { timeout: ALL ? 900_000 : 200_000 }, async () => {
    const missed = [];
    for (const [i, point] of points.entries())
      for (const [j, mode] of MODES.entries()) {
        // Every third point, and of those every third in this mode.
        if (!ALL && (i + 3 * j + seed) % 9 !== 0) continue;
        const { isReached } = await play(way, mode, { SM_FAULT_AT: point }).catch((error: Error) => {
          error.message = `${point}, ${mode}: ${error.message}`;
          throw error;
        });
        if (!isReached) missed.push(`${point}, ${mode}`);
      }
    expect(missed).toEqual([]);
  });
});
