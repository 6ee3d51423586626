// The dashboard on a phone: nothing is wider than the screen, all that is tapped is large enough, and a thumb does it all.
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, launch, openDashboard, PHONE } from './support/browser.js';
import { until } from './support/tmux.js';
import { type TestAgent, World } from './support/world.js';

const PAGES = [
  '',
  'mail/queue',
  'mail/history',
  'mail/dead',
  'mail/drafts',
  'inbox',
  'reminders',
  'ops/hosts',
  'ops/config',
];

describe.skipIf(chromiumPath() === undefined)('the dashboard on a phone', () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  let agent: TestAgent;

  beforeAll(async () => {
    world = await World.start();
    agent = await world.agent('woken/cli', ['--log-keys'], {
      name: 'a-session-with-quite-a-long-name-that-does-not-fit',
      agent: 'claude',
      env: { CLAUDE_CONFIG_DIR: fs.mkdtempSync(path.join(world.folder, 'config-')) },
    });
    await world.client.signal(agent.session.id, {
      state: 'needs_input',
      message: `look here: ${'/a/long/path'.repeat(12)}`,
    });
    browser = await launch();
    const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
    page = await openDashboard(world, context);
  });
  afterAll(async () => {
    await browser?.close();
    await world.dispose();
  });

  const overflow = (): Promise<number> =>
    page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ) as Promise<number>;
  const base = (): string => page.url().split('#')[0] ?? '';

  test('no page is wider than the screen', async () => {
    await page.locator('.card').waitFor();
    for (const each of [...PAGES, `s/${agent.session.id}`]) {
      await page.goto(`${base()}#/${each}`);
      await page.locator('main h1').waitFor();
      await until(async () => (await page.getByText('Loading …').count()) === 0, `${each} to be loaded`);
      expect([each, await overflow()]).toEqual([each, 0]);
    }
    await page.getByRole('button', { name: 'Search' }).tap();
    await page.getByLabel('Search in the terminal').waitFor();
    expect(await overflow()).toBe(0);
  });

  test('what is tapped often is at least 44 pixels high', async () => {
    await page.goto(`${base()}#/`);
    await page.locator('.card').waitFor();
    for (const name of ['Write', 'Reply to', 'Mark what', 'More', 'New session']) {
      const box = await page.getByRole('button', { name }).first().boundingBox();
      expect([name, (box?.height ?? 0) >= 44]).toEqual([name, true]);
    }
    const place = await page.getByRole('link', { name: 'Inbox' }).boundingBox();
    expect(place?.height).toBeGreaterThanOrEqual(44);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeGreaterThan(PHONE.height - 60);
    await page.goto(`${base()}#/s/${agent.session.id}`);
    await page.getByText('Deadline and options').tap();
    for (const each of ['.back', '.mode', '.letter-options summary', '.letter-options .check']) {
      const box = await page.locator(each).first().boundingBox();
      expect([each, (box?.height ?? 0) >= 44]).toEqual([each, true]);
    }
  });

  test('with a thumb: to who needs me, an answer, its receipt, and keys for the terminal', async () => {
    await page.goto(`${base()}#/`);
    await page.locator('.card-link').tap();
    await page.locator('.terminal-state', { hasText: 'live' }).waitFor();
    await page.getByLabel('Message', { exact: true }).fill('from the train');
    await page.getByRole('button', { name: 'Send' }).tap();
    await page.locator('.message .receipt-word', { hasText: /^(received|done)$/ }).waitFor();
    expect(agent.submissions().join()).toContain('from the train');
    await page.getByRole('button', { name: 'Escape' }).tap();
    await until(() => agent.events().some(({ ev, name }) => ev === 'key' && name === 'escape'), 'the key');
  });
});
