// The size of a pane that is shown in a browser: its own, unless a viewer asks for another, and its own again after that.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserTerminal } from './support/browser-terminal.js';
import { type Printer, startPrinter } from './support/printer.js';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

let world: World;
let printed: Printer;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  printed = await startPrinter(world);
});
afterAll(() => world.dispose());

const OWN = '80x24 latest';
const ASKED = '60x20 manual';
const size = (): string =>
  world.tmux(
    'display-message',
    '-p',
    '-t',
    printed.session.pane,
    '#{pane_width}x#{pane_height} #{window-size}',
  );
async function view(): Promise<BrowserTerminal> {
  const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
  const { url } = await world.client.status();
  return BrowserTerminal.open(url, printed.session.id, { authorization: `Bearer ${token}` });
}
async function fitted(): Promise<BrowserTerminal> {
  const browser = await view();
  expect(size()).toBe(OWN);
  browser.ask({ type: 'resize', columns: 60, rows: 20 });
  await until(() => size() === ASKED, 'the asked size');
  await until(() => browser.terminal.cols === 60, 'a picture of that size');
  return browser;
}

test('it has its own again when the last who asked has left', async () => {
  const one = await fitted();
  const other = await view();
  other.ask({ type: 'resize', columns: 50, rows: 20 });
  await until(() => size() === '50x20 manual', 'the other size');
  one.close();
  await one.closed;
  other.ask({ type: 'resize', columns: 60, rows: 20 });
  await until(() => size() === ASKED, 'the asked size');
  other.close();
  await until(() => size() === OWN, 'its own size');
});

test('a daemon that was killed has left it so; the next one gives it back', async () => {
  await fitted();
  await world.kill9();
  await world.startDaemon();
  expect(size()).toBe(OWN);
});

test('a daemon that stops gives it back', async () => {
  await fitted();
  await world.client.stop();
  await world.ended();
  expect(size()).toBe(OWN);
  await world.startDaemon();
});

test('a session that is forgotten gives it back, where its pane stays', async () => {
  await fitted();
  await world.client.kill(printed.session.id, { keep: true });
  expect(size()).toBe(OWN);
});

test('a window with other panes is not changed', async () => {
  world.tmux('split-window', '-t', printed.session.pane, 'cat');
  const browser = await view();
  browser.ask({ type: 'resize', columns: 60, rows: 20 });
  await until(() => browser.frames.some(({ reason }) => reason === 'other_panes'), 'the refusal');
});

test('a size that cannot be is refused by name, and the connection stays', async () => {
  const browser = await view();
  browser.ask({ type: 'resize', columns: 80, rows: 1 });
  await until(() => browser.frames.some(({ type }) => type === 'refused'), 'the refusal');
  expect(browser.frames.at(-1)).toEqual({
    type: 'refused',
    reason: 'invalid',
    field: 'rows',
    value: 1,
    expected: 'a whole number from 2 to 1000',
  });
  browser.ask({ type: 'resync' });
  await until(() => browser.pictures > 1, 'a picture');
  browser.ask({ type: 'nonsense' });
  expect(await browser.closed).toBe(1003);
});
