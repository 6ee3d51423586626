// Mail in the dashboard, in a real Chromium: written, waiting, sent now, given up and delivered after all; drafts; answers.
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { insertDraft } from '../src/store/index.js';
import { chromiumPath, openDashboard } from './support/browser.js';
import { Dashboard } from './support/dashboard.js';
import { seenEmpty } from './support/fill.js';
import { until } from './support/tmux.js';
import { delivered, World } from './support/world.js';

const PROFILE = `
programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 10, enterGapMs: 10, submittedMs: 10, restoredMs: 20 }
pace: { stepMs: 2, enterMs: 50 }
`;

describe.skipIf(chromiumPath() === undefined)('mail in the dashboard', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    const world = new World();
    world.profile('fake-editor', PROFILE);
    dashboard = await Dashboard.start(world);
  });
  afterEach(() => dashboard.clear());
  afterAll(() => dashboard?.end());

  // What only many failures, or a crash at the wrong moment, would leave on disk.
  function write(sql: string, ...values: readonly (string | number | null)[]): void {
    const database = new Sqlite(path.join(dashboard.world.home, 'suremail.db'), { timeout: 10_000 });
    database.prepare(sql).run(...values);
    database.close();
  }

  test('mail: to several, waiting with its reason, cancelled; and found again in the history', async () => {
    const { client } = dashboard.world;
    for (const name of ['alpha', 'beta']) await dashboard.shell(name);
    await client.update('alpha', { paused: true });
    await client.update('beta', { paused: true });
    const page = await dashboard.open();
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
    await client.send({ to: ['alpha'], text: 'the second one', when: 'idle' });
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
    const [urgent] = await client.messages({ pending: true });
    expect(urgent).toMatchObject({ text: 'the second one', mode: 'urgent', when: 'now' });
    await second.getByRole('button', { name: 'Cancel' }).click();
    await until(async () => (await queue.count()) === 2, 'two that wait again');
    await queue.first().getByRole('button', { name: 'Cancel' }).click();
    await until(async () => (await queue.count()) === 1, 'one that waits');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('searchbox').fill('WORDS for');
    await until(async () => (await page.locator('.message').count()) === 2, 'two in the history');
    const [message] = await client.messages({ pending: true });
    expect(message?.expires_at).toEqual(expect.any(String));
  });

  test('a search asks once, for what is written when its writer pauses; the first of a conversation leads to it', async () => {
    await dashboard.shell('api');
    await dashboard.world.client.update('api', { paused: true });
    await dashboard.world.client.send({ to: ['api'], text: 'an old word' });
    const context = await dashboard.context();
    await context.clock.install();
    const page = await openDashboard(dashboard.world, context);
    const searches: string[] = [];
    page.on('request', (request) => {
      const words = new URL(request.url()).searchParams.get('q');
      if (words !== null) searches.push(words);
    });
    await page.goto(`${page.url().split('#')[0]}#/mail/history`);
    await page.getByText('an old word').waitFor();
    await page.clock.pauseAt(Date.now() + 10_000);
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('old word');
    expect(searches).toEqual([]);
    await page.clock.resume();
    await until(() => searches.length > 0, 'the search');
    const found = page.locator('.message', { hasText: 'an old word' });
    await found.getByRole('link', { name: 'Thread' }).click();
    await page.getByRole('heading', { name: 'Conversation' }).waitFor();
    await found.waitFor();
    expect(searches).toEqual(['old word']);
  });

  test('a dead letter comes into sight by itself, and is delivered after all', async () => {
    const { world } = dashboard;
    const agent = await world.agent('box', [], { name: 'api' });
    await world.client.update('api', { paused: true });
    const message = await world.send(agent, 'once more');
    await world.held(message, 'paused');
    const page = await dashboard.open();
    await page.getByRole('link', { name: /^Mail/ }).click();
    await page.getByRole('link', { name: 'Dead letters' }).click();
    await page.getByText('No dead letters').waitFor();
    write('UPDATE messages SET failures = 8 WHERE id = ?', message.id);
    await world.client.update('api', { paused: false });
    const letter = page.locator(`[data-message="${message.id}"]`);
    await letter.getByText('once more').waitFor();
    await letter.locator('.receipt-word', { hasText: 'dead letter' }).waitFor();
    expect(agent.submissions()).toEqual([]);
    await letter.getByRole('button', { name: 'Deliver again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('No dead letters').waitFor();
    // The focus is not lost with the last row.
    await until(async () => (await page.evaluate('document.activeElement.id')) === 'main', 'the focus');
    expect((await world.submitted(message)).receipt).toBe('submitted');
    expect(agent.submissions()).toEqual([delivered(message)]);
    await page.getByRole('link', { name: 'History' }).click();
    await letter.locator('.receipt-word', { hasText: 'submitted' }).waitFor();
  });

  test('Send now takes a message past the draft that it waits for, and the draft is whole', async () => {
    const { world } = dashboard;
    const agent = await world.agent('box', ['--editor', 'C-g'], { name: 'drafting', agent: 'fake-editor' });
    await seenEmpty(world, agent);
    await world.client.update('drafting', { past_draft: 'never' });
    const page = await dashboard.open();
    await page.locator('.card-link').click();
    await page.locator('.terminal-state', { hasText: 'live' }).waitFor();
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('half a thought');
    await until(async () => (await agent.draft()).text === 'half a thought', 'the draft');
    const message = await world.send(agent, 'it waits for you');
    await page.getByRole('tab', { name: 'Waiting' }).click();
    const row = page.locator(`[data-message="${message.id}"]`);
    await row.getByText('waits: ').waitFor();
    expect(agent.submissions()).toHaveLength(1);
    await row.getByRole('button', { name: 'Send now' }).click();
    expect((await world.submitted(message)).receipt).toBe('submitted');
    await page.getByText('Nothing waits.').waitFor();
    await until(async () => (await agent.draft()).text === 'half a thought', 'the draft to be back');
    expect(agent.submissions().slice(1)).toEqual([delivered(message)]);
  });

  test('a draft that is not back is worth a look; copying it gives it to its person, and then it is settled', async () => {
    const { world } = dashboard;
    const session = await dashboard.shell('writer');
    const text = 'half a thought\n  with "quotes", ünï and more';
    const { sql, values } = insertDraft({
      id: 'd00100000000',
      session_id: session.id,
      session_name: 'writer',
      message_id: null,
      attempt: 0,
      protocol: 'editor',
      text,
      caret: null,
      exact: 1,
      state: 'saved',
      proof: null,
      found: null,
      held_ms: null,
      created_at: Date.now() - 60_000,
      updated_at: Date.now() - 60_000,
    });
    write(sql, ...values);
    const context = await dashboard.context();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await openDashboard(world, context);
    await page.getByRole('region', { name: 'Worth a look' }).getByText('writer').waitFor();
    await page.getByRole('link', { name: /^Mail/ }).click();
    await page.getByRole('link', { name: 'Drafts' }).click();
    const row = page.locator('[data-draft]');
    await row.getByText('saved, not known to be back').waitFor();
    expect(await row.locator('.draft-text').textContent()).toBe(text);
    await row.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('The draft is in your clipboard.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    await page.getByText('Every draft is where it belongs.').waitFor();
    const [draft] = await world.client.drafts({ session: session.id, state: 'all' });
    expect(draft?.state).toBe('taken');
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('region', { name: 'At rest' }).getByText('writer').waitFor();
  });

  test('mail to me is answered in its thread; something is to be said later; the doctor and the configuration', async () => {
    const { client } = dashboard.world;
    const { id } = await dashboard.shell('writer');
    await client.update('writer', { paused: true });
    await client.readInbox();
    const page = await dashboard.open();
    await client.send({ to: ['@me'], text: 'may I merge?', from: { session: id } });
    await page.getByRole('link', { name: 'Inbox 1' }).click();
    const question = page.locator('[data-inbox]', { hasText: 'may I merge?' });
    await question.getByRole('button', { name: 'Answer' }).click();
    await page.keyboard.type('after the tests');
    await page.keyboard.press('Control+Enter');
    await question.locator('.receipt-word', { hasText: 'queued' }).waitFor();
    await question.getByRole('link', { name: 'Thread' }).click();
    await page.getByRole('heading', { name: 'Conversation' }).waitFor();
    await until(
      async () =>
        (await page.locator('.message-text').allTextContents()).join() === 'may I merge?,after the tests',
      'both in order',
    );
    expect((await client.inbox()).unread).toBe(0);

    await page.getByRole('link', { name: 'Reminders' }).click();
    await page.getByRole('textbox', { name: 'What to say' }).fill('look at the build');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('.message', { hasText: 'look at the build' }).getByText('in 20 min').waitFor();
    expect(await client.reminders()).toHaveLength(1);
    await page.locator('.message').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing is to be said later.').waitFor();

    await page.getByRole('link', { name: 'Operations' }).click();
    await page.locator('.verdict').waitFor();
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByRole('rowheader', { name: 'default_timeout' }).waitFor();
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByText('No other machines.').waitFor();
  });
});
