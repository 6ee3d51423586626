// A session's terminal in a browser: what it shows is what tmux itself shows, whenever it came in and whatever was printed.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BrowserTerminal } from './support/browser-terminal.js';
import { type Printer, startPrinter } from './support/printer.js';
import { until } from './support/tmux.js';
import { World } from './support/world.js';

let world: World;
let url: string;
let headers: Record<string, string>;
const open: BrowserTerminal[] = [];
beforeAll(async () => {
  world = await World.start();
  ({ url } = await world.client.status());
  const token = fs.readFileSync(path.join(world.home, 'token'), 'utf8').trim();
  headers = { authorization: `Bearer ${token}` };
});
afterEach(() => {
  for (const browser of open.splice(0)) browser.close();
});
afterAll(() => world.dispose());

const printer = (size: { width?: number; height?: number } = {}): Promise<Printer> =>
  startPrinter(world, size);

async function view({ session }: Pick<Printer, 'session'>): Promise<BrowserTerminal> {
  const browser = await BrowserTerminal.open(url, session.id, headers);
  open.push(browser);
  return browser;
}

const capture = ({ session }: Printer, ...options: string[]): string[] =>
  world
    .tmux('capture-pane', '-p', ...options, '-t', session.pane)
    .split('\n')
    .map((row) => row.trimEnd());
const blank = (rows: readonly string[]): string => rows.join('\n').trimEnd();

// Waits until the browser shows what tmux shows, then compares every cell with a picture taken now.
async function same(browser: BrowserTerminal, printed: Printer, end: string, ms = 20_000): Promise<void> {
  await until(() => capture(printed).some((row) => row.includes(end)), `tmux to show ${end}`, ms);
  await until(
    async () => blank(await browser.rows()) === blank(capture(printed)),
    'the browser to show what tmux shows',
    ms,
  ).catch(async () => expect(blank(await browser.rows())).toBe(blank(capture(printed))));
  const fresh = await view(printed);
  expect(await browser.look()).toEqual(await fresh.look());
  expect(blank(await fresh.rows())).toBe(blank(capture(printed)));
  expect([...browser.faults, ...fresh.faults]).toEqual([]);
  fresh.close();
}

