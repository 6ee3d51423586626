// Random mail between twenty agents, with modes, deadlines, cancels, keys, typing people, lost hooks and killed daemons: what the
// log claims is held against what the agents themselves logged. SM_PROMISES=10000 for the long run.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message, SendRequest } from '../src/api/types.js';
import { faultsOf, outOfOrder, type Seen } from './support/promises.js';
import { newSeed, seeded } from './support/random.js';
import { until } from './support/tmux.js';
import { Typist } from './support/typist.js';
import { type TestAgent, World } from './support/world.js';

const MESSAGES = Number(process.env.SM_PROMISES ?? 240);
const AGENTS = MESSAGES > 1000 ? 20 : 8;
const KILLS = Math.ceil(MESSAGES / 40);
const SETTLE_MS = 60_000 + MESSAGES * 300;
// The editor and the wake hook need a program each; the rest is cheap.
const TYPISTS = 2;

const EDITOR = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 20, enterGapMs: 20, submittedMs: 20, restoredMs: 20, caretMoves: code_point }
pace: { stepMs: 3, enterMs: 60 }
`;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', EDITOR);
  await world.begin();
});
afterAll(() => world.dispose());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function start(i: number): Promise<TestAgent> {
  const config = fs.mkdtempSync(path.join(world.folder, 'config-'));
  const woken = (args: string[]) =>
    world.agent('woken/cli', args, { agent: 'claude', env: { CLAUDE_CONFIG_DIR: config } });
  switch (i % 5) {
    case 0:
      return world.agent('box', ['--editor', 'C-g', '--log-keys'], { agent: 'fake-editor' });
    case 1:
      return world.agent('box', ['--busy', '100']);
    case 2:
      return woken(['--busy', '60']);
    case 3:
      return world.agent('collapse', ['--collapse', '40']);
    default:
      // Its hooks are never heard: what they would tell has to be found otherwise, or not at all.
      return woken(['--no-hooks', '--busy', '60']);
  }
}

test(`${MESSAGES} messages between ${AGENTS} agents`, { timeout: 2 * SETTLE_MS + 60_000 }, async () => {
  const seed = newSeed();
  const random = seeded(seed);
  console.log(`seed ${seed} (repeat with SM_SEED=${seed})`);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const agents: TestAgent[] = [];
  for (let i = 0; i < AGENTS; i++) agents.push(await start(i));
  const typists = await Promise.all(
    agents
      .slice(0, TYPISTS * 5)
      .flatMap((agent, i) =>
        i % 5 === 0 ? [world.person(agent).then((person) => new Typist(person, { random }))] : [],
      ),
  );
  const typing = typists.map((typist) => typist.run());

  // Sends as a careful client does: with a key, so that a broken connection costs nothing.
  const sendSurely = async (request: SendRequest): Promise<Message> => {
    for (;;) {
      const sent = await world.client.send(request).catch((error: Error) => {
        if (error.name === 'ApiFailure') throw error;
      });
      if (sent) return sent.messages[0] as Message;
      await until(() => world.client.status().catch(() => undefined), 'the daemon to answer');
    }
  };
  const sent: Message[] = [];
  const cancelled = new Set<string>();
  const send = async (i: number): Promise<void> => {
    const [from, to] = [pick(agents), pick(agents)];
    const request: SendRequest = {
      to: [to.session.id],
      text: `message ${i}${random() < 0.1 ? `\n${'long '.repeat(60)}` : ''}`,
      key: `key ${i}`,
      mode: random() < 0.1 ? 'urgent' : random() < 0.2 ? 'important' : 'sequential',
      past_draft: 'now',
      ...(random() < 0.7 ? { from: { session: from.session.id } } : { from: { name: `sender${i % 3}` } }),
      ...(random() < 0.1 ? { timeout_seconds: 0.2 + random() * 3 } : {}),
      ...(random() < 0.05 ? { when: 'idle' as const } : {}),
    };
    const message = await sendSurely(request);
    sent.push(message);
    // The same key again is the same message.
    if (random() < 0.05) expect((await sendSurely(request)).id).toBe(message.id);
    if (random() < 0.05)
      await world.client.cancel(message.id).then(
        () => cancelled.add(message.id),
        () => {},
      );
  };
  let flowing = true;
  const killer = (async () => {
    for (let n = 0; n < KILLS && flowing; n++) {
      await pause(300 + random() * 1500);
      await world.kill9();
      expect(await world.startDaemon()).toMatch(/^(ready|running)/);
    }
  })();
  for (let i = 0; i < MESSAGES; i++) {
    await send(i);
    if (random() < 0.5) await pause(random() * 60);
  }
  flowing = false;
  await killer;
  // What waits for an idle agent would wait for as long as they type.
  for (const typist of typists) typist.stop();
  await Promise.all(typing);
  const waiting = async (): Promise<number> =>
    (await world.client.messages({ pending: true, limit: 10_000 })).length;
  await until(async () => (await waiting()) === 0, 'the queue to empty', SETTLE_MS).catch(async () => {
    const stuck = await world.client.messages({ pending: true, limit: 10_000 });
    for (const name of new Set(stuck.map(({ to }) => to.name))) {
      const first = stuck.find(({ to }) => to.name === name) as Message;
      console.log(name, stuck.filter(({ to }) => to.name === name).length, first.id, first.held_detail);
      console.log(JSON.stringify((await world.client.message(first.id)).events.slice(-5)));
      const { pane } = await world.client.session(name);
      console.log(world.tmux('capture-pane', '-p', '-t', pane));
    }
    fs.cpSync(path.join(world.home, 'daemon.log'), `/tmp/promises-${seed}.log`);
  });

  // What lies in an agent's own queue has still to be shown, or comes back.
  const isOver = async (): Promise<boolean> =>
    (await world.client.messages({ limit: 10_000 })).every(({ state }) => state !== 'accepted');
  await until(async () => (await waiting()) === 0 && (await isOver()), 'all to be settled', SETTLE_MS).catch(
    () => {},
  );
  // What each agent took, in its order; a bell that rang for one ends otherwise.
  const taken = new Map<string, Seen>();
  for (const agent of agents)
    for (const [at, text] of agent.submissions().entries()) {
      const ids = [...text.matchAll(/\[Input from: [^\n]* via sm send\] #([0-9a-f]{12})$/gm)].map(
        ([, id = '']) => id,
      );
      for (const [i, id] of ids.entries())
        taken.set(id, { times: (taken.get(id)?.times ?? 0) + 1, at: at + i / 100 });
    }
  const faults: string[] = [];
  const lives = [];
  for (const { id } of sent) {
    const seen = taken.get(id) ?? { times: 0, at: -1 };
    const life = await world.client.message(id);
    const wrong = faultsOf(life, seen);
    if (cancelled.has(id) && seen.times > 0 && !life.events.some(({ kind }) => kind === 'attempt'))
      wrong.push('cancelled by its sender, and taken');
    if (wrong.length) faults.push(`${id} (${life.to.name}, ${life.mode}): ${wrong.join('; ')}`);
    lives.push({ ...life, ...seen });
  }
  faults.push(...outOfOrder(lives));
  const counts = new Map<string, number>();
  for (const { state, receipt } of lives)
    counts.set(`${state} ${receipt}`, (counts.get(`${state} ${receipt}`) ?? 0) + 1);
  console.log(Object.fromEntries(counts));
  for (const fault of faults.slice(0, 5)) {
    console.log(fault);
    const events = (await world.client.message(fault.slice(0, 12)).catch(() => undefined))?.events ?? [];
    for (const { at, kind, data } of events) console.log('  ', at.slice(11), kind, JSON.stringify(data));
  }
  expect(faults).toEqual([]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(MESSAGES);
});
