// The terminal of a session on another machine: the same picture, the same typing, and back after the connection was cut.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BrowserTerminal } from './support/browser-terminal.js';
import { Far, NO_SSHD } from './support/far.js';
import { seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const STASH = `
programs: []
protocols: [{ protocol: direct }, { protocol: stash }]
stash: { key: C-s, taken: '› stashed' }
pace: { stepMs: 2, enterMs: 50 }
`;

describe.skipIf(NO_SSHD)('on a machine that is reached over ssh', () => {
  let far: Far;
  let world: World;
  let agent: TestAgent;
  let browser: BrowserTerminal;
  beforeAll(async () => {
    far = new Far();
    await far.start();
    world = new World({ SM_SSH_CONFIG: far.config });
    world.profile('fake-stash', STASH);
    await world.begin();
    await world.client.addHost({ name: 'box', destination: 'far' });
    agent = await far.agent(world, 'box', ['--stash', 'C-s'], { agent: 'fake-stash' });
    await seenEmpty(world, agent);
    browser = await view();
  });
  afterAll(async () => {
    browser?.close();
    await world.dispose();
    await far.dispose();
  });

  async function view(): Promise<BrowserTerminal> {
    const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
    const { url } = await world.client.status();
    return BrowserTerminal.open(url, agent.session.id, { authorization: `Bearer ${token}` });
  }
  const shown = (): string =>
    far
      .tmux('capture-pane', '-p', '-t', agent.session.pane)
      .split('\n')
      .map((row) => row.trimEnd())
      .join('\n')
      .trimEnd();
  const same = (): Promise<boolean> =>
    until(async () => (await browser.rows()).join('\n').trimEnd() === shown(), 'what tmux shows there');

  test('the browser shows what tmux shows there, and a draft that is typed in it stays as it is', async () => {
    for (const key of 'half a thought') browser.type(key);
    await until(async () => (await agent.draft()).text === 'half a thought', 'the draft');
    const message = await world.send(agent, 'hello', { past_draft: 'now' });
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    await until(async () => (await agent.draft()).text === 'half a thought', 'the draft to be back');
    await same();
    expect(browser.faults).toEqual([]);
  });

  test('a connection that is cut is told, and made good by a new picture', async () => {
    const { pictures } = browser;
    far.cut();
    await until(() => browser.frames.some(({ state }) => state === 'host_down'), 'the loss');
    await until(() => browser.pictures > pictures, 'a new picture');
    await until(
      () => browser.frames.findLast(({ type }) => type === 'state')?.state === 'live',
      'to be live',
    );
    browser.type('!');
    await until(async () => (await agent.draft()).text === 'half a thought!', 'a key');
    await same();
    expect(browser.faults).toEqual([]);
  });

  test('who comes while the machine is lost is told so; who left then leaves no size behind', async () => {
    const size = (): string =>
      far.tmux('display-message', '-p', '-t', agent.session.pane, '#{pane_width}x#{pane_height}');
    const own = size();
    const leaving = await view();
    leaving.ask({ type: 'resize', columns: 60, rows: 20 });
    await until(() => size() === '60x20', 'the asked size');
    await far.stop();
    await until(() => leaving.frames.some(({ state }) => state === 'host_down'), 'the loss');
    leaving.close();
    await leaving.closed;
    const late = await view();
    expect(late.frames.find(({ type }) => type === 'state')).toMatchObject({
      state: 'host_down',
      reason: expect.any(String),
    });
    await far.listen();
    await world.client.checkHost('box');
    await until(() => late.pictures > 0, 'a picture');
    await until(() => size() === own, 'its own size');
    late.close();
  });
});
