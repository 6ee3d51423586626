// The list of sessions in a real Chromium: nothing moves under the pointer, and the focus stays with whoever goes by keys.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openDashboard } from './support/browser.js';
import { cardNames, Dashboard } from './support/dashboard.js';
import { until } from './support/tmux.js';

describe.skipIf(chromiumPath() === undefined)('the list of sessions', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterEach(() => dashboard.clear());
  afterAll(() => dashboard?.end());

  // Its clock goes on by itself, and can be set forward.
  async function open(...names: string[]): Promise<Page> {
    for (const name of names) await dashboard.shell(name);
    const context = await dashboard.context();
    await context.clock.install();
    const page = await openDashboard(dashboard.world, context);
    await page
      .locator('.card')
      .nth(names.length - 1)
      .waitFor();
    return page;
  }
  const cardOf = (page: Page, name: string) => page.locator('.card', { hasText: name });
  const signal = (name: string, message: string): Promise<unknown> =>
    dashboard.world.client.signal(name, { state: 'needs_input', message });

  test('nothing moves under a pointer that rests there, however long; it does once the pointer has left', async () => {
    const page = await open('alpha', 'beta');
    await page.locator('.card').first().hover();
    await page.clock.fastForward(5000);
    await signal('beta', 'me first');
    await page.getByText('me first').waitFor();
    await page.clock.fastForward(5000);
    await page.getByRole('button', { name: 'The order has changed. Sort now' }).waitFor();
    expect(await cardNames(page)).toEqual(['alpha', 'beta']);
    await page.getByRole('heading', { name: 'Sessions' }).hover();
    await until(async () => (await cardNames(page)).join() === 'beta,alpha', 'beta to stand first');
  });

  test('meanwhile who is new comes below, and a card shows what is needed now', async () => {
    const page = await open('alpha', 'beta');
    await signal('alpha', 'look');
    const alpha = cardOf(page, 'alpha');
    const beta = cardOf(page, 'beta');
    await page.getByRole('region', { name: 'Needs you' }).getByText('look').waitFor();
    await beta.hover();
    const places = (): Promise<unknown> => Promise.all([alpha.boundingBox(), beta.boundingBox()]);
    const before = await places();
    await dashboard.shell('newcomer');
    await page.getByRole('region', { name: 'New' }).getByText('newcomer').waitFor();
    expect(await places()).toEqual(before);
    await signal('beta', 'me too');
    await page.locator('.card.now', { hasText: 'me too' }).waitFor();
    expect(await places()).toEqual(before);
    await beta.getByRole('button', { name: 'Mark what beta reported as seen' }).click();
    await page.locator('.card:not(.now)', { hasText: 'me too' }).waitFor();
    expect(await beta.getByRole('button', { name: 'seen' }).count()).toBe(0);
    await page.getByRole('heading', { name: 'Sessions' }).hover();
    await until(
      async () => (await page.getByRole('region', { name: 'New' }).count()) === 0,
      'the new one to stand with its like',
    );
  });

  test('a filter keeps its button when the last session has left it, and leads back', async () => {
    const page = await open('alpha', 'beta');
    await signal('beta', 'look');
    await page.getByRole('button', { name: 'Needs you 1' }).click();
    await until(async () => (await cardNames(page)).join() === 'beta', 'one card');
    await page.getByRole('button', { name: 'Mark what beta reported as seen' }).click();
    await page.getByText('No session matches.').waitFor();
    await page.getByRole('button', { name: 'Needs you 0', pressed: true }).click();
    await until(async () => (await cardNames(page)).join() === 'alpha,beta', 'both cards');
  });

  test('a dialog gives the focus back: the next key goes on from there', async () => {
    const page = await open('alpha', 'beta', 'gamma');
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused()).toBe('beta');
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Reply to beta' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    expect(await focused()).toBe('gamma');
    await page.getByRole('button', { name: 'More' }).click();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('More');
  });

  test('a long report is cut on its card, and can be read in full on the page of its session', async () => {
    const page = await open('alpha');
    await signal('alpha', `which of these: ${'one or another, '.repeat(30)}the end?`);
    await page.locator('.card-message').waitFor();
    const isCut = (): Promise<unknown> =>
      page.evaluate(
        `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('.card-state'))`,
      );
    expect(await isCut()).toBe(true);
    await page.locator('.card-link').click();
    await page.getByRole('heading', { name: 'alpha', exact: true }).waitFor();
    expect(await isCut()).toBe(false);
  });

  test('sessions are started, renamed and ended in the page', async () => {
    const { world } = dashboard;
    const page = await open('taken');
    await page.getByRole('button', { name: 'New session' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('textbox', { name: 'Command' }).fill("sh -c 'echo it runs");
    await page.getByRole('textbox', { name: 'Name' }).fill('taken');
    await page.getByRole('textbox', { name: 'Folder' }).fill(world.folder);
    await page.getByRole('button', { name: 'Start' }).click();
    await dialog.getByRole('alert').getByText("the quote at 'echo it runs is not closed").waitFor();
    await page.getByRole('textbox', { name: 'Command' }).fill("sh -c 'echo it runs; cat'");
    await page.getByRole('button', { name: 'Start' }).click();
    await dialog.getByRole('alert').getByText('taken').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('');
    // Twice is once.
    await page.getByRole('button', { name: 'Start' }).dblclick();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('taken');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByRole('alert').getByText('taken').waitFor();
    await page.getByLabel('New name').fill('other-name');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'other-name', exact: true }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy attach' }).click();
    await page.getByText('Copied: sm attach other-name').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('sm attach other-name');
    expect((await world.client.sessions()).map(({ name }) => name).sort()).toEqual(['other-name', 'taken']);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect((await world.client.sessions()).map(({ name }) => name)).toEqual(['taken']);
  });
});
