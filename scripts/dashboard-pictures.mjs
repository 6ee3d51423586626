// Renews the pictures of the dashboard in docs/: a daemon and a tmux server of its own, scripted agents, and Chromium.
// Run by hand after the page has changed: node scripts/dashboard-pictures.mjs [chromium] [folder for the pictures]
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const browserPath = process.argv[2] ?? '/usr/bin/chromium';
const pictures = process.argv[3] ?? path.join(root, 'docs');

const AGENTS = [
  {
    name: 'api',
    // A fake agent with an input box and a door of its own: receipts climb to the last.
    answers: ['move the routes into api/routes.ts', 'then run the tests'],
    signal: ['needs_input', 'Which port should the server use? 8080 is taken.'],
    waits: ['and say in the README which one it is'],
  },
  {
    name: 'checkout',
    shows: ['● Ran npm test', '  ✗ cart.test.ts: total is 0 after a refund', '  1 failed, 118 passed'],
    signal: ['error', 'cart.test.ts fails: the total is 0 after a refund'],
  },
  {
    name: 'search',
    shows: ['● The index is rebuilt in 1.4 s, it took 9 s before.'],
    signal: ['needs_testing', 'try a search with umlauts, please'],
  },
  {
    name: 'docs',
    shows: ['● Wrote docs/install.md and two pictures.'],
    signal: ['completed', 'install.md is written; two questions are at its end'],
  },
  {
    name: 'migrate',
    shows: ['● Reading 214 files …', '  src/store/orders.ts', '  src/store/carts.ts'],
    signal: ['working', 'moving the orders to the new schema'],
  },
  { name: 'review', shows: ['● Waiting for a branch to look at.'] },
  { name: 'deploy', shows: ['● Nothing to deploy.'] },
];

// What an agent has on its screen, then an input box that does nothing.
const SCREEN = `
const { name, lines } = JSON.parse(process.argv[1]);
const dim = (text) => '\\x1b[2m' + text + '\\x1b[0m';
process.stdout.write('\\x1b[36m✻\\x1b[0m \\x1b[1m' + name + '\\x1b[0m\\r\\n\\r\\n');
for (const line of lines)
  process.stdout.write(line.replace(/^●/, '\\x1b[32m●\\x1b[0m').replace(/✗.*/, (all) => '\\x1b[31m' + all + '\\x1b[0m') + '\\r\\n');
process.stdout.write('\\r\\n' + dim('─'.repeat(96)) + '\\r\\n> \\x1b7\\r\\n' + dim('─'.repeat(96)) + '\\x1b8');
process.stdin.setRawMode?.(true);
process.stdin.on('data', (bytes) => process.stdout.write(bytes));
`;

async function main() {
  build();
  const { Client } = await import(path.join(root, 'dist/api/client.js'));
  const { locateHome } = await import(path.join(root, 'dist/api/locate.js'));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smpic-'));
  const socket = path.join(folder, 'tmux.sock');
  const env = { ...process.env, SM_HOME: path.join(folder, 'home'), SM_PORT: '0', TMUX_TMPDIR: folder };
  for (const name of ['TMUX', 'TMUX_PANE', 'SM_SESSION', 'SM_CONFIG']) delete env[name];
  const tmux = (...args) => execFileSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8' });
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keep', 'cat');
  const daemon = spawn(process.execPath, [path.join(root, 'dist/daemon/main.js')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let browser;
  try {
    await new Promise((resolve) => daemon.stdio[3].once('data', resolve));
    const client = new Client({ socket: locateHome(env).socket });
    const sessions = {};
    for (const { name, shows, answers = [], waits = [], signal } of AGENTS) {
      const command = shows
        ? ['-e', SCREEN, JSON.stringify({ name, lines: shows })]
        : [path.join(root, 'test/agents/woken/cli.mjs')];
      const session = await client.start({
        name,
        socket,
        cwd: folder,
        agent: 'claude',
        command: [process.execPath, ...command],
        env: { CLAUDE_CONFIG_DIR: folder, FAKE_LOG: path.join(folder, 'log') },
        width: 100,
        height: 30,
      });
      sessions[name] = session.id;
      for (const text of answers) {
        const { messages } = await client.send({ to: [name], text });
        await client.wait(messages[0].id, { for: 'done', timeout: 20 });
      }
      if (waits.length > 0) await client.update(name, { paused: true });
      for (const text of waits) await client.send({ to: [name], text });
      if (signal) await client.signal(name, { state: signal[0], message: signal[1] });
    }
    await client.send({ to: ['@me'], text: 'The build is green again.', from: { session: sessions.deploy } });
    browser = await chromium.launch({
      executablePath: browserPath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    const shot = async (page, name) =>
      page.screenshot({ path: path.join(pictures, `dashboard-${name}.png`) });
    const open = async (options) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
      page.on('pageerror', (error) => console.error(error));
      await page.goto((await client.signInLink()).url);
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      await page.locator('.card').first().waitFor();
      await page.waitForLoadState('networkidle');
      return page;
    };
    const desk = await open({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    await shot(desk, 'sessions');
    await desk.getByRole('link', { name: 'api', exact: true }).click();
    await desk.locator('.xterm-screen').waitFor();
    await desk.waitForTimeout(700);
    await shot(desk, 'session');
    if (process.env.MORE) {
      await desk.keyboard.press('c');
      await shot(desk, 'x-compose');
      await desk.keyboard.press('Escape');
      for (const part of ['mail/queue', 'mail/history', 'inbox', 'ops/doctor', 'ops/config', 'reminders']) {
        await desk.goto(`${desk.url().split('#')[0]}#/${part}`);
        await desk.waitForTimeout(800);
        await shot(desk, `x-${part.replace('/', '-')}`);
      }
    }
    const dark = await open({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
    await shot(dark, 'dark');
    const phone = await open({
      viewport: { width: 390, height: 844 },
      colorScheme: 'light',
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 1,
    });
    await shot(phone, 'phone');
    if (process.env.MORE) {
      await phone.getByRole('link', { name: 'api', exact: true }).click();
      await phone.locator('.xterm-screen').waitFor();
      await phone.waitForTimeout(700);
      await shot(phone, 'x-phone-session');
    }
  } finally {
    await browser?.close();
    daemon.kill('SIGKILL');
    tmux('kill-server');
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

await main();
