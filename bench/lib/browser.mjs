// A real Chromium for a figure, with the dashboard of a daemon in it; gone with the figure.
import fs from 'node:fs';
import { chromium } from 'playwright-core';
import { closeLater } from './place.mjs';

const PLACES = [
  process.env.SM_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const chromiumPath = () => PLACES.find((place) => place && fs.existsSync(place));
export const NO_CHROMIUM = { skipped: 'no Chromium on this machine; SM_CHROMIUM names one' };

export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
  closeLater({ close: () => browser.close() });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  return { browser, context };
}

// Signed in, with the list of sessions in sight.
export async function openDashboard({ context }, daemon) {
  const page = await context.newPage();
  await page.goto((await daemon.client.signInLink()).url);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  return page;
}

export async function openTerminal(page, session) {
  await page.goto(`${page.url().split('#')[0]}#/s/${session.id}`);
  await page.locator('.terminal-state', { hasText: 'live' }).waitFor();
  await page.locator('.xterm-helper-textarea').focus();
}
