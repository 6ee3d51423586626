// A person at the keys comes first: nothing is typed into their draft, their modes, their dialogs or their shell.
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageWithEvents } from '../src/api/types.js';
import { fakeAgent, until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

// tmux tells whole seconds: a key within the one in which its person came is not told from their coming.
const ATTACHED_MS = 1100;

let world: World;
beforeAll(async () => {
  world = new World();
  // Long enough for something to happen between our text and its Enter.
  world.profile('fake-unhurried', 'programs: []\nenterGapMs: 1500\n');
  await world.begin();
});
afterAll(() => world.dispose());

const screen = (agent: TestAgent): string => world.tmux('capture-pane', '-p', '-t', agent.session.pane);
const shows = (agent: TestAgent, text: string): Promise<true> =>
  until(() => screen(agent).includes(text) || undefined, `"${text}" on the screen`) as Promise<true>;
const kinds = ({ events }: MessageWithEvents): string[] => events.map(({ kind }) => kind);

describe.each(['first mail', 'later mail'])('%s', (when) => {
  // A box that has taken mail before is known better than one that has not: both must be safe.
  async function agentFor(program: string, args: string[] = []): Promise<TestAgent> {
    const agent = await world.agent(program, args);
    if (when === 'later mail') await world.submitted(await world.send(agent, 'earlier'));
    else
      await until(
        async () =>
          (await world.client.send({ to: [agent.session.id], text: 'x', dry_run: true })).plans[0]?.way ===
          'direct',
        'the box to be known',
      );
    return agent;
  }
  const news = (agent: TestAgent): string[] => agent.submissions().slice(when === 'later mail' ? 1 : 0);

  test("a person's prompt goes first and alone; the message follows when they pause", async () => {
    const agent = await agentFor('box');
    const person = await world.person(agent);
    await person.type('half a thou');
    const message = await world.send(agent, 'from a colleague');
    await world.held(message, 'user_typing');
    await person.type('ght, whole');
    await person.press('Enter');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(news(agent)).toEqual(['half a thought, whole', delivered(message)]);
  });

  test('a resting draft is not touched, for as long as it rests', async () => {
    const agent = await agentFor('placeholder');
    const person = await world.person(agent);
    await person.type('do not lose this');
    const message = await world.send(agent, 'waits', { past_draft: 'never' });
    await world.held(message, 'draft');
    await shows(agent, '> do not lose this');
    await person.press('Home');
    await world.held(message, 'user_typing');
    await world.held(message, 'draft');
    expect(news(agent)).toEqual([]);
    await person.press('End', 'C-u');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(news(agent)).toEqual([delivered(message)]);
  });

  test('a draft in a box whose cursor stands elsewhere is not typed into', async () => {
    const agent = await agentFor('box', ['--cursor-below']);
    const person = await world.person(agent);
    await delay(ATTACHED_MS);
    await person.type('where is the cursor');
    await shows(agent, 'where is the cursor');
    const message = await world.send(agent, 'waits for a word');
    await world.held(message, 'composer_unknown');
    await shows(agent, '> where is the cursor');
    expect(news(agent)).toEqual([]);
    await world.client.cancel(message.id);
  });

  test('the draft of a person who has left is still theirs', async () => {
    const agent = await agentFor('box');
    const person = await world.person(agent);
    await person.type('my precious draft');
    await shows(agent, 'my precious draft');
    await person.leave();
    const message = await world.send(agent, 'hello', { past_draft: 'never' });
    await until(
      async () => ['draft', 'not_at_prompt'].includes((await world.client.message(message.id)).held ?? ''),
      'the message to wait',
    );
    await world.kill9();
    await world.startDaemon();
    await until(
      async () => (await world.client.message(message.id)).held !== 'link_down',
      'a look after the restart',
    );
    expect(news(agent)).toEqual([]);
    const back = await world.person(agent);
    await back.type(', finished');
    await back.press('Enter');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(news(agent)).toEqual(['my precious draft, finished', delivered(message)]);
  });

  test('copy mode is left alone, and the message goes when it ends', async () => {
    const agent = await agentFor('box');
    world.tmux('copy-mode', '-t', agent.session.pane);
    const message = await world.send(agent, 'after the mode');
    await world.held(message, 'in_mode');
    expect(world.tmux('display-message', '-p', '-t', agent.session.pane, '#{pane_in_mode}')).toBe('1');
    world.tmux('send-keys', '-t', agent.session.pane, '-X', 'cancel');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(news(agent)).toEqual([delivered(message)]);
  });

  test('a dialog is never answered; the message comes after it', async () => {
    const agent = await agentFor('dialog');
    const person = await world.person(agent);
    process.kill(agent.session.program?.pid ?? 0, 'SIGUSR1');
    await until(() => agent.events().some(({ ev }) => ev === 'dialog'), 'the dialog');
    const message = await world.send(agent, 'yes 1 y approve');
    await until(
      async () =>
        ['not_at_prompt', 'text_not_seen', 'draft'].includes(
          (await world.client.message(message.id)).held ?? '',
        ),
      'the message to wait',
    );
    expect(agent.events().some(({ ev }) => ev === 'approve')).toBe(false);
    await person.press('2');
    expect((await world.submitted(message, 30)).receipt).toBe('submitted');
    expect(
      agent
        .events()
        .filter(({ ev }) => ev === 'approve' || ev === 'deny')
        .map(({ ev }) => ev),
    ).toEqual(['deny']);
    expect(news(agent)).toEqual([delivered(message)]);
  });

  test("a person's split pane gets nothing", async () => {
    const agent = await agentFor('box');
    const split = world.tmux('split-window', '-t', agent.session.pane, '-P', '-F', '#{pane_id}', 'cat');
    const message = await world.send(agent, 'for the agent alone');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(world.tmux('capture-pane', '-p', '-t', split).trim()).toBe('');
    expect(news(agent)).toEqual([delivered(message)]);
  });
});

test('a person who attaches at once and only watches does not hold up the mail', async () => {
  const agent = await world.agent('box', ['--start-delay', '800'], { ready: false });
  const person = await world.person(agent);
  const message = await world.send(agent, 'welcome');
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions()).toEqual([delivered(message)]);
  expect(person.screen()).toContain('welcome');
});

