// The dashboard while the daemon cannot be reached: what is there stays, nothing is said that is not known, and it goes on.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { Dashboard } from './support/dashboard.js';

describe.skipIf(chromiumPath() === undefined)('the dashboard without its daemon', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterEach(() => dashboard.clear());
  afterAll(() => dashboard?.end());

  test('a terminal that cannot be loaded leaves the rest of the page, and is there once the daemon is', async () => {
    const { world } = dashboard;
    await dashboard.shell('alpha');
    const page = await dashboard.open();
    const port = new URL(page.url()).port;
    await page.locator('.card').waitFor();
    await world.kill9();
    await page.getByText('not connected: try now').waitFor();
    await page.locator('.card-link').click();
    const problem = page.getByText('The terminal could not be loaded');
    await problem.waitFor();
    await page.getByRole('heading', { name: 'alpha', exact: true }).waitFor();
    await page.getByLabel('Message', { exact: true }).fill('kept');
    await page.getByRole('button', { name: 'Load the page anew' }).click();
    await page.getByText('the daemon does not answer: nothing was loaded').waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
    await world.startDaemon({ SM_PORT: port });
    await page.locator('.pill.live').waitFor();
    await page.getByRole('button', { name: 'Load the page anew' }).click();
    await page.locator('.terminal-state', { hasText: 'live' }).waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('kept');
  });

  test('what waits is not known, which is said; once the connection is back it is shown without being asked', async () => {
    const { world } = dashboard;
    await dashboard.shell('alpha');
    await world.client.update('alpha', { paused: true });
    await world.client.send({ to: ['alpha'], text: 'it waits' });
    const page = await dashboard.open();
    const port = new URL(page.url()).port;
    await page.getByRole('link', { name: 'Mail 1' }).waitFor();
    await world.kill9();
    await page.getByText('not connected: try now').waitFor();
    await page.getByRole('link', { name: 'Mail 1' }).click();
    for (const list of ['Waiting', 'Dead letters']) {
      await page.getByRole('link', { name: list }).click();
      // What is seen from now on is this list's own.
      await page.locator('[aria-current="page"]', { hasText: list }).waitFor();
      await page.getByRole('alert').getByText('the daemon does not answer').waitFor();
      expect(await page.locator('.empty').count()).toBe(0);
    }
    // What is known of it is shown beside the problem.
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('alert').getByText('the daemon does not answer').waitFor();
    await page.getByText('it waits').waitFor();
    await page.getByRole('link', { name: 'Waiting' }).click();
    await page.getByRole('alert').waitFor();
    await world.startDaemon({ SM_PORT: port });
    await page.locator('.message', { hasText: 'it waits' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
