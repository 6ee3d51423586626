// Notes on the desktop, with programs that only write down how they were called.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DesktopNotes, type Note } from './desktop-notes.js';

let folder: string;
let bin: string;
const logged: unknown[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-notes-'));
  bin = path.join(folder, 'bin');
  fs.mkdirSync(bin);
  logged.length = 0;
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const program = (name: string, code = 0): void =>
  fs.writeFileSync(
    path.join(bin, name),
    `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done >${folder}/${name}.args\nexit ${code}\n`,
    { mode: 0o755 },
  );
const called = (name: string): string[] | undefined => {
  const file = path.join(folder, `${name}.args`);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\0').slice(0, -1) : undefined;
};
const row = (text: string, sender = 'api'): Note => ({ item: 'a', lead: `from ${sender}`, text });
const notes = (search = `relative:${bin}`): DesktopNotes =>
  new DesktopNotes({
    env: { PATH: search },
    log: (...entry) => void logged.push(entry),
  });

test('notify-send gets words, not a command line or markup, and no control bytes', async () => {
  program('notify-send');
  await notes().show(row('--help; $(id) `id` <b>&\x1b[31m', '-x'));
  expect(called('notify-send')).toEqual([
    '--app-name=Suremail',
    '--',
    'Suremail',
    'from -x: --help; $(id) `id` &lt;b&gt;&amp;␛[31m',
  ]);
});

test('terminal-notifier is used where it is what there is', async () => {
  program('terminal-notifier');
  await notes().show(row('[1] done'));
  expect(called('terminal-notifier')).toEqual([
    '-group',
    'suremail',
    '-title',
    'Suremail',
    '-message',
    'from api: [1] done',
  ]);
});

test('a long text is cut between characters', async () => {
  program('notify-send');
  await notes().show(row('😀'.repeat(300)));
  expect(called('notify-send')?.at(-1)).toBe(`from api: ${'😀'.repeat(200)}…`);
});

test('one at a time: of what comes meanwhile the newest, and how many more', async () => {
  const file = path.join(folder, 'all');
  fs.writeFileSync(
    path.join(bin, 'notify-send'),
    // Says where another one is still there.
    `#!/bin/sh\nmkdir ${folder}/here || echo two at once >>${file}\necho "$4" >>${file}\n/bin/sleep 0.2\nrmdir ${folder}/here\n`,
    { mode: 0o755 },
  );
  const shown = (): string[] => fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const one = notes([bin, process.env.PATH].join(path.delimiter));
  const first = one.show(row('first'));
  for (let n = 1; n <= 200; n++) void one.show(row(`later ${n}`));
  await first;
  expect(shown()).toEqual(['from api: first', 'from api: later 200 (and 199 more)']);
  await one.show(row('last'));
  expect(shown().slice(2)).toEqual(['from api: last']);
});

test('with nothing installed nothing happens', async () => {
  await notes().show(row('x'));
  expect(logged).toEqual([]);
});

test('what is urgent is said to be', async () => {
  program('notify-send');
  await notes().show({ ...row('x'), urgency: 'high' });
  expect(called('notify-send')).toEqual([
    '--app-name=Suremail',
    '--urgency=critical',
    '--',
    'Suremail',
    'from api: x',
  ]);
});

test('one that fails is logged, without the text', async () => {
  program('notify-send', 3);
  await notes().show(row('private words'));
  expect(logged).toEqual([['desktop note failed', { program: 'notify-send', item: 'a', code: 3 }]]);
});