test('words typed while our text is on its way wait for it, and are alone in the box then, also after a restart', async () => {
  const agent = await world.agent('collapse', ['--collapse', '10']);
  const person = await world.person(agent);
  const earlier = await world.send(agent, 'earlier');
  await world.submitted(earlier);
  const message = await world.send(agent, 'a text that is shown as a placeholder');
  await until(async () => (await world.client.message(message.id)).state === 'attempting', 'the attempt');
  person.send(' my words');
  await world.kill9();
  await world.startDaemon();
  expect((await world.submitted(message)).receipt).toBe('submitted');
  expect(agent.submissions()).toEqual([delivered(earlier), delivered(message)]);
  await until(async () => (await agent.draft()).text === ' my words', 'the words to be in the box');
});

test('nothing of a person who starts to type at the very moment of a delivery is sent with it', {
  timeout: 120_000,
}, async () => {
  const agent = await world.agent('box');
  const person = await world.person(agent);
  const earlier = await world.send(agent, 'earlier');
  await world.submitted(earlier);
  const mails = [delivered(earlier)];
  for (let round = 0; round < 6; round++) {
    const message = await world.send(agent, `mail ${round}`);
    const at = Date.now() + round * 2;
    await until(() => Date.now() >= at, 'the moment');
    person.send('keys');
    await shows(agent, 'keys');
    // They stop and think, for longer than the pause after which mail may go.
    const thought = Date.now() + 3500;
    await until(() => Date.now() > thought, 'the pause');
    expect(agent.submissions().join()).not.toContain('keys');
    expect(screen(agent)).toContain('keys');
    await person.press('C-c');
    expect((await world.submitted(message, 30)).receipt).toBe('submitted');
    mails.push(delivered(message));
    expect(agent.submissions()).toEqual(mails);
  }
});

test('a wrapper that ends in a shell is a shell from then on', async () => {
  const log = world.agentLog('wrapped');
  const session = await world.client.start({
    name: 'wrapped',
    socket: world.socket,
    cwd: world.folder,
    command: ['sh', '-c', `${process.execPath} ${fakeAgent('box')}; exec sh`],
    env: { FAKE_LOG: log.log },
  });
  await until(() => log.events().some(({ ev }) => ev === 'ready'), 'the agent');
  world.tmux('send-keys', '-t', session.pane, 'C-d');
  await until(() => log.events().some(({ ev }) => ev === 'exit'), 'the agent to end');
  const message = await world.send(session, 'touch /tmp/should-never-exist');
  await world.held(message, 'session_ended');
  expect(world.tmux('capture-pane', '-p', '-t', session.pane)).not.toContain('should-never-exist');
});

test('an editor or a pager is no agent either', async () => {
  const session = await world.client.start({
    command: ['more', '/etc/passwd'],
    name: 'pager',
    socket: world.socket,
    cwd: world.folder,
  });
  await expect(world.send(session, 'q')).rejects.toMatchObject({ status: 409, detail: { code: 'no_agent' } });
});

