// What the page needs of mail and screens beside what there was: another order, send-now, search, small pictures.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

let world: World;
let url: string;
let headers: Record<string, string>;
beforeAll(async () => {
  world = new World();
  world.profile(
    'fake-editor',
    `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`,
  );
  await world.begin();
  ({ url } = await world.client.status());
  headers = { authorization: `Bearer ${fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim()}` };
});
afterAll(() => world.dispose());

describe('mail that waits', () => {
  test('goes in the order that a person gave it', async () => {
    const agent = await world.agent('box');
    await world.client.update(agent.session.id, { paused: true });
    const [a, b, c] = [
      await world.send(agent, 'a'),
      await world.send(agent, 'b'),
      await world.send(agent, 'c'),
    ];
    expect((await world.client.move(c.id, a.id)).queue_position).toBe(1);
    await world.client.move(a.id, null);
    await expect(world.client.move(a.id, 'nonsense')).rejects.toMatchObject({ status: 404 });
    const queue = await world.client.messages({ session: agent.session.id, pending: true });
    expect(queue.map(({ text }) => text)).toEqual(['c', 'b', 'a']);
    await world.client.update(agent.session.id, { paused: false });
    for (const message of [c, b, a]) await world.submitted(message);
    const whole = agent.submissions().join('\n');
    const places = [c, b, a].map(({ id }) => whole.indexOf(id));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  test('goes now if a person says so, past a draft that it was to wait for', async () => {
    const agent = await world.agent('box', ['--editor', 'C-g'], { agent: 'fake-editor' });
    const person = await world.person(agent);
    const first = await world.send(agent, 'first');
    await world.submitted(first);
    await person.type('half a thought');
    const other = await world.send(agent, 'before it', { past_draft: 'never' });
    await world.held(other, 'draft');
    const message = await world.send(agent, 'hello', { past_draft: 'never' });
    const changed = await world.client.change(message.id, { past_draft: 'now', when: 'now' });
    expect(changed).toMatchObject({ past_draft: 'now' });
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().at(-1)).toBe(delivered(message));
    await until(async () => (await agent.draft()).text === 'half a thought', 'the draft to be back');
    // What it overtook waits on for the draft.
    expect(await world.client.message(other.id)).toMatchObject({ state: 'pending', queue_position: 1 });
    await world.client.cancel(other.id);
    await expect(world.client.change(message.id, { mode: 'urgent' })).rejects.toMatchObject({
      detail: { code: 'too_late' },
    });
    await expect(world.client.change(message.id, {})).rejects.toMatchObject({ status: 400 });
  });

  test('is told with its session: how much waits and why, and when nothing does any more', async () => {
    const agent = await world.agent('box');
    const { id } = agent.session;
    await world.client.update(id, { paused: true });
    const told: string[] = [];
    // It ends with the daemon.
    void (async () => {
      for await (const { event } of world.client.events())
        if (event.type === 'session' && event.session.id === id)
          told.push(`${event.session.pending} ${event.session.held}`);
    })().catch(() => {});
    const first = await world.send(agent, 'one');
    await until(() => told.at(-1) === '1 paused', 'one to wait');
    await world.send(agent, 'two');
    await until(() => told.at(-1) === '2 paused', 'two to wait');
    await world.client.update(id, { paused: false });
    await world.submitted(first);
    await until(() => told.at(-1) === '0 null', 'none to wait');
  });

  test('is found again by its words, page by page', async () => {
    const agent = await world.agent('box');
    for (const n of [1, 2, 3]) await world.send(agent, `needle ${n}`);
    const found = await world.client.messages({ q: 'NEEDLE', limit: 2 });
    expect(found.map(({ text }) => text)).toEqual(['needle 2', 'needle 3']);
    const older = await world.client.messages({ q: 'needle', before: found[0]?.id as string });
    expect(older.map(({ text }) => text)).toEqual(['needle 1']);
  });
});

describe('screens', () => {
  const screen = (session: string, more: Record<string, string> = {}, format = 'ansi') =>
    fetch(`${url}/api/v1/sessions/${session}/screen?format=${format}`, { headers: { ...headers, ...more } });

  test('as text or with styles; one that has not changed costs nothing', async () => {
    const { id } = await world.client.start({
      name: 'painter',
      socket: world.socket,
      cwd: world.folder,
      command: ['sh', '-c', 'printf "\\033[31mred\\033[m words"; exec cat'],
    });
    await until(async () => (await world.client.screen(id)).includes('words'), 'the words');
    const styled = await screen(id);
    expect(await styled.text()).toContain('\x1b[31mred\x1b[39m words');
    expect((await world.client.screen(id)).split('\n')[0]).toBe('red words');
    const etag = styled.headers.get('etag') as string;
    const same = await screen(id, { 'if-none-match': etag });
    expect([same.status, await same.text()]).toEqual([304, '']);
    world.tmux('send-keys', '-t', 'painter', 'more', 'Enter');
    await until(async () => (await screen(id, { 'if-none-match': etag })).status === 200, 'another screen');
    expect((await screen(id, {}, 'picture')).status).toBe(400);
  });

  test('whoever asks is told of changes, once a second at most, and can go on from there', async () => {
    const { id } = await world.client.start({
      name: 'ticker',
      socket: world.socket,
      cwd: world.folder,
      command: ['sh', '-c', 'while :; do printf .; sleep 0.05; done'],
    });
    type Frame = { id: string; event: { type: string; session?: string; seq?: number } };
    const read = async (where: string): Promise<{ frames: Frame[]; socket: WebSocket }> => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/ws${where}`, { headers });
      const frames: Frame[] = [];
      socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame));
      await new Promise((resolve) => socket.once('open', resolve));
      return { frames, socket };
    };
    const [asking, other] = [await read('?screens=1'), await read('')];
    const own = (): Frame[] =>
      asking.frames.filter(({ event }) => event.type === 'screen' && event.session === id);
    await until(() => own().length >= 3, 'three changes');
    const numbers = own().map(({ event }) => event.seq as number);
    // It printed about twenty times in between: none of those was told.
    for (const [n, seq] of numbers.entries())
      if (n > 0) expect(seq - (numbers[n - 1] as number)).toBeGreaterThan(3);
    expect(other.frames.filter(({ event }) => event.type === 'screen')).toEqual([]);
    // Its id is that of the last event that counts.
    const last = own().at(-1)?.id as string;
    await world.client.setPaused(true);
    await world.client.setPaused(false);
    const again = await read(`?last_event_id=${last}`);
    const pauses = (): Frame[] => again.frames.filter(({ event }) => event.type === 'pause');
    await until(() => pauses().length >= 2, 'what came since');
    expect(again.frames.map(({ event }) => event.type)).not.toContain('gap');
    expect(pauses()).toHaveLength(2);
    for (const { socket } of [asking, other, again]) socket.terminate();
    await world.client.kill(id);
  });
});
