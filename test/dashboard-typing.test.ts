// What a person types in the browser is a person's typing: mail waits for it, goes past it and leaves it as it was, and keys
// that come meanwhile are typed after it, in order and once.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BrowserTerminal } from './support/browser-terminal.js';
import { seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, type TestAgent, World } from './support/world.js';

const PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;

let world: World;
const open: BrowserTerminal[] = [];
beforeAll(async () => {
  world = new World();
  world.profile('fake-editor', PROFILE);
  await world.begin();
});
afterEach(() => {
  for (const browser of open.splice(0)) browser.close();
});
afterAll(() => world.dispose());

const editorAgent = (): Promise<TestAgent> =>
  world.agent('box', ['--editor', 'C-g'], { agent: 'fake-editor' });

async function view({ session }: TestAgent): Promise<BrowserTerminal> {
  const { url } = await world.client.status();
  const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
  const browser = await BrowserTerminal.open(url, session.id, { authorization: `Bearer ${token}` });
  open.push(browser);
  return browser;
}

const holds = (agent: TestAgent, text: string): Promise<boolean> =>
  until(async () => (await agent.draft()).text === text, `the draft to be ${JSON.stringify(text)}`).catch(
    async (error: Error) => {
      throw new Error(`${error.message}; it is ${JSON.stringify(await agent.draft())}`);
    },
  );

async function typed(agent: TestAgent, browser: BrowserTerminal, text: string): Promise<void> {
  const { text: before } = await agent.draft();
  for (const char of text) browser.type(char);
  await holds(agent, before + text);
}

// Types at the first sign of a swap.
const whenHeld = (browser: BrowserTerminal, act: () => void): void => {
  const listen = (data: Buffer, isBinary: boolean): void => {
    if (isBinary || !String(data).includes('"held","on":true')) return;
    browser.socket.off('message', listen);
    act();
  };
  browser.socket.on('message', listen);
};

describe('a draft from the browser', () => {
  test('keeps mail that may not pass it', async () => {
    const agent = await editorAgent();
    await seenEmpty(world, agent);
    const browser = await view(agent);
    await typed(agent, browser, 'half a thought');
    const message = await world.send(agent, 'hello', { past_draft: 'never' });
    await world.held(message, 'user_typing');
    await world.held(message, 'draft');
    expect(agent.submissions().slice(1)).toEqual([]);
    // The person is done with it.
    browser.type('\x15');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
  });

  test('is as it was after mail went past it, and what was typed meanwhile comes behind it, once', async () => {
    const agent = await editorAgent();
    const browser = await view(agent);
    await typed(agent, browser, 'half a thought');
    whenHeld(browser, () => {
      for (const key of ', goes on') browser.type(key);
    });
    const message = await world.send(agent, 'hello', { past_draft: 'now' });
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
    await holds(agent, 'half a thought, goes on');
    expect(browser.frames.filter(({ type }) => type === 'held').map(({ on }) => on)).toEqual([true, false]);
    const { draft } = await world.client.message(message.id);
    expect((await world.client.draft(draft as string)).text).toBe('half a thought');
  });

  test('keys of a person in tmux come first, then those from the browser', async () => {
    const agent = await editorAgent();
    const browser = await view(agent);
    const person = await world.person(agent);
    await person.type('base');
    await holds(agent, 'base');
    whenHeld(browser, () => {
      for (const key of 'BROWSER') browser.type(key);
      person.send(' tmux ');
    });
    const message = await world.send(agent, 'hello', { past_draft: 'now' });
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
    await holds(agent, 'base tmux BROWSER');
  });

  test('a person who types without pause: every message alone, every key once', async () => {
    const agent = await editorAgent();
    const browser = await view(agent);
    let expected = '';
    let isOver = false;
    const typing = (async () => {
      for (let n = 0; !isOver; n++) {
        const key = 'abcdefghijklmnopqrstuvwxyz'[n % 26] as string;
        expected += key;
        browser.type(key);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    })();
    const messages = [];
    for (let n = 0; n < 6; n++) {
      const message = await world.send(agent, `message ${n}`, { past_draft: 'now' });
      expect((await world.submitted(message)).receipt).toBe('submitted');
      messages.push(message);
    }
    isOver = true;
    await typing;
    await holds(agent, expected);
    expect(agent.submissions()).toEqual(messages.map((message) => delivered(message)));
  });

  test('is a draft also for a daemon that comes after one that was killed', async () => {
    const agent = await world.agent('box', ['--editor', 'C-g'], { agent: 'fake-editor' });
    await typed(agent, await view(agent), 'half a thought');
    await world.kill9();
    await world.startDaemon();
    const message = await world.send(agent, 'hello', { past_draft: 'never' });
    // Whether or not it was ever seen empty: somebody has typed there.
    await until(
      async () => ['draft', 'composer_unknown'].includes((await world.client.message(message.id)).held ?? ''),
      'it to be held',
    );
    expect(agent.submissions()).toEqual([]);
    expect((await agent.draft()).text).toBe('half a thought');
  });
});

describe('keys', () => {
  test('arrive byte for byte, a paste of many kilobytes too', async () => {
    const file = path.join(world.folder, 'typed');
    const session = await world.client.start({
      name: 'reader',
      socket: world.socket,
      cwd: world.folder,
      command: ['sh', '-c', `stty raw -echo; printf READY; exec cat > ${file}`],
    });
    const browser = await view({ session } as TestAgent);
    await until(async () => (await browser.rows())[0]?.includes('READY'), 'the program');
    const bytes = Buffer.from([...Array(256).keys()].filter((byte) => byte !== 0x1b));
    browser.socket.send(bytes);
    // What a terminal says by itself is not typed.
    browser.type('\x1b[?1;2c');
    const long = 'a long paste; with #{formats} and \\ and " '.repeat(2000);
    browser.type(long);
    const all = Buffer.concat([bytes, Buffer.from(long)]);
    await until(() => fs.readFileSync(file).length >= all.length, 'all of it');
    expect(fs.readFileSync(file).equals(all)).toBe(true);
  });

  test('into a pane in copy mode go nowhere, and that is said', async () => {
    const agent = await editorAgent();
    const browser = await view(agent);
    world.tmux('copy-mode', '-t', agent.session.pane);
    browser.type('q');
    await until(() => browser.frames.some(({ reason }) => reason === 'in_mode'), 'the refusal');
    expect(world.tmux('display-message', '-p', '-t', agent.session.pane, '#{pane_in_mode}')).toBe('1');
    expect((await agent.draft()).text).toBe('');
  });
});
