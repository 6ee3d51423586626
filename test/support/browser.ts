// A real Chromium for a test file, and the dashboard in it as a person would open it.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { World } from './world.js';

const PLACES = [
  process.env.SM_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

// Undefined where there is none: the tests that need it then say so.
export const chromiumPath = (): string | undefined =>
  PLACES.find((place) => place !== undefined && place !== '' && existsSync(place));

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath() ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

// Signs in as `sm dash` does: with a link that works once.
export async function openDashboard(world: World, context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const { url } = await world.client.signInLink();
  await page.goto(url);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  return page;
}
