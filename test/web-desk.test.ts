// The dashboard in a real Chromium at a desk, used as a person would: signing in, finding who needs them, answering.
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
  const sounds = async (page: Page): Promise<number> =>
    Number((await page.locator('html').getAttribute('data-sounded')) ?? 0);
  const titleOf = (page: Page, title: string): Promise<unknown> =>
    until(async () => (await page.title()) === title, `the title to be ${title}`);

  test('a link signs in once, leaves nothing in the address, and a reload stays in', async () => {
    const context = await newContext();
    const { url } = await world.client.signInLink();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/');
    await page.reload();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({
      name: expect.stringMatching(/^sm_session_\d+$/),
      httpOnly: true,
      sameSite: 'Strict',
    });

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

  test('who needs me stands first, sounds once over reloads and tabs, and a new signal sounds again', async () => {
    for (const name of ['alpha', 'beta', 'gamma']) await shell(name);
    const page = await open();
    await until(async () => (await names(page)).length === 3, 'three cards');
    expect(await names(page)).toEqual(['alpha', 'beta', 'gamma']);
    await world.client.signal('gamma', { state: 'needs_input', message: 'Which port?' });
    await page.getByRole('region', { name: 'Needs you' }).getByText('Which port?').waitFor();
    expect(await names(page)).toEqual(['gamma', 'alpha', 'beta']);
    await titleOf(page, '(1) Suremail');
    await until(async () => (await sounds(page)) === 1, 'a sound');

    await page.reload();
    await page.getByText('Which port?').waitFor();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByText('Which port?').waitFor();
    expect([await sounds(page), await sounds(second)]).toEqual([0, 0]);

    await world.client.signal('beta', { state: 'error', message: 'it broke' });
    await page.getByText('it broke').waitFor();
    await second.getByText('it broke').waitFor();
    await until(async () => (await sounds(page)) + (await sounds(second)) > 0, 'a sound in one of the tabs');
    await titleOf(second, '(2) Suremail');
    expect((await sounds(page)) + (await sounds(second))).toBe(1);

    // Dealt with in one tab, and so in the other.
    await page.getByRole('button', { name: 'Mark what beta reported as seen' }).click();
    await titleOf(second, '(1) Suremail');
  });

  test('a note on the desktop for each signal, once; a muted session is silent and not counted', async () => {
    for (const name of ['alpha', 'beta']) await shell(name);
    const context = await newContext();
    await context.addInitScript(`
      localStorage.setItem('sm-preferences', JSON.stringify({ notes: true }));
      window.Notification = class {
        static permission = 'granted';
        constructor(title, { body }) { (window.notes ??= []).push(title + ' | ' + body); }
        close() {}
      };
    `);
    const page = await openDashboard(world, context);
    const notes = async (): Promise<string> => String(await page.evaluate('(window.notes ?? []).join()'));
    await page.locator('.card').nth(1).waitFor();
    await page.locator('[data-session-link]', { hasText: 'beta' }).focus();
    await page.keyboard.press('m');
    await page.getByText('muted').waitFor();
    await world.client.signal('beta', { state: 'error', message: 'not heard' });
    await world.client.signal('alpha', { state: 'needs_input', message: 'heard' });
    await page.getByText('not heard').waitFor();
    await until(async () => (await notes()) === 'alpha: needs input | heard', 'one note');
    await titleOf(page, '(1) Suremail');
    await page.reload();
    await page.getByText('not heard').waitFor();
    await titleOf(page, '(1) Suremail');
    expect(await notes()).toBe('');
  });

  test('nothing moves under the pointer; it does once the pointer has left', async () => {
    for (const name of ['alpha', 'beta']) await shell(name);
    const page = await open();
    await page.locator('.card').nth(1).waitFor();
    await page.locator('.card').first().hover();
    await world.client.signal('beta', { state: 'needs_input', message: 'me first' });
    await page.getByText('me first').waitFor();
    expect(await names(page)).toEqual(['alpha', 'beta']);
    await page.getByRole('heading', { name: 'Sessions' }).hover();
    await until(async () => (await names(page)).join() === 'beta,alpha', 'beta to stand first');
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

  test('mail: to several, waiting with its reason, cancelled; and found again in the history', async () => {
    for (const name of ['alpha', 'beta']) await shell(name);
    await world.client.update('alpha', { paused: true });
    await world.client.update('beta', { paused: true });
    const page = await open();
    await page.locator('.card').nth(1).waitFor();
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('button', { name: 'send to alpha' }).click();
    await page.getByRole('button', { name: 'send to beta' }).click();
    await page.getByLabel('Message', { exact: true }).fill('words for two');
    await page.getByText('Deadline and options').click();
    await page.getByLabel('Not later than').fill('1h');
    await page.getByRole('button', { name: 'Send to 2' }).click();
    const sent = page.getByRole('region', { name: 'What was just sent' });
    await until(
      async () => (await sent.getByText('waits: delivery is paused').count()) === 2,
      'both to wait',
    );
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /^Mail/ }).click();
    const queue = page.locator('.message');
    await until(async () => (await queue.count()) === 2, 'two that wait');
    await world.client.send({ to: ['alpha'], text: 'the second one' });
    await queue.nth(2).waitFor();
    const texts = (): Promise<string> =>
      queue
        .locator('.message-text')
        .allTextContents()
        .then((all) => all.join());
    const second = queue.filter({ hasText: 'the second one' });
    await second.getByRole('button', { name: 'Earlier' }).click();
    await until(async () => (await texts()).startsWith('the second one,words for two'), 'it to stand first');
    await second.getByRole('button', { name: 'Interrupt' }).click();
    await second.locator('.tag.urgent').waitFor();
    await second.getByRole('button', { name: 'Cancel' }).click();
    await until(async () => (await queue.count()) === 2, 'two that wait again');
    await queue.first().getByRole('button', { name: 'Cancel' }).click();
    await until(async () => (await queue.count()) === 1, 'one that waits');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('searchbox').fill('WORDS for');
    await until(async () => (await page.locator('.message').count()) === 2, 'two in the history');
    const [message] = await world.client.messages({ pending: true });
    expect(message?.expires_at).toEqual(expect.any(String));
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

  test('a daemon that is killed and comes back: the pill says so, nothing sounds again, changes go on', async () => {
    await shell('alpha');
    await world.client.signal('alpha', { state: 'needs_input', message: 'before' });
    const page = await open();
    await page.getByText('before').waitFor();
    await until(async () => (await sounds(page)) === 1, 'a sound');
    const port = new URL(page.url()).port;
    await world.kill9();
    await page.getByText('not connected: try now').waitFor();
    await world.startDaemon({ SM_PORT: port });
    await page
      .getByText('not connected: try now')
      .click({ timeout: 2000 })
      .catch(() => {});
    await page.locator('.pill.live').waitFor();
    expect(await sounds(page)).toBe(1);
    await world.client.signal('alpha', { state: 'needs_input', message: 'after' });
    await page.getByText('after').waitFor();
    await until(async () => (await sounds(page)) === 2, 'a second sound');
  });

  test('mail to me is answered in its thread; something is to be said later; the doctor and the configuration', async () => {
    const { id } = await shell('writer');
    await world.client.update('writer', { paused: true });
    const page = await open();
    await world.client.send({ to: ['@me'], text: 'may I merge?', from: { session: id } });
    await page.getByRole('link', { name: 'Inbox 1' }).click();
    await page.getByText('may I merge?').waitFor();
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.keyboard.type('after the tests');
    await page.keyboard.press('Control+Enter');
    await page.locator('.receipt-word', { hasText: 'queued' }).waitFor();
    await page.getByRole('link', { name: 'Thread' }).click();
    await page.getByRole('heading', { name: 'Conversation' }).waitFor();
    await until(
      async () =>
        (await page.locator('.message-text').allTextContents()).join() === 'may I merge?,after the tests',
      'both in order',
    );
    expect((await world.client.inbox()).unread).toBe(0);

    await page.getByRole('link', { name: 'Reminders' }).click();
    await page.getByRole('textbox', { name: 'What to say' }).fill('look at the build');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('.message', { hasText: 'look at the build' }).getByText('in 20 min').waitFor();
    expect(await world.client.reminders()).toHaveLength(1);
    await page.locator('.message').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing is to be said later.').waitFor();

    await page.getByRole('link', { name: 'Operations' }).click();
    await page.locator('.verdict').waitFor();
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByRole('rowheader', { name: 'default_timeout' }).waitFor();
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByText('No other machines.').waitFor();
  });

  test('sessions are started, renamed and ended in the page', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('textbox', { name: 'Command' }).fill("sh -c 'echo it runs; cat'");
    await page.getByRole('textbox', { name: 'Name' }).fill('made');
    await page.getByRole('textbox', { name: 'Folder' }).fill(world.folder);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'made', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('other-name');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'other-name', exact: true }).waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByText('No sessions yet').waitFor();
    expect(await world.client.sessions()).toEqual([]);
  });
});
