// The live terminal in a real Chromium: what the browser holds is what tmux has, and what is typed there is a person's draft.
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../src/api/types.js';
import { chromiumPath, DESK, launch, openDashboard } from './support/browser.js';
import { seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

const PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;

// Evaluated in the page: the rows of the screen as the browser has them.
const READ = `(() => {
  const terminal = document.querySelector('[data-terminal]')?.terminal;
  if (!terminal) return undefined;
  const buffer = terminal.buffer.active;
  const rows = Array.from({ length: terminal.rows }, (_, at) => buffer.getLine(buffer.baseY + at)?.translateToString(true) ?? '');
  return { rows, columns: terminal.cols, above: buffer.baseY, cursor: [buffer.cursorX, buffer.cursorY] };
})()`;

interface Shown {
  rows: string[];
  columns: number;
  above: number;
  cursor: [number, number];
}

describe.skipIf(chromiumPath() === undefined)('the terminal of the dashboard', () => {
  let world: World;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    world = new World();
    world.profile('fake-editor', PROFILE);
    await world.begin();
    browser = await launch();
    context = await browser.newContext({ viewport: DESK });
    await (await openDashboard(world, context)).close();
  });
  afterEach(async () => {
    for (const page of context.pages()) await page.close();
    for (const { id } of await world.client.sessions()) await world.client.kill(id);
  });
  afterAll(async () => {
    await browser?.close();
    await world.dispose();
  });

  const start = (...command: string[]): Promise<Session> =>
    world.client.start({ socket: world.socket, cwd: world.folder, command, width: 80, height: 24 });

  const view = async ({ id }: Session): Promise<Page> => {
    const page = await context.newPage();
    const { url } = await world.client.status();
    await page.goto(`${url}/#/s/${id}`);
    await page.locator('.terminal-state', { hasText: 'live' }).waitFor();
    return page;
  };

  const shown = async (page: Page): Promise<Shown | undefined> =>
    (await page.evaluate(READ)) as Shown | undefined;
  const captured = ({ pane }: Session): string[] =>
    world
      .tmux('capture-pane', '-p', '-t', pane)
      .split('\n')
      .map((row) => row.trimEnd());
  const trimmed = (rows: readonly string[]): string =>
    rows
      .map((row) => row.trimEnd())
      .join('\n')
      .trimEnd();

  // Both at rest and equal; what differs is in the error.
  async function same(page: Page, session: Session, has: string): Promise<Shown> {
    let last: Shown | undefined;
    await until(async () => {
      last = await shown(page);
      const rows = trimmed(last?.rows ?? []);
      return rows.includes(has) && rows === trimmed(captured(session));
    }, `the browser to show what tmux has, with "${has}"`).catch((error: Error) => {
      throw new Error(
        `${error.message}\nbrowser:\n${trimmed(last?.rows ?? [])}\ntmux:\n${trimmed(captured(session))}`,
      );
    });
    const [x, y] = world
      .tmux('display-message', '-p', '-t', session.pane, '#{cursor_x} #{cursor_y}')
      .split(' ')
      .map(Number);
    expect(last?.cursor).toEqual([x, y]);
    return last as Shown;
  }

  test('wide characters, colours, scrollback, a full-screen program and back: as tmux has it', async () => {
    const session = await start('sh');
    world.tmux(
      'send-keys',
      '-t',
      session.pane,
      'seq 1 200; printf "\\033[31m日本語 ünï 🙂 e\\314\\201\\033[0m end1\\n"',
      'Enter',
    );
    await until(() => captured(session).some((row) => row.endsWith('end1')), 'it to be printed');
    const page = await view(session);
    expect((await same(page, session, 'end1')).above).toBeGreaterThan(170);
    world.tmux(
      'send-keys',
      '-t',
      session.pane,
      'printf "\\033[?1049h\\033[2J\\033[5;10HFULL\\033[12;1Hscreen"; read x; printf "\\033[?1049l"; echo en""d2',
      'Enter',
    );
    await same(page, session, 'FULL');
    // One that comes in now, in the middle of it.
    await same(await view(session), session, 'FULL');
    world.tmux('send-keys', '-t', session.pane, 'Enter');
    await same(page, session, 'end2');
  });

  test.skipIf(!fs.existsSync('/usr/bin/vim'))('vim: scrolled, typed in, split, and left', async () => {
    const file = path.join(world.folder, 'text');
    fs.writeFileSync(
      file,
      Array.from({ length: 300 }, (_, at) => `line ${at} ${'x'.repeat(at % 90)}`).join('\n'),
    );
    const session = await start('sh');
    const keys = (...names: string[]): string => world.tmux('send-keys', '-t', session.pane, ...names);
    keys(`vim -u NONE -i NONE -n ${file}`, 'Enter');
    await until(() => captured(session).some((row) => row.startsWith('line 0')), 'vim to show its file');
    const page = await view(session);
    keys('C-f', 'C-f', ':split', 'Enter', 'G', 'O', 'a 日本 word here', 'Escape');
    await same(page, session, 'a 日本 word here');
    keys(':qa!', 'Enter');
    // It throws away what is typed before it has gone.
    await until(() => !captured(session).some((row) => row.startsWith('line ')), 'vim to be left');
    keys('echo le""ft', 'Enter');
    await same(page, session, 'left');
  });

  test('a flood of 10 MB: the page answers meanwhile, and is right after it', async () => {
    const session = await start('sh');
    const page = await view(session);
    const keys = (...names: string[]): string => world.tmux('send-keys', '-t', session.pane, ...names);
    const printed = path.join(world.folder, 'printed');
    const flood = 'yes "a flood of words that nobody reads"';
    // It does not end by itself: whatever is done meanwhile is done meanwhile.
    keys(`${flood} | head -c 10000000; touch ${printed}; ${flood}`, 'Enter');
    await until(async () => (await shown(page))?.rows.at(3)?.startsWith('a flood'), 'the flood');
    await page.getByRole('tab', { name: 'About' }).click();
    await page.getByText('Last signal').waitFor();
    await until(() => fs.existsSync(printed), '10 MB');
    keys('C-c');
    keys('echo fl""ood is over', 'Enter');
    await same(page, session, 'flood is over');
  });

  test('looking does not resize the pane; asking does, and leaving gives its size back', async () => {
    const session = await start('sh');
    const page = await view(session);
    const size = (): string =>
      world.tmux('display-message', '-p', '-t', session.pane, '#{pane_width}x#{pane_height}');
    await until(async () => (await shown(page))?.columns === 80, 'the size of the pane');
    expect(size()).toBe('80x24');
    await page.getByRole('button', { name: 'Fit pane' }).click();
    await until(() => size() !== '80x24', 'another size');
    world.tmux('send-keys', '-t', session.pane, 'clear; echo fit""ted', 'Enter');
    expect((await same(page, session, 'fitted')).columns).toBe(Number(size().split('x')[0]));
    await page.close();
    await until(() => size() === '80x24', 'its old size');
  });

  test('a tab that was suspended while much was printed shows what is there when it is back', async () => {
    const session = await start('sh');
    const page = await view(session);
    await until(async () => (await shown(page)) !== undefined, 'a terminal');
    const cdp = await context.newCDPSession(page);
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
    world.tmux('send-keys', '-t', session.pane, 'seq 1 300000; echo wo""ken', 'Enter');
    await until(() => captured(session).some((row) => row === 'woken'), 'it to be printed');
    await cdp.send('Page.setWebLifecycleState', { state: 'active' });
    await same(page, session, 'woken');
  });

  test('what a program asks a terminal is answered once, by tmux; a focus is no key', async () => {
    const file = path.join(world.folder, 'heard');
    const asks = `printf '\\033[?1004h'; read go; stty raw -echo; printf '\\033[6n\\033[c\\033]11;?\\007'; exec cat > ${file}`;
    const session = await start('sh', '-c', asks);
    const page = await view(session);
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.press('Enter');
    const heard = (): string => (fs.existsSync(file) ? fs.readFileSync(file, 'latin1') : '');
    await until(() => heard().includes('c'), 'the answers');
    await page.locator('h1').click();
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('x');
    await until(() => heard().endsWith('x'), 'a key');
    expect(heard().replaceAll('\x1b', '')).toMatch(
      /^\[\d+;\d+R\[\?[\d;]+c(\]11;[^\\]*\\|\]11;[^\x07]*\x07)?x$/,
    );
  });

  test('typing while mail arrives: it goes past the draft, which is whole afterwards, and is shown as back', async () => {
    const agent = await world.agent('box', ['--editor', 'C-g'], { agent: 'fake-editor' });
    await seenEmpty(world, agent);
    const page = await view(agent.session);
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('half a thought');
    await until(async () => (await agent.draft()).text === 'half a thought', 'the draft');
    const message = await world.send(agent, 'mail meanwhile', { past_draft: 'now' });
    await page.keyboard.type(', and the rest of it');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    await until(
      async () => (await agent.draft()).text === 'half a thought, and the rest of it',
      'the whole draft',
    );
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
    await page.locator(`[data-message="${message.id}"] .receipt-word`, { hasText: 'submitted' }).waitFor();
    await page.getByRole('tab', { name: 'Drafts' }).click();
    await page.getByText('back in its box').waitFor();
    await page.locator('.draft-text', { hasText: 'half a thought' }).waitFor();
  });

  test('keys go to the pane as typed, two viewers see the same, and a search finds it', async () => {
    const session = await start('cat');
    const one = await view(session);
    const two = await view(session);
    await one.locator('.xterm-helper-textarea').focus();
    await one.keyboard.type('Grüße; "q" #{x} ');
    await one.keyboard.press('Enter');
    await same(one, session, 'Grüße; "q" #{x}');
    await same(two, session, 'Grüße; "q" #{x}');
    await one.keyboard.press('Shift+Escape');
    await one.getByRole('button', { name: 'Search' }).click();
    await one.getByLabel('Search in the terminal').fill('Grüße');
    await until(
      async () =>
        (await one.evaluate(`document.querySelector('[data-terminal]').terminal.getSelection()`)) === 'Grüße',
      'it to be found',
    );
  });
});
