// The file of a session: each line once, whatever becomes of the file.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '../../test/support/tmux.js';
import type { RegistryEvent, Session } from '../sessions/index.js';
import { dropSignalFile, Store } from '../store/index.js';
import { Emitter } from '../tmux/index.js';
import { GrowingFile, type Place } from './file-lines.js';
import { SignalFiles } from './files.js';
import type { Report } from './signal.js';

const OPTIONS = { writerThread: new URL('../../dist/store/writer-thread.js', import.meta.url) };
const session = { id: 's', row: { created_at: 1000 } } as Session;

let folder: string;
let store: Store;
let files: SignalFiles;
let reports: Report[];
let misses: string[];
let events: Emitter<RegistryEvent>;
let isFailing: boolean;
let now: number;
let listenedUntil: number;

function make(): SignalFiles {
  events = new Emitter();
  return new SignalFiles({
    folder: path.join(folder, 'signals'),
    store,
    registry: {
      get: (id) => (id === 's' ? session : undefined),
      list: () => [session],
      onEvent: events.event,
    },
    desk: {
      report: async (report, beside = []) => {
        if (isFailing) throw new Error('disk full');
        await store.write(beside);
        reports.push(report);
        return { outcome: 'new' } as never;
      },
    },
    listenedUntil,
    misses: { record: ({ reason }) => misses.push(reason), forget: () => {} },
    clock: () => now,
    log: (message) => misses.push(message),
  });
}

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smf-'));
  store = Store.open(path.join(folder, 'test.db'), OPTIONS);
  reports = [];
  misses = [];
  isFailing = false;
  now = 5_000_000_000_000;
  listenedUntil = 0;
  files = make();
  files.prepare(session);
});
afterEach(async () => {
  files.dispose();
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const file = (): string => files.fileOf('s');
const line = (message: string): string => `{"state":"idle","message":"${message}"}\n`;
const said = async (): Promise<string> => {
  await files.look('s');
  return reports.map(({ message }) => message).join(' ');
};

test('a line counts once, when its newline is there, wherever it is cut', async () => {
  const whole = line('ä') + line('b');
  const bytes = Buffer.from(whole);
  for (let i = 0; i < bytes.length; i++) {
    fs.appendFileSync(file(), bytes.subarray(i, i + 1));
    await files.look('s');
  }
  expect(await said()).toBe('ä b');
});

test('another daemon goes on where the one before was, with the time that is known', async () => {
  fs.writeFileSync(file(), line('a'));
  await said();
  files.dispose();
  fs.appendFileSync(file(), line('b') + line('c'));
  fs.utimesSync(file(), 2000, 2000);
  files = make();
  await files.start();
  expect(await said()).toBe('a b c');
  expect(reports.map(({ at, since }) => [at, since])).toEqual([
    [now, undefined],
    [2_000_000, now],
    [2_000_000, now],
  ]);
});

test('what is there at the start was not written while somebody listened', async () => {
  for (const [until, since] of [
    [0, session.row.created_at],
    [session.row.created_at - 1, session.row.created_at],
    [7000, 7000],
  ] as const) {
    fs.appendFileSync(file(), line(String(until)));
    files.dispose();
    listenedUntil = until;
    await store.write([dropSignalFile('s')]);
    files = make();
    await files.start();
    expect(reports.at(-1)).toMatchObject({ message: String(until), since });
  }
  // But read later than that.
  files.dispose();
  fs.appendFileSync(file(), line('last'));
  files = make();
  await files.start();
  expect(reports.at(-1)).toMatchObject({ message: 'last', since: now });
});

test('emptied, shortened, overwritten and replaced: read from its beginning', async () => {
  fs.writeFileSync(file(), line('first'));
  expect(await said()).toBe('first');
  fs.writeFileSync(file(), '');
  fs.appendFileSync(file(), line('x'));
  expect(await said()).toBe('first x');
  fs.writeFileSync(file(), line('a longer one than before'));
  expect(await said()).toBe('first x a longer one than before');
  fs.rmSync(file());
  expect(await said()).toBe('first x a longer one than before');
  fs.writeFileSync(file(), line('new'));
  expect(await said()).toBe('first x a longer one than before new');
});

test('neither a link, a pipe nor a folder in its place is followed', async () => {
  const other = path.join(folder, 'other');
  fs.writeFileSync(other, line('of another'));
  fs.rmSync(file());
  fs.symlinkSync(other, file());
  expect(await said()).toBe('');
  fs.rmSync(file());
  execFileSync('mkfifo', [file()]);
  expect(await said()).toBe('');
  fs.rmSync(file());
  fs.mkdirSync(file());
  expect(await said()).toBe('');
  expect(misses).toEqual([expect.stringContaining('no file')]);
  fs.rmdirSync(file());
  fs.writeFileSync(file(), line('mine'));
  expect(await said()).toBe('mine');
});

test.each([
  ['no json\n', 'no JSON'],
  ['[]\n', 'it must be an object'],
  ['{"message":"x"}\n', 'state must be'],
  ['{"state":7}\n', 'state must be'],
  ['{"state":"idle","id":7}\n', 'id must be'],
  [`${'x'.repeat(200_000)}`, 'longer than 64 KiB'],
])('what is no signal is said, and the next line counts: %.20s', async (bad, reason) => {
  fs.appendFileSync(file(), bad);
  await files.look('s');
  fs.appendFileSync(file(), `\n\n${line('after')}`);
  expect(await said()).toBe('after');
  expect(misses[0]).toContain(reason);
});

test('a folder in its place goes with its session, and keeps no daemon from starting', async () => {
  const left = files.fileOf('gone');
  fs.mkdirSync(path.join(left, 'in it'), { recursive: true });
  await files.start();
  expect(fs.existsSync(left)).toBe(false);
  fs.rmSync(file());
  fs.mkdirSync(file());
  events.fire({ type: 'removed', session } as RegistryEvent);
  await until(() => !fs.existsSync(file()), 'it to go');
});

test('a line that could not be written is tried again, though nothing more is said', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    isFailing = true;
    fs.appendFileSync(file(), line('a'));
    await files.look('s');
    expect(misses).toEqual(['file of signals not read']);
    isFailing = false;
    vi.advanceTimersByTime(5000);
  } finally {
    vi.useRealTimers();
  }
  await until(() => reports.length === 1, 'the second try');
});

