// A person's hands at the terminal of the dashboard: what they type arrives or is said not to, and looking types nothing.
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../src/api/types.js';
import { chromiumPath } from './support/browser.js';
import { Dashboard } from './support/dashboard.js';
import { until } from './support/tmux.js';

const TERMINAL = `document.querySelector('[data-terminal]')?.terminal`;

describe.skipIf(chromiumPath() === undefined)('hands at a terminal of the dashboard', () => {
  let dashboard: Dashboard;
  let files = 0;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterEach(() => dashboard.clear());
  afterAll(() => dashboard?.end());

  const start = (...command: string[]): Promise<Session> => {
    const { client, socket, folder } = dashboard.world;
    return client.start({ socket, cwd: folder, command, width: 80, height: 24 });
  };
  const isLive = (page: Page): Promise<void> =>
    page.locator('.terminal-state', { hasText: 'live' }).waitFor();
  const view = async ({ id }: Session): Promise<Page> => {
    const page = await dashboard.open();
    await page.goto(`${page.url().split('#')[0]}#/s/${id}`);
    await isLive(page);
    return page;
  };
  const focus = (page: Page): Promise<void> => page.locator('.xterm-helper-textarea').focus();

  // A program that writes down what it is given, after it has printed something.
  async function heard(printed: string): Promise<{ session: Session; now: () => string }> {
    const file = path.join(dashboard.world.folder, `heard-${++files}`);
    const session = await start('sh', '-c', `stty raw -echo; printf '${printed}'; exec cat > ${file}`);
    await until(() => fs.existsSync(file), 'the program');
    return { session, now: () => fs.readFileSync(file, 'latin1') };
  }

  test.each([
    ['on the alternate screen', '\\033[?1049h'],
    ['of a program that listens to the mouse', '\\033[?1049h\\033[?1003h\\033[?1006h'],
  ])('scrolling past a terminal %s types nothing; with the focus it scrolls there', async (_, modes) => {
    const { session, now } = await heard(modes);
    const page = await view(session);
    await until(
      async () => (await page.evaluate(`${TERMINAL}.buffer.active.type`)) === 'alternate',
      'the alternate screen',
    );
    await page.locator('.xterm-screen').hover();
    await page.mouse.wheel(0, 300);
    await page.mouse.wheel(0, 300);
    await focus(page);
    await page.keyboard.type('x');
    await until(() => now().endsWith('x'), 'a key');
    expect(now()).toBe('x');
    await page.mouse.wheel(0, 300);
    await until(() => now().length > 1 && now().startsWith('x\x1b['), 'the wheel');
  });

  test('a paste of more than the daemon takes at once arrives whole', async () => {
    const { session, now } = await heard('');
    const page = await view(session);
    await focus(page);
    const length = 1_100_000;
    await page.evaluate(`${TERMINAL}.paste('y'.repeat(${length}))`);
    await until(() => now().length >= length, 'all of it', 100_000);
    expect(now() === 'y'.repeat(length)).toBe(true);
  }, 120_000);

  test('keys that reach nobody are told of; a pane that was fitted is so again once the daemon is back', async () => {
    const { world } = dashboard;
    const session = await start('cat');
    const page = await view(session);
    const port = new URL(page.url()).port;
    const size = (): string =>
      world.tmux('display-message', '-p', '-t', session.pane, '#{pane_width}x#{pane_height}');
    await page.getByRole('button', { name: 'Fit pane' }).click();
    await until(() => size() !== '80x24', 'another size');
    const fitted = size();
    await world.kill9();
    await page.locator('.terminal-state.off').waitFor();
    await focus(page);
    await page.keyboard.type('x');
    await page.getByText('Not typed: not connected.').waitFor();
    await page.getByRole('button', { name: 'Fit pane' }).click();
    await page.getByText('Not fitted: not connected.').waitFor();
    await world.startDaemon({ SM_PORT: port });
    await isLive(page);
    await until(() => size() === fitted, 'the size that was asked for');
    await focus(page);
    await page.keyboard.type('typed again');
    await until(() => world.tmux('capture-pane', '-p', '-t', session.pane).includes('typed again'), 'keys');
  });

  test('a copy works where the browser offers no clipboard, and leaves the focus where it is', async () => {
    const session = await start('sh', '-c', 'echo words to copy; exec cat');
    const page = await view(session);
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await until(
      async () =>
        ((await page.evaluate(`${TERMINAL}.selectAll(), ${TERMINAL}.getSelection()`)) as string).includes(
          'words to copy',
        ),
      'a selection',
    );
    await focus(page);
    await page.keyboard.press('Control+Shift+C');
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(`document.activeElement.className`)).toContain('xterm-helper-textarea');
    await page.getByLabel('Message', { exact: true }).focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toContain('words to copy');
  });
});
