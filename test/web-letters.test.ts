// Letters in the dashboard: what is written is sent as it was meant, once, and nothing of it is lost on the way.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './support/browser.js';
import { Dashboard } from './support/dashboard.js';
import { until } from './support/tmux.js';

describe.skipIf(chromiumPath() === undefined)('letters in the dashboard', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await Dashboard.start();
  });
  afterEach(() => dashboard.clear());
  afterAll(() => dashboard?.end());

  test('what is begun while one goes stays in the field, and its options hold for it alone', async () => {
    const { client } = dashboard.world;
    const { id } = await dashboard.shell('reader');
    await client.update('reader', { paused: true });
    const page = await dashboard.open();
    await page.goto(`${page.url().split('#')[0]}#/s/${id}`);
    const field = page.getByLabel('Message', { exact: true });
    let go = (): void => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/api/v1/messages', async (route) => {
      if (route.request().method() === 'POST') await gone;
      await route.continue();
    });
    await page.getByRole('radio', { name: 'Urgent' }).check({ force: true });
    await field.fill('the first one');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Sending …' }).waitFor();
    await field.press('End');
    await field.press('Enter');
    await field.pressSequentially('the second');
    go();
    await until(async () => (await field.inputValue()) === 'the second', 'the rest to stay');
    await until(
      () => page.getByRole('radio', { name: 'After its turn' }).isChecked(),
      'its options to be gone',
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await until(async () => (await client.messages({ session: id })).length === 2, 'both');
    expect((await client.messages({ session: id })).map(({ text, mode }) => [text, mode])).toEqual([
      ['the first one', 'urgent'],
      ['the second', 'sequential'],
    ]);
    // The daemon has it before the page is told so.
    await until(async () => (await field.inputValue()) === '', 'the field to be empty');
  });

  test('a letter that cannot be sent stays in its field, and is one message when it can', async () => {
    const { world } = dashboard;
    const { id } = await dashboard.shell('reader');
    await world.client.update('reader', { paused: true });
    const page = await dashboard.open();
    const port = new URL(page.url()).port;
    await page.goto(`${page.url().split('#')[0]}#/s/${id}`);
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('for later');
    await world.kill9();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('the daemon does not answer').first().waitFor();
    expect(await field.inputValue()).toBe('for later');
    await world.startDaemon({ SM_PORT: port });
    await page.locator('.pill.live').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.message .receipt-word', { hasText: 'queued' }).waitFor();
    // The feed may tell of it before the answer does.
    await until(async () => (await field.inputValue()) === '', 'the field to be empty');
    expect((await world.client.messages({ session: id })).map(({ text }) => text)).toEqual(['for later']);
  });

  test('mail to me that comes together is shown with its text; an answer is kept until it is sent', async () => {
    const { client } = dashboard.world;
    const { id } = await dashboard.shell('writer');
    await client.update('writer', { paused: true });
    await client.signal('writer', { state: 'needs_input', message: 'read your inbox' });
    const page = await dashboard.open();
    await until(async () => (await page.title()) === '(1) Suremail', 'the report to be counted');
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('No agent has written to you yet.').waitFor();
    const texts = ['one', 'two', 'three'].map((word) => `mail number ${word}`);
    await Promise.all(texts.map((text) => client.send({ to: ['@me'], text, from: { session: id } })));
    for (const text of texts) await page.getByText(text).waitFor();

    const mail = page.locator('[data-inbox]', { hasText: 'mail number two' });
    const field = mail.getByRole('textbox');
    const answer = mail.getByRole('button', { name: 'Answer' });
    await answer.click();
    await field.fill('half an answer');
    await answer.click();
    await answer.click();
    expect(await field.inputValue()).toBe('half an answer');
    await page.reload();
    await answer.click();
    expect(await field.inputValue()).toBe('half an answer');

    // The daemon has it, and the page is not told: the same text again is the same answer, another one is another.
    await page.route('**/api/v1/replies', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await mail.getByRole('button', { name: 'Send' }).click();
    await mail.getByRole('alert').waitFor();
    await page.unroute('**/api/v1/replies');
    await field.fill('a whole answer');
    await mail.getByRole('button', { name: 'Send' }).click();
    await mail.locator('.receipt-word', { hasText: 'queued' }).waitFor();
    const sent = await client.messages({ session: id });
    expect(sent.map(({ text }) => text)).toEqual(['half an answer', 'a whole answer']);
    await until(async () => (await client.inbox()).unread === 2, 'it to be read');
    await until(async () => (await page.title()) === 'Suremail', 'the report to be dealt with');
  });
});