test('a program that dies of our paste: nothing was submitted, the message waits, the server lives', async () => {
  const agent = await world.agent('crash', ['--on', 'paste']);
  const message = await world.send(agent, 'poison');
  const held = await world.held(message, 'session_ended');
  expect(held).toMatchObject({ state: 'pending', receipt: 'queued' });
  const next = await world.send(agent, 'also waits');
  expect(next.queue_position).toBe(2);
  expect((await world.client.session(agent.session.id)).state).toBe('ended');
  expect(world.tmux('display-message', '-p', '-t', agent.session.pane, '#{pane_dead}')).toBe('1');
  expect(kinds(await world.client.message(next.id))).toEqual(['queued']);
});

test('a program that dies of our Enter and is started again at once: its empty box proves nothing', async () => {
  const agent = await world.agent('crash', ['--on', 'enter']);
  const { pane } = agent.session;
  world.tmux('set-hook', '-p', '-t', pane, 'pane-died', `respawn-pane -t ${pane}`);
  const message = await world.send(agent, 'last words');
  await until(async () => (await world.client.message(message.id)).state === 'settled', 'its end');
  expect(kinds(await world.client.message(message.id)).at(-1)).toBe('uncertain');
});

test('a program that dies of our paste and is started again: its attempt ends with it', async () => {
  const agent = await world.agent('crash', ['--on', 'paste']);
  const { pane } = agent.session;
  world.tmux('set-hook', '-p', '-t', pane, 'pane-died', `respawn-pane -t ${pane}`);
  const message = await world.send(agent, 'first words');
  await until(
    async () => kinds(await world.client.message(message.id)).includes('refused'),
    'the attempt to be given up',
    40_000,
  );
  world.tmux('set-hook', '-u', '-p', '-t', pane, 'pane-died');
});

test('a daemon that dies with a short text in the box: the next one knows it and presses Enter', async () => {
  const agent = await world.agent('box');
  await world.submitted(await world.send(agent, 'first'));
  await world.kill9();
  await world.startDaemon({ SM_FAULT_AT: 'pressed:typed' });
  await world.client.send({ to: [agent.session.id], text: 'ok' }).catch(() => {});
  await until(async () => !(await world.client.status().catch(() => undefined)), 'the daemon to end');
  await world.startDaemon();
  await until(() => agent.submissions().length > 1, 'the second submission');
  expect(agent.submissions().at(-1)).toMatch(/\nok$/);
});

test('a program that dies of our Enter: never sent again by itself, and said to be uncertain', async () => {
  const agent = await world.agent('crash', ['--on', 'enter']);
  const message = await world.send(agent, 'last words');
  const after = await world.submitted(message);
  expect(after).toMatchObject({ state: 'settled', receipt: 'typed' });
  expect(kinds(await world.client.message(message.id)).at(-1)).toBe('uncertain');
});

test('the shell that an agent leaves behind gets nothing; the agent started again gets it all', async () => {
  const log = world.agentLog('adopted-agent');
  const pane = world.tmux(
    'new-session',
    '-d',
    '-x',
    '100',
    '-y',
    '30',
    '-P',
    '-F',
    '#{pane_id}',
    '-e',
    `FAKE_LOG=${log.log}`,
    'sh',
  );
  const start = `${process.execPath} ${fakeAgent('box')}`;
  const typeLine = (line: string): string => world.tmux('send-keys', '-t', pane, line, 'Enter');
  typeLine(start);
  await until(() => log.events().some(({ ev }) => ev === 'ready'), 'the agent');
  const session = await world.client.adopt({ target: pane, socket: world.socket, name: 'adopted' });
  expect(session).toMatchObject({ origin: 'adopted', epoch: 1, state: 'live' });
  const first = await world.send(session, 'one');
  expect((await world.submitted(first)).receipt).toBe('submitted');

  world.tmux('send-keys', '-t', pane, 'C-d');
  await until(async () => (await world.client.session(session.id)).state === 'ended', 'the session to end');
  const second = await world.send(session, 'touch /tmp/should-never-exist');
  await world.held(second, 'session_ended');
  typeLine('cat');
  await until(
    () => world.tmux('display-message', '-p', '-t', pane, '#{pane_current_command}') === 'cat',
    'another program',
  );
  expect((await world.client.message(second.id)).attempts).toBe(0);
  world.tmux('send-keys', '-t', pane, 'C-d');
  expect(world.tmux('capture-pane', '-p', '-S', '-', '-t', pane)).not.toContain('should-never-exist');

  typeLine(start);
  expect((await world.submitted(second)).receipt).toBe('submitted');
  expect((await world.client.session(session.id)).epoch).toBe(2);
  expect(log.submissions()).toEqual([delivered(first), delivered(second)]);
});