describe('a picture', () => {
  test('has scrollback, colours, wide characters and the cursor where they are', async () => {
    const printed = await printer();
    const lines = Array.from({ length: 60 }, (_, n) => `\x1b[3${n % 8}mline ${n}\x1b[m 漢字 🙂 é\r\n`);
    printed.print(`${lines.join('')}\x1b[1;4;38;5;200mstyled\x1b[m \x1b[48;2;1;2;3mback\x1b[m\x1b[10;5Hhere`);
    await until(() => capture(printed).some((row) => row.includes('here')), 'the text');
    const browser = await view(printed);
    expect(blank(await browser.rows())).toBe(blank(capture(printed)));
    expect(blank(await browser.all())).toBe(blank(capture(printed, '-S', '-')));
    const { cursor } = (await browser.look()) as { cursor: unknown };
    const [x, y] = world
      .tmux('display-message', '-p', '-t', printed.session.pane, '#{cursor_x} #{cursor_y}')
      .split(' ');
    expect(cursor).toEqual({ x: Number(x), y: Number(y) });
    printed.end();
  });

  test('a line that wraps is one line, for whoever copies it', async () => {
    const printed = await printer({ width: 20 });
    printed.print(`${'abcdefghij'.repeat(5)}\r\nshort\r\n${'0123456789'.repeat(2)}\r\nend`);
    await until(() => capture(printed).includes('end'), 'the text');
    const browser = await view(printed);
    const { active } = browser.terminal.buffer;
    await browser.rows();
    expect([0, 1, 2, 3, 4, 5].map((y) => active.getLine(y)?.isWrapped)).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
    printed.end();
  });

  test('of the alternate screen has the main one under it, and the modes of the program', async () => {
    const printed = await printer();
    printed.print(
      'before\r\nunder\r\n\x1b[?1049h\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1002h\x1b[?1006h\x1b[?25l',
    );
    printed.print('\x1b[2J\x1b[5;10Halternate\x1b[3;20r\x1b[12;1Hregion');
    await until(() => capture(printed).some((row) => row.includes('region')), 'the text');
    const browser = await view(printed);
    expect(blank(await browser.rows())).toBe(blank(capture(printed)));
    expect(browser.terminal.buffer.active.type).toBe('alternate');
    expect((await browser.all()).slice(0, 2)).toEqual(['before', 'under']);
    expect(browser.terminal.modes).toMatchObject({
      applicationCursorKeysMode: true,
      applicationKeypadMode: true,
      bracketedPasteMode: true,
      sendFocusMode: true,
      mouseTrackingMode: 'drag',
    });
    // Only the region scrolls.
    printed.print(`\x1b[20;1H${'\r\n'.repeat(3)}scrolled`);
    await same(browser, printed, 'scrolled');
    printed.print('\x1b[r\x1b[?1049lafter');
    await same(browser, printed, 'after');
    printed.end();
  });

  test('in the middle of a sequence, of a character and of a style goes on as if it had been there', async () => {
    const printed = await printer();
    const streams = ['\x1b[31mred \x1b[1', 'wide \xe6\xbc', 'title \x1b]0;half', '\x1b[44mblue '];
    const rests = ['mbold\x1b[m\r\n', '\xa2 done\r\n', ' title\x07 done\r\n', 'still\x1b[m done\r\n'];
    for (const [n, begun] of streams.entries()) {
      const bytes = Buffer.from(begun, begun.includes('\xe6') ? 'latin1' : 'utf8');
      const word = begun.replace(/\x1b\[\d+m/, '').split(' ')[0] as string;
      printed.print(bytes);
      await until(() => capture(printed).some((row) => row.includes(word)), word);
      const browser = await view(printed);
      printed.print(Buffer.from(rests[n] as string, 'latin1'));
      printed.print(`end ${n}\r\n`);
      await same(browser, printed, `end ${n}`);
    }
    printed.end();
  });

  test('behind the last column the next character wraps, as it would have', async () => {
    const printed = await printer({ width: 20 });
    printed.print('x'.repeat(20));
    await until(() => capture(printed)[0] === 'x'.repeat(20), 'the row');
    const browser = await view(printed);
    printed.print('next');
    await same(browser, printed, 'next');
    printed.end();
  });
});

describe('the stream', () => {
  test('of a program that redraws as an editor does', async () => {
    const printed = await printer();
    const browser = await view(printed);
    printed.print('\x1b[?1049h\x1b[2J\x1b[H');
    for (let frame = 0; frame < 50; frame++) {
      const rows = Array.from(
        { length: 22 },
        (_, y) =>
          `\x1b[${y + 1};1H\x1b[K\x1b[3${(frame + y) % 8}m${frame}:${y} 漢字${'·'.repeat((frame * 7 + y) % 40)}\x1b[m`,
      );
      printed.print(`${rows.join('')}\x1b[24;1H\x1b[7m-- frame ${frame} --\x1b[K\x1b[m\x1b[5;${frame + 1}H`);
      if (frame === 25) await view(printed);
    }
    await same(browser, printed, '-- frame 49 --');
    for (const other of open) expect(other.faults).toEqual([]);
    printed.end();
  });

  test('goes on after a resize, in the new size', async () => {
    const printed = await printer();
    const browser = await view(printed);
    printed.print(`${'a long line that is going to be wrapped in a narrow pane '.repeat(3)}\r\nbefore`);
    await same(browser, printed, 'before');
    world.tmux('resize-window', '-t', printed.session.pane, '-x', '47', '-y', '15');
    await until(
      () => browser.frames.some(({ type, columns }) => type === 'resized' && columns === 47),
      'the size',
    );
    printed.print('\r\nafter');
    await same(browser, printed, 'after');
    expect([browser.terminal.cols, browser.terminal.rows]).toEqual([47, 15]);
    printed.end();
  });

  test('of ten megabytes ends as tmux has it, with its scrollback, and never holds more than a little', async () => {
    const printed = await printer();
    const browser = await view(printed);
    const line = (n: number): string => `${n} ${'flood '.repeat(12)}\x1b[3${n % 8}m漢\x1b[m\r\n`;
    let n = 0;
    for (let bytes = 0; bytes < 10 * 1024 * 1024; ) {
      const chunk = Array.from({ length: 500 }, () => line(n++)).join('');
      bytes += Buffer.byteLength(chunk);
      printed.print(chunk);
    }
    printed.print('the end');
    await same(browser, printed, 'the end', 60_000);
    await until(
      async () => blank(await browser.all()) === blank(capture(printed, '-S', '-')),
      'the scrollback of tmux',
    );
    expect(browser.faults).toEqual([]);
    printed.end();
  }, 180_000);

  test('a viewer that stops reading is given a new picture when it reads again; others go on', async () => {
    const printed = await printer();
    const slow = await view(printed);
    const quick = await view(printed);
    const before = slow.pictures;
    slow.socket.pause();
    for (let n = 0; n < 60; n++) {
      printed.print(`${`${'x'.repeat(78)}\r\n`.repeat(1500)}part ${n}.`);
      await until(async () => (await quick.rows()).some((row) => row.includes(`part ${n}.`)), 'the other');
    }
    printed.print('all');
    await same(quick, printed, 'all');
    slow.socket.resume();
    await same(slow, printed, 'all');
    expect(slow.pictures).toBeGreaterThan(before);
    printed.end();
  }, 60_000);
});

describe('who may see it', () => {
  test('nobody without the token; a page only with its own origin', async () => {
    const { session } = await printer();
    await expect(BrowserTerminal.open(url, session.id, {})).rejects.toThrow('401');
    const origin = 'http://evil.example';
    await expect(BrowserTerminal.open(url, session.id, { ...headers, origin })).rejects.toThrow('403');
    await expect(BrowserTerminal.open(url, 'nonsense', headers)).rejects.toThrow('404');
  });

  test('a session that ends is told, and its viewers with it', async () => {
    const printed = await printer();
    const browser = await view(printed);
    await world.client.kill(printed.session.id);
    expect(await browser.closed).toBe(4404);
  });
});
