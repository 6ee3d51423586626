// A configuration that changes while the daemon runs: what is good holds at once, what is bad changes nothing.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Profiles } from '../agents/index.js';
import { LiveConfig } from './live-config.js';

const profiles = new Profiles();
let folder: string;
let file: string;
let good: string;
let live: LiveConfig | undefined;
let logged: string[];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smc-'));
  file = path.join(folder, 'deep', 'config.yaml');
  good = path.join(folder, 'config.good');
  logged = [];
});
afterEach(() => {
  live?.dispose();
  live = undefined;
  fs.rmSync(folder, { recursive: true, force: true });
});

function open(): LiveConfig {
  live?.dispose();
  live = LiveConfig.open({ file, good, profiles });
  live.watch((message, details) => logged.push(`${message} ${JSON.stringify(details)}`));
  return live;
}
function write(text: string, to = file): void {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, text);
}
const soon = (value: () => unknown) => expect.poll(value, { timeout: 5000, interval: 10 });

test('a file that comes, changes, is replaced by an editor, and goes', async () => {
  const { config, ...rest } = { config: open().config, live };
  const changes: unknown[] = [];
  rest.live?.onChange((keys) => changes.push(keys));
  expect(config.pastDraft).toBe('auto');
  write('past_draft: never');
  await soon(() => config.pastDraft).toBe('never');
  write('past_draft: never\nmax_attempts: 3');
  await soon(() => config.maxAttempts).toBe(3);
  write('past_draft: stale', `${file}~`);
  fs.renameSync(`${file}~`, file);
  await soon(() => config.pastDraft).toBe('stale');
  expect(config.maxAttempts).toBe(8);
  fs.rmSync(path.dirname(file), { recursive: true });
  await soon(() => config.pastDraft).toBe('auto');
  write('past_draft: now');
  await soon(() => config.pastDraft).toBe('now');
  expect(changes).toEqual([
    ['past_draft'],
    ['max_attempts'],
    ['max_attempts', 'past_draft'],
    ['past_draft'],
    ['past_draft'],
  ]);
});

test('a file behind a link', async () => {
  const target = path.join(folder, 'dotfiles', 'suremail.yaml');
  write('past_draft: never', target);
  fs.mkdirSync(path.dirname(file));
  fs.symlinkSync(target, file);
  const { config } = open();
  expect(config.pastDraft).toBe('never');
  write('past_draft: stale', target);
  await soon(() => config.pastDraft).toBe('stale');
});

test('a file that is emptied and filled again is never read in between', async () => {
  write('past_draft: never');
  const { config } = open();
  const seen = new Set<string>();
  live?.onChange(() => seen.add(config.pastDraft));
  for (let i = 1; i <= 5; i++) {
    fs.truncateSync(file);
    await new Promise((resolve) => setImmediate(resolve));
    fs.writeFileSync(file, `past_draft: never\nmax_attempts: ${i}`);
    await soon(() => config.maxAttempts).toBe(i);
  }
  expect([...seen]).toEqual(['never']);
});

test('a bad edit keeps the last good one and says so, also over a restart', async () => {
  write('past_draft: never\nmax_attempts: 3');
  const { config } = open();
  write('past_draft: sometimes\nmax_attempts: 4');
  await soon(() => live?.problem).toContain(`${file}:1: past_draft "sometimes": must be`);
  expect([config.pastDraft, config.maxAttempts]).toEqual(['never', 3]);
  expect(logged.filter((line) => line.startsWith('configuration refused'))).toHaveLength(1);

  const next = open();
  expect(next.problem).toContain('past_draft "sometimes"');
  expect([next.config.pastDraft, next.config.maxAttempts]).toEqual(['never', 3]);
  // What is right now may be what was good before.
  write('past_draft: never\nmax_attempts: 3');
  await soon(() => next.problem).toBeNull();
  expect(fs.statSync(good).mode & 0o777).toBe(0o600);
});

test('a first start with a bad file fails', () => {
  write('past_draft: sometimes');
  expect(open).toThrow('past_draft "sometimes"');
});

test('a file that is asked about is read at once', () => {
  const { config } = open();
  write('past_draft: never');
  live?.look();
  expect(config.pastDraft).toBe('never');
});
