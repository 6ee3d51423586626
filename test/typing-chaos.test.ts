// A person types without pause and the daemon is killed at random while mail goes past their draft: every message arrives
// once, whole and alone; every key of theirs arrives once, in order; their prompts are theirs.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSeed, seeded } from './support/random.js';
import { until } from './support/tmux.js';
import { Typist } from './support/typist.js';
import { delivered, type TestAgent, World } from './support/world.js';

const MESSAGES = Number(process.env.SM_CHAOS_MESSAGES ?? 120);
// One kill for so many messages.
const KILLS = Number(process.env.SM_CHAOS_KILLS ?? Math.ceil(MESSAGES / 3));
const SETTLE_MS = 30_000 + MESSAGES * 1000;

const EDITOR_PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 20, enterGapMs: 20, submittedMs: 20, restoredMs: 20, caretMoves: code_point }
pace: { stepMs: 3, enterMs: 60 }
`;

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', EDITOR_PROFILE);
  await world.begin();
});
afterAll(() => world.dispose());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const BETWEEN = 'between attempts';

// Where the last daemon stood when it was killed: the step that tmux recorded with its last key, and the draft on disk.
function faultPoint(agents: readonly TestAgent[]): string[] {
  const db = new Database(path.join(world.home, 'suremail.db'), { readonly: true });
  try {
    return agents.map(({ session }) => {
      const row = db
        .prepare(
          "SELECT id, attempts FROM messages WHERE recipient = ? AND state = 'attempting' AND lead IS NULL",
        )
        .get(session.id) as { id: string; attempts: number } | undefined;
      if (!row) return BETWEEN;
      const entry = world.tmux('show-environment', '-g', '-h', `SM_AT_${session.pane.slice(1)}`);
      const step = entry.includes(`${row.id}.${row.attempts}.`) ? entry.split('.').at(-1) : 'begun';
      const draft = db
        .prepare('SELECT state FROM drafts WHERE message_id = ? AND attempt = ?')
        .get(row.id, row.attempts) as { state: string } | undefined;
      return `${step}, draft ${draft?.state ?? 'not taken'}`;
    });
  } finally {
    db.close();
  }
}

// Sends like a careful client: after a broken connection it looks whether the message was stored before it sends again.
async function sendSurely(agent: TestAgent, text: string): Promise<string> {
  for (;;) {
    const message = await world.send(agent, text, { past_draft: 'now' }).catch(() => undefined);
    if (message) return message.id;
    const stored = await until(
      () => world.client.messages({ limit: 10_000 }).catch(() => undefined),
      'the daemon to answer',
    );
    const found = stored.find((one) => one.text === text);
    if (found) return found.id;
  }
}

// All that is needed to find the cause: the agents' logs of each key, the database, the daemon's log.
function keepLogs(seed: number): void {
  const kept = path.join(os.tmpdir(), `sm-chaos-${seed}`);
  for (const name of fs.readdirSync(world.folder))
    if (/\.jsonl$|^home$/.test(name))
      fs.cpSync(path.join(world.folder, name), path.join(kept, name), {
        recursive: true,
        filter: (file) => !fs.statSync(file).isFIFO() && !fs.statSync(file).isSocket(),
      });
  console.log(`logs: ${kept}`);
}

// The life of each message that an agent took more than once, for whoever looks for the cause.
async function showWrong(got: readonly string[]): Promise<void> {
  const ids = got.flatMap((text) => /^\[Input from: .* #([0-9a-f]{12})/.exec(text)?.[1] ?? []);
  const twice = new Set(ids.filter((id, i) => ids.indexOf(id) !== i));
  for (const id of twice) {
    const { events } = await world.client.message(id);
    for (const { at, kind, data } of events) console.log(id, at.slice(14), kind, JSON.stringify(data));
  }
}

test(`${MESSAGES} messages past drafts under a typing person and kills`, {
  timeout: 120_000 + MESSAGES * 2000,
}, async ({ onTestFailed }) => {
  const seed = newSeed();
  onTestFailed(() => keepLogs(seed));
  const random = seeded(seed);
  console.log(`seed ${seed} (repeat with SM_SEED=${seed})`);
  const agents = await Promise.all([
    world.agent('box', ['--editor', 'C-g', '--log-keys'], { agent: 'fake-editor' }),
    world.agent('box', ['--editor', 'C-g', '--log-keys', '--busy', '150', '--alt'], { agent: 'fake-editor' }),
  ]);
  const typists = await Promise.all(
    agents.map(async (agent) => new Typist(await world.person(agent), { random })),
  );
  const typing = typists.map((typist) => typist.run());
  const sent: { agent: TestAgent; id: string; text: string }[] = [];
  const kills = new Map<string, number>();
  let flowing = true;
  const killer = (async () => {
    for (let n = 0; n < KILLS && flowing; n++) {
      await pause(100 + random() * 900);
      await until(() => faultPoint(agents).some((point) => point !== BETWEEN), 'an attempt', 3000).catch(
        () => {},
      );
      await pause(random() * 250);
      await world.kill9();
      for (const point of faultPoint(agents)) kills.set(point, (kills.get(point) ?? 0) + 1);
      await until(
        () => world.startDaemon().catch((error) => console.log(String(error))),
        'a daemon to start',
      );
    }
  })();
  for (let i = 0; i < MESSAGES; i++) {
    const agent = agents[i % agents.length] as TestAgent;
    const text = `message ${i}${random() < 0.2 ? `\nwith more lines\n\n${'long '.repeat(60)}end` : ''}`;
    sent.push({ agent, id: await sendSurely(agent, text), text });
    await pause(random() * 400);
  }
  await until(
    async () => (await world.client.messages({ pending: true }).catch(() => [null])).length === 0,
    'the queue to empty',
    SETTLE_MS,
  ).catch(async (error) => {
    flowing = false;
    await killer;
    const stuck = await world.client.messages({ pending: true });
    const details = await Promise.all(stuck.slice(0, 3).map(({ id }) => world.client.message(id)));
    throw new Error(`${error.message}\n${JSON.stringify(details, null, 1)}`);
  });
  flowing = false;
  await killer;
  for (const typist of typists) typist.stop();
  await Promise.all(typing);
  console.table([...kills].map(([point, count]) => ({ point, count })));
  const all = [...kills.values()].reduce((sum, count) => sum + count, 0);
  const between = (kills.get(BETWEEN) ?? 0) / Math.max(1, all);
  console.log(`${Math.round((1 - between) * 100)} % of ${all} fault points lie within an attempt`);

  for (const [i, agent] of agents.entries()) {
    const { model } = typists[i] as Typist;
    const messages = sent.filter((one) => one.agent === agent).map((one) => delivered({ ...one } as never));
    await until(
      async () => (await agent.draft()).text === model.draft.text,
      `the draft to be ${JSON.stringify(model.draft)}`,
      10_000,
    ).catch(async () => {});
    const got = agent.submissions();
    await showWrong(got);
    expect(got.filter((text) => text.startsWith('[Input from:'))).toEqual(messages);
    expect(got.filter((text) => !text.startsWith('[Input from:'))).toEqual(model.prompts);
    const { text, caret } = await agent.draft();
    expect({ text, caret }).toEqual(model.draft);
  }
});
