// OpenCode's door on the real agent, where it can be installed: idle, busy, a dialog, a killed daemon; once each, the draft untouched.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RealDoor } from './support/real-door.js';

describe('OpenCode', () => {
  let door: RealDoor | string = 'not opened';
  const opened = (context: { skip: (note: string) => never }): RealDoor =>
    typeof door === 'string' ? context.skip(door) : door;

  // A registry that answers slowly is no reason to fail.
  beforeAll(async () => {
    door = await RealDoor.open('opencode');
  }, 240_000);
  afterAll(() => (typeof door === 'string' ? undefined : door.close()));

  test('idle: received with its turn and done with the answer; the draft stays', async (context) => {
    const { stage, ...agent } = unpack(opened(context));
    await stage.typist.type('half a draft');
    const { events } = await agent.until(await agent.send('idle letter'), 'done');
    expect(events.find(({ kind }) => kind === 'done')?.data.answer).toMatch(/^ok/);
    expect(agent.count('idle letter')).toBe(1);
    expect(await stage.takeDraft()).toBe('half a draft');
  }, 60_000);

  test('busy: each waits for its turn, in order, once', async (context) => {
    const { stage, ...agent } = unpack(opened(context));
    await agent.say('[[hold busy]] work');
    await agent.untilState('busy');
    const ids = [await agent.send('letter one'), await agent.send('letter two')];
    await stage.rest(1000);
    expect(agent.count('letter one')).toBe(0);
    stage.model.release('busy');
    for (const id of ids) await agent.until(id, 'done');
    for (const text of ['letter one', 'letter two']) expect(agent.count(text)).toBe(1);
  }, 60_000);

  test('a dialog: nothing is answered, and the letter comes after it', async (context) => {
    const { stage, ...agent } = unpack(opened(context));
    await agent.say('[[run touch asked]] please');
    await agent.untilState('waiting');
    const id = await agent.send('letter at the dialog', 'important');
    await stage.rest(1500);
    expect(stage.dialogOpen()).toBe(true);
    await stage.typist.press('Enter');
    await agent.until(id, 'done');
    expect(agent.count('letter at the dialog')).toBe(1);
  }, 60_000);

  test('the daemon is killed while it hands over: once', async (context) => {
    const { stage, ...agent } = unpack(opened(context));
    const id = await agent.send('letter of a dead daemon');
    await stage.place.killDaemon();
    await stage.place.startDaemon();
    await agent.until(id, 'done');
    expect(agent.count('letter of a dead daemon')).toBe(1);
  }, 60_000);
});

const unpack = (door: RealDoor) => ({
  stage: door.stage,
  send: door.send.bind(door),
  until: door.until.bind(door),
  untilState: door.untilState.bind(door),
  say: door.say.bind(door),
  count: door.count.bind(door),
});
