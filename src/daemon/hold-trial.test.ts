// The trial of the hold can tell one that works from one that does not, and cleans up after itself.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../test/support/tmux.js';
import type { HoldStart, KeyHold } from '../tmux/index.js';
import { tryHold } from './hold-trial.js';

let folder: string;
let before: string | undefined;
beforeEach(() => {
  before = process.env.TMPDIR;
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smht-'));
  process.env.TMPDIR = folder;
});
afterEach(async () => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  expect(fs.readdirSync(folder)).toEqual([]);
  // The watchdog of a hold looks every half second whether it is still needed.
  await until(() => !processes().includes(`${folder}/`), 'all processes to end');
  fs.rmSync(folder, { recursive: true, force: true });
});

const processes = (): string => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' });
const held = (release: () => Promise<unknown>): Promise<HoldStart> =>
  Promise.resolve({ outcome: 'held', lastKeyAt: 0, hold: { release } as unknown as KeyHold });

test('a hold that works', async () => {
  const trial = await tryHold();
  expect(trial).toMatchObject({ state: 'works', detail: expect.stringContaining('in order') });
  expect(trial.ms).toBeGreaterThan(0);
});

test('a hold that lets keys through', async () => {
  const trial = await tryHold({ hold: () => held(async () => ({ heldMs: 1 })) });
  expect(trial).toMatchObject({ state: 'fails', detail: expect.stringContaining('keys went through it') });
});

test('a hold that is refused', async () => {
  const refused: HoldStart = { outcome: 'refused', reason: 'changed', detail: 'so it is said' };
  const trial = await tryHold({ hold: async () => refused });
  expect(trial).toMatchObject({ state: 'fails', detail: 'it was refused (changed): so it is said' });
});

test('no tmux', async () => {
  const trial = await tryHold({ program: 'no-such-tmux' });
  expect(trial).toMatchObject({ state: 'fails', detail: expect.stringContaining('was not found') });
});
