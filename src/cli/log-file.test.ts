import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followLines, lastLines } from './log-file.js';
import { prettyLine } from './log-line.js';

let folder: string;
let log: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sm-log-'));
  log = path.join(folder, 'daemon.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads the last lines of a long file', async () => {
  const all = Array.from({ length: 20_000 }, (_, index) => `line ${index} é`);
  writeFileSync(log, `${all.join('\n')}\nhalf`);
  expect((await lastLines(log, 3)).lines).toEqual(all.slice(-3));
  expect((await lastLines(log, 100_000)).lines).toEqual(all);
});

it('follows what is added, also to a file that takes its place', async () => {
  writeFileSync(log, 'old\nhal');
  const { lines, end } = await lastLines(log, 10);
  const seen: string[] = [...lines];
  const stop = new AbortController();
  const following = followLines(log, end, (line) => seen.push(line), stop.signal);
  appendFileSync(log, 'f\n');
  await vi.waitFor(() => expect(seen).toEqual(['old', 'half']));
  renameSync(log, `${log}.1`);
  writeFileSync(log, 'a new file, longer than the old one\n');
  await vi.waitFor(() => expect(seen.at(-1)).toBe('a new file, longer than the old one'));
  stop.abort();
  await following;
});

it('makes a line readable', () => {
  const line = JSON.stringify({
    level: 40,
    time: 0,
    pid: 1,
    hostname: 'h',
    msg: 'slow\x1b',
    session: 'api',
    took: 12,
    err: { stack: 'Error: x\n at y' },
  });
  expect(prettyLine(line)).toMatch(
    /^\d\d:\d\d:00\.000 WARN {2}slow␛ session=api took=12\n {4}Error: x\n {5}at y$/,
  );
  expect(prettyLine('not JSON')).toBe('not JSON');
});
