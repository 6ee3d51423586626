// Somebody edits the file of an agent while the daemon is away, and gets it wrong: what was begun is ended all the same.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

const PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;
const WRONG = 'editor.callMs "soon": must be milliseconds, a whole number from';

let world: World;
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', PROFILE);
  await world.begin();
});
afterAll(() => world.dispose());

const log = (): string => fs.readFileSync(path.join(world.home, 'daemon.log'), 'utf8');

test('a daemon that dies past a draft, the file of its agent broken meanwhile: the draft is back, and all say what is wrong', async () => {
  const agent = await world.agent('box', ['--editor', 'C-g', '--editor-delay', '200'], {
    agent: 'fake-editor',
  });
  const person = await world.person(agent);
  const before = await fill(agent, person, { text: 'before\nthe fall', back: 4 });
  const message = await world.send(agent, 'hello', { past_draft: 'now' });
  await until(() => agent.events().some(({ ev }) => ev === 'editor'), 'the hand-over');
  await world.kill9();
  world.profile('fake-editor', PROFILE.replace('quietMs: 10', 'callMs: soon'));
  // The watchdog of the held keys starts one.
  await until(() => world.client.status().catch(() => undefined), 'a daemon', 15_000);
  expect(await world.startDaemon()).toMatch(/^running/);
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions()).toEqual([delivered(message)]);
  await until(async () => (await agent.draft()).text === before.text, 'the draft');
  expect(await agent.draft()).toEqual(before);

  const wrong = `${world.home}/agents/fake-editor.yaml: ${WRONG}`;
  expect(log()).toContain('files of agents refused: the last good ones hold');
  expect(log()).toContain(JSON.stringify(wrong).slice(1, -1));
  const doctor = await world.sm(['doctor']);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(wrong)]);
  expect(doctor.stdout).toContain('the last good files of agents hold');
  const status = await world.sm(['status']);
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining(wrong)]);
  const config = await world.sm(['config']);
  expect([config.code, config.stderr]).toEqual([1, expect.stringContaining(wrong)]);
  expect((await world.client.agent('fake-editor')).profile.editor).toMatchObject({ quietMs: 10 });

  world.profile('fake-editor', PROFILE);
  // Only `sm doctor` and `sm config` look at the files anew.
  expect((await world.client.status()).agents_problem).toContain(WRONG);
  for (const command of ['config', 'status'])
    expect(await world.sm([command])).toMatchObject({ code: 0, stderr: '' });
  expect((await world.client.status()).agents_problem).toBeNull();
});

test('where there has never been a good one the daemon does not start', async () => {
  const other = new World();
  try {
    other.profile('scribe', 'editor: { keys: [C-g], file: x, callMs: soon }');
    const ran = await other.sm(['up']);
    expect([ran.code, ran.stdout]).toEqual([5, '']);
    expect(ran.stderr).toContain(
      `cannot start the daemon: ${other.home}/agents/scribe.yaml: editor.callMs "soon"`,
    );
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  } finally {
    await other.dispose();
  }
});
