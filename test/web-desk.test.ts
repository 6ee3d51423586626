// The dashboard in a real Chromium at a desk, used as a person would: signing in, answering, finding the way by keys.
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../src/api/types.js';
import { chromiumPath, DESK, launch, openDashboard } from './support/browser.js';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

describe.skipIf(chromiumPath() === undefined)('the dashboard at a desk', () => {
  let world: World;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    world = await World.start();
    browser = await launch();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    for (const { id } of await world.client.sessions()) await world.client.kill(id);
  });
  afterAll(async () => {
    await browser?.close();
    await world.dispose();
  });

  const newContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: DESK });
    contexts.push(context);
    return context;
  };
  const open = async (): Promise<Page> => openDashboard(world, await newContext());

  const shell = async (name: string): Promise<Session> =>
    world.client.start({
      name,
      socket: world.socket,
      cwd: world.folder,
      command: ['cat'],
      width: 80,
      height: 24,
    });
  const names = (page: Page): Promise<string[]> => page.locator('.card h3').allTextContents();
  const titleOf = (page: Page, title: string): Promise<unknown> =>
    until(async () => (await page.title()) === title, `the title to be ${title}`);

  test('a link signs in once, leaves nothing in the address, and a reload stays in', async () => {
    const context = await newContext();
    const { url } = await world.client.signInLink();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/');
    // It asks for the successor of its sign-in.
    const renewing = page.waitForRequest(
      (request) => request.method() === 'GET' && request.url().endsWith('/api/v1/sign-in'),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await renewing;
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({
      name: expect.stringMatching(/^sm_session_\d+$/),
      httpOnly: true,
      sameSite: 'Strict',
    });

    // Opened again where one is in already, it leads in.
    await page.goto(url);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();

    const other = await (await newContext()).newPage();
    await other.goto(url);
    await other.getByText('A link works once').waitFor();
    await other.getByRole('radio', { name: 'token' }).check({ force: true });
    await other.getByRole('textbox', { name: 'Token' }).fill('wrong');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').waitFor();
    const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
    await other.getByRole('textbox', { name: 'Token' }).fill(token);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Sessions' }).waitFor();
    await other.getByRole('button', { name: 'More' }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('colours are those of the system, or those that were chosen, also in the terminal', async () => {
    const { id } = await shell('alpha');
    const page = await open();
    const { url } = await world.client.status();
    const colours = async (): Promise<string[]> =>
      (await page.evaluate(`(() => [
        getComputedStyle(document.documentElement).backgroundColor,
        document.querySelector('[data-terminal]').terminal.options.theme.background,
      ])()`)) as string[];
    const light = ['rgb(246, 244, 238)', 'rgb(27, 26, 24)'];
    const dark = ['rgb(21, 20, 18)', 'rgb(13, 12, 11)'];
    for (const [system, chosen, expected] of [
      ['light', 'system', light],
      ['dark', 'system', dark],
      ['dark', 'light', light],
      ['light', 'dark', dark],
    ] as const) {
      await page.emulateMedia({ colorScheme: system });
      await page.evaluate(`localStorage.setItem('sm-preferences', '{"theme":"${chosen}"}')`);
      await page.goto(`${url}/#/s/${id}`);
      await page.reload();
      await page.locator('.terminal-state', { hasText: 'live' }).waitFor();
      expect([system, chosen, ...(await colours())]).toEqual([system, chosen, ...expected]);
    }
  });

  test('a reply by keyboard: its receipt climbs to received, and who was answered needs nobody', async () => {
    const agent: TestAgent = await world.agent('woken/cli', [], {
      name: 'asker',
      agent: 'claude',
      env: { CLAUDE_CONFIG_DIR: fs.mkdtempSync(path.join(world.folder, 'config-')) },
    });
    await shell('other');
    await world.client.signal('asker', { state: 'needs_input', message: 'shall I?' });
    const page = await open();
    await page.getByText('shall I?').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Reply to asker' }).waitFor();
    await page.keyboard.type('yes, ');
    // What was not sent is still there.
    await page.reload();
    await page.getByText('shall I?').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.keyboard.press('End');
    await page.keyboard.type('do it');
    await page.keyboard.press('Control+Enter');
    const sent = page.getByRole('region', { name: 'What was just sent' });
    await sent.getByText('yes, do it').waitFor();
    await sent.locator('.receipt-word', { hasText: /^(received|done)$/ }).waitFor();
    await page.keyboard.press('Escape');
    await titleOf(page, 'Suremail');
    expect(agent.submissions().join()).toContain('yes, do it');
  });

  test('by keyboard: the list of keys, a search, and into a session and back', async () => {
    for (const name of ['alpha', 'beta']) await shell(name);
    const page = await open();
    await page.locator('.card').nth(1).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('bet');
    await until(async () => (await names(page)).join() === 'beta', 'one card');
    // Out of the search onto what it found, and into that.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'beta', exact: true }).waitFor();
    await titleOf(page, 'beta · Suremail');
  });

  test('a miniature shows the screen, and again when it has changed', async () => {
    const session = await shell('small');
    const page = await open();
    const canvas = page.locator('canvas.miniature');
    const picture = (): Promise<string> =>
      canvas.evaluate((drawn: unknown) => (drawn as { toDataURL(): string }).toDataURL());
    const first = await canvas.waitFor().then(picture);
    world.tmux('send-keys', '-t', session.pane, '-l', 'words on the screen');
    await until(async () => (await picture()) !== first, 'another picture');
    const second = await picture();
    world.tmux('send-keys', '-t', session.pane, 'Enter');
    await until(async () => (await picture()) !== second, 'yet another picture');
  });
});