test('many lines at once, over several chunks', async () => {
  const many = Array.from({ length: 3000 }, (_, i) => `message-number-${i}`);
  fs.appendFileSync(file(), many.map(line).join(''));
  expect(await said()).toBe(many.join(' '));
});

test('a look that ends inside a line that is too long goes on behind it, and so does another daemon', async () => {
  fs.writeFileSync(file(), line('a'));
  await said();
  const piece = 'x'.repeat(100_000);
  for (let i = 0; i < 3; i++) {
    fs.appendFileSync(file(), piece);
    expect(await said()).toBe('a');
  }
  expect(misses).toEqual([]);
  files.dispose();
  files = make();
  await files.start();
  expect(await said()).toBe('a');
  fs.appendFileSync(file(), `\n${line('b')}`);
  expect(await said()).toBe('a b');
  expect(misses).toHaveLength(1);
});

test('of a line that is too long no byte is looked through twice; its beginning is what is told', async () => {
  const name = file();
  const read: number[] = [];
  const look = async (known?: Place): Promise<{ place: Place; texts: string[] }> => {
    const growing = (await GrowingFile.open(name, known, 1000)) as GrowingFile;
    const spy = vi.spyOn(growing.handle, 'read');
    const texts = [];
    for await (const { text } of growing.lines()) texts.push(text);
    read.push(...spy.mock.calls.map((call) => (call as unknown as [Buffer, number, number, number])[3]));
    await growing.close();
    return { place: growing.place, texts };
  };
  fs.writeFileSync(name, 'x'.repeat(500_000));
  const first = await look();
  expect(first).toMatchObject({ texts: [], place: { position: 0, searched: 500_000 } });
  read.length = 0;
  fs.appendFileSync(name, 'y\nz\n');
  const second = await look(first.place);
  expect(read).toEqual([0, 500_000, 500_004]);
  expect(second.texts).toEqual(['x'.repeat(1000), 'z']);
  expect(second.place).toEqual({ file: first.place.file, position: 500_004 });
  // Emptied meanwhile, and written anew.
  fs.writeFileSync(name, 'new\n');
  expect((await look(first.place)).texts).toEqual(['new']);
});
