// How the dashboard calls: each signal once, in one tab, over reloads, restarts of the daemon and a new sign-in.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openDashboard } from './support/browser.js';
import { cardNames, Dashboard } from './support/dashboard.js';
import { until } from './support/tmux.js';

// Notes are counted instead of being shown, over reloads.
const COUNTED = `
  localStorage.setItem('sm-preferences', JSON.stringify({ notes: true }));
  window.Notification = class {
    static permission = 'granted';
    constructor(title, { body }) {
      localStorage.setItem('notes', (localStorage.getItem('notes') ?? '') + title + ' | ' + body + ';');
    }
    close() {}
  };
`;

describe.skipIf(chromiumPath() === undefined)('how the dashboard calls', () => {
  let dashboard: Dashboard;
  let marks = 0;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterEach(() => dashboard.clear());
  afterAll(() => dashboard?.end());

  const counting = async (): Promise<BrowserContext> => {
    const context = await dashboard.context();
    await context.addInitScript(COUNTED);
    return context;
  };
  const signal = (name: string, state: string, message: string): Promise<unknown> =>
    dashboard.world.client.signal(name, { state, message });
  const sounds = async (page: Page): Promise<number> =>
    Number((await page.locator('html').getAttribute('data-sounded')) ?? 0);
  const titleOf = (page: Page, title: string): Promise<unknown> =>
    until(async () => (await page.title()) === title, `the title to be ${title}`);

  // All notes of this browser so far. One more signal is waited for: whatever would be called before it has been then.
  async function called(page: Page): Promise<string[]> {
    const mark = `mark ${++marks}`;
    await signal('marker', 'error', mark);
    const notes = async (): Promise<string[]> =>
      String(await page.evaluate(`localStorage.getItem('notes') ?? ''`)).split(';');
    await until(async () => (await notes()).includes(`marker: error | ${mark}`), `a note of ${mark}`);
    return (await notes()).filter((note) => note !== '' && !note.startsWith('marker'));
  }

  test('who needs me stands first and calls once, over reloads and tabs; a new signal calls again', async () => {
    for (const name of ['alpha', 'beta', 'gamma', 'marker']) await dashboard.shell(name);
    const page = await openDashboard(dashboard.world, await counting());
    await until(async () => (await cardNames(page)).length === 4, 'four cards');
    await signal('gamma', 'needs_input', 'Which port?');
    await page.getByRole('region', { name: 'Needs you' }).getByText('Which port?').waitFor();
    expect(await cardNames(page)).toEqual(['gamma', 'alpha', 'beta', 'marker']);
    await titleOf(page, '(1) Suremail');
    await until(async () => (await sounds(page)) === 1, 'a sound');

    await page.reload();
    await page.getByText('Which port?').waitFor();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByText('Which port?').waitFor();
    expect(await called(page)).toEqual(['gamma: needs input | Which port?']);

    await signal('beta', 'error', 'it broke');
    await page.getByText('it broke').waitFor();
    await second.getByText('it broke').waitFor();
    expect(await called(page)).toEqual(['gamma: needs input | Which port?', 'beta: error | it broke']);
    // Two marks and one that broke, each in one of the tabs.
    expect((await sounds(page)) + (await sounds(second))).toBe(3);

    // Dealt with in one tab, and so in the other.
    await titleOf(second, '(3) Suremail');
    await page.getByRole('button', { name: 'Mark what beta reported as seen' }).click();
    await titleOf(second, '(2) Suremail');
  });

  test('a tab that nobody has touched leaves the sound to one that can be heard', async () => {
    await dashboard.shell('marker');
    const untouched = await openDashboard(dashboard.world, await counting());
    // A browser at a desk waits for a touch; this one, without a screen, does not.
    await untouched.evaluate(
      `window.AudioContext = class { state = 'suspended'; resume() { return new Promise(() => {}); } }`,
    );
    const touched = await untouched.context().newPage();
    await touched.goto(untouched.url());
    await touched.getByRole('heading', { name: 'Sessions' }).click();
    for (let n = 1; n <= 3; n++) {
      await called(touched);
      expect([await sounds(untouched), await sounds(touched)]).toEqual([0, n]);
    }
  });

  test('a muted session is silent and not counted, also after a reload', async () => {
    for (const name of ['alpha', 'beta', 'marker']) await dashboard.shell(name);
    const page = await openDashboard(dashboard.world, await counting());
    await page.locator('.card').nth(2).waitFor();
    await page.locator('[data-session-link]', { hasText: 'beta' }).focus();
    await page.keyboard.press('m');
    await page.getByText('muted').waitFor();
    await signal('beta', 'error', 'not heard');
    await signal('alpha', 'needs_input', 'heard');
    await page.getByText('not heard').waitFor();
    expect(await called(page)).toEqual(['alpha: needs input | heard']);
    await titleOf(page, '(2) Suremail');
    await page.reload();
    await page.getByText('not heard').waitFor();
    await titleOf(page, '(2) Suremail');
    expect(await called(page)).toEqual(['alpha: needs input | heard']);
  });

  test('a daemon that is killed and comes back: the pill says so, nothing is called again, changes go on', async () => {
    const { world } = dashboard;
    for (const name of ['alpha', 'marker']) await dashboard.shell(name);
    const page = await openDashboard(world, await counting());
    await signal('alpha', 'needs_input', 'before');
    await page.getByText('before').waitFor();
    expect(await called(page)).toHaveLength(1);
    const port = new URL(page.url()).port;
    await world.kill9();
    await page.getByText('not connected: try now').waitFor();
    await world.startDaemon({ SM_PORT: port });
    await page.locator('.pill.live').waitFor();
    // What it tells now comes behind all that was asked for anew.
    await dashboard.shell('gamma');
    await page.locator('.card', { hasText: 'gamma' }).waitFor();
    expect(await called(page)).toEqual(['alpha: needs input | before']);
    await signal('alpha', 'needs_input', 'after');
    expect(await called(page)).toEqual(['alpha: needs input | before', 'alpha: needs input | after']);
  });

  test('a connection that breaks is gone on with where it was: nothing is missed, and nothing asked for anew', async () => {
    for (const name of ['alpha', 'marker']) await dashboard.shell(name);
    const context = await counting();
    const asked: string[] = [];
    const feeds: { close: () => Promise<void>; url: string }[] = [];
    await context.routeWebSocket(/\/api\/v1\/ws/, (feed) => {
      feed.connectToServer();
      feeds.push({ close: () => feed.close(), url: feed.url() });
    });
    const page = await openDashboard(dashboard.world, context);
    await page.locator('.card').nth(1).waitFor();
    await called(page);
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await feeds[0]?.close();
    await page.getByText('not connected: try now').waitFor();
    await signal('alpha', 'needs_input', 'meanwhile');
    await page.getByText('meanwhile').waitFor();
    expect(await called(page)).toEqual(['alpha: needs input | meanwhile']);
    expect(feeds.at(-1)?.url).toContain('last_event_id=');
    expect(asked).not.toContain('/api/v1/sessions');
  });

  test('a tab that signs in later does not forget what the others know', async () => {
    const { world } = dashboard;
    const password = 'a long enough password';
    await dashboard.shell('marker');
    const page = await openDashboard(world, await counting());
    const late = await page.context().newPage();
    await late.goto(page.url());
    await late.locator('.card').waitFor();
    await world.client.setPassword(password);
    const enter = async (tab: Page): Promise<void> => {
      await tab.getByRole('textbox', { name: 'Password' }).fill(password);
      await tab.getByRole('button', { name: 'Sign in' }).click();
      await tab.getByRole('heading', { name: 'Sessions' }).waitFor();
    };
    await enter(page);
    await dashboard.shell('alpha');
    await page.locator('.card', { hasText: 'alpha' }).waitFor();
    await signal('alpha', 'needs_input', 'once');
    await page.getByText('once').waitFor();
    expect(await called(page)).toEqual(['alpha: needs input | once']);
    await page.getByRole('button', { name: 'Mark what alpha reported as seen' }).click();
    await titleOf(page, '(1) Suremail');
    await enter(late);
    await late.locator('.card', { hasText: 'alpha' }).waitFor();
    expect(await called(late)).toEqual(['alpha: needs input | once']);
    await titleOf(late, '(1) Suremail');
    await world.client.removePassword();
  });
});