test('a shell is no agent: mail to one is refused, a command is not', async () => {
  const shell = await world.client.start({
    command: ['sh'],
    name: 'a-shell',
    socket: world.socket,
    cwd: world.folder,
  });
  await expect(world.send(shell, 'hello')).rejects.toMatchObject({
    status: 409,
    detail: { code: 'shell', field: 'to', value: 'a-shell' },
  });
  const message = await world.send(shell, 'echo it-$((40+2))', { command: true });
  expect((await world.submitted(message)).receipt).toBe('submitted');
  await until(() => world.tmux('capture-pane', '-p', '-t', shell.pane).includes('it-42'), 'the result');
});

test('pausing stops all delivery at once, resuming lets it go on in order', async () => {
  const agent = await world.agent('box');
  await world.client.setPaused(true);
  const messages = [await world.send(agent, 'a'), await world.send(agent, 'b')];
  await world.held(messages[0] as (typeof messages)[0], 'paused');
  await world.kill9();
  await world.startDaemon();
  expect((await world.client.status()).paused).toBe(true);
  expect(agent.submissions()).toEqual([]);
  await world.client.setPaused(false);
  await Promise.all(messages.map((message) => world.submitted(message)));
  expect(agent.submissions()).toEqual(messages.map((message) => delivered(message)));
});

test('tmux kill-server in the middle of deliveries: the daemon lives, the messages are held, the session is gone', async () => {
  const own = new World();
  // Each in a delivery of its own, so that some still wait.
  own.configure('max_batch_size: 1\n');
  await own.begin();
  const agent = await own.agent('box', ['--ignore-input', '3000', '--busy', '3000']);
  const messages = [];
  for (let i = 0; i < 5; i++) messages.push(await own.send(agent, `message ${i}`));
  await until(() => agent.submissions().length > 0, 'the first delivery');
  execFileSync('tmux', ['-S', own.socket, 'kill-server']);
  await until(
    async () => (await own.client.session(agent.session.id)).state === 'gone',
    'the session to be gone',
  );
  const last = messages.at(-1) as (typeof messages)[0];
  await until(
    async () => (await own.client.messages({ pending: true }))[0]?.held === 'session_gone',
    'the first that waits to say why',
  );
  expect((await own.client.message(last.id)).state).toBe('pending');
  const took = agent.submissions().length;
  const waiting = await own.client.messages({ pending: true });
  const settled = (await own.client.messages({ limit: 100 })).filter(({ state }) => state === 'settled');
  expect(waiting.length + settled.length).toBe(5);
  expect(settled.length).toBeGreaterThanOrEqual(took);
  expect((await own.client.status()).pid).toBe(own.pid);
  await own.dispose();
});

test('a box that looks the same with our text and without gets one Enter, whatever comes after it', async () => {
  const agent = await world.agent('inline', ['--asks', '300']);
  const message = await world.send(agent, 'only once');
  await until(() => agent.submissions().length === 1, 'the submission');
  await shows(agent, 'Run it?');
  expect((await world.submitted(message)).receipt).toBe('submitted');
  const { events } = await world.client.message(message.id);
  expect(events.find(({ kind }) => kind === 'submitted')?.data).toMatchObject({ evidence: 'text_left_box' });
  expect(agent.submissions()).toEqual([delivered(message)]);
  expect(agent.events().filter(({ ev }) => ev === 'approve')).toEqual([]);
});

test('a command whose words stood there before: a dialog in front of its Enter is not answered, and no guess is made', async () => {
  const agent = await world.agent('box', [], { agent: 'fake-unhurried' });
  const first = await world.send(agent, 'continue', { command: true });
  expect((await world.submitted(first)).receipt).toBe('submitted');
  await shows(agent, 'continue');
  const second = await world.send(agent, 'continue', { command: true });
  await until(
    async () => (await world.client.message(second.id)).receipt === 'typed',
    'the words to be in the box',
  );
  process.kill(agent.session.program?.pid ?? 0, 'SIGUSR1');
  await world.held(second, 'text_not_seen');
  const person = await world.person(agent);
  await person.press('2');
  await world.held(second, 'user_typing');
  await person.press('C-u');
  await until(
    async () => (await world.client.message(second.id)).state === 'settled',
    'the message to be settled',
  );
  expect(kinds(await world.client.message(second.id)).at(-1)).toBe('uncertain');
  expect(agent.submissions()).toEqual(['continue']);
  expect(agent.events().map(({ ev }) => ev)).not.toContain('approve');
});
