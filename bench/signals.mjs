// How late a marker is seen that one of 100 sessions prints, each of which prints 100 KB a second; baseline: one of 25.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Place } from './lib/place.mjs';
import { quantile } from './lib/stats.mjs';
import { number } from './lib/table.mjs';
import { cpuMs } from './lib/usage.mjs';
import { sleep, until } from './lib/wait.mjs';

export const name = 'signals';
export const title = 'ms until a marker is seen, of 100 sessions that print 100 KB/s each; baseline: of 25';
// Beyond the flush time, which a line that is finished does not wait for.
export const budget = { value: 100, at: 0.99 };
export const limitMs = 240_000;

const SIZES = [25, 50, 100];
const BYTES_A_SECOND = 100_000;
const STEP_MS = 100;
const SECONDS = 8;
// One marker a session and second.
const STEPS_A_MARKER = 10;
// Programs that start print too.
const SETTLE_MS = 3000;
const SEEN_MS = 10_000;

export async function run() {
  const results = [];
  for (const size of SIZES) results.push(await measure(size));
  const last = results.at(-1);
  const costs = results.map(
    ({ size, late, daemon, tmux, mb }) =>
      `${size}: p99 ${number(quantile(late, 0.99))} ms, most ${number(Math.max(...late))} ms, ` +
      `daemon ${number(daemon)} % and tmux ${number(tmux)} % of a core, ${number(mb)} MB/s`,
  );
  const a = results[0];
  const growth = `${number(last.daemon / a.daemon)} times the CPU for ${last.size / a.size} times the sessions`;
  const sum = results.reduce((all, { late }) => all + late.length, 0);
  const note = `${sum} markers, none lost, none twice; by sessions: ${costs.join('; ')}; ${growth}`;
  return { ours: last.late, baseline: a.late, unit: 'ms', note };
}

const measure = (size) =>
  Place.use(async (place) => {
    place.pane(['cat']);
    const { client, pid } = await place.daemon('home');
    const tmux = Number(place.tmux('display-message', '-p', '#{pid}'));
    const sessions = [];
    for (let i = 0; i < size; i++) {
      const pipe = path.join(place.folder, `pipe${i}`);
      execFileSync('mkfifo', [pipe]);
      const command = ['cat', pipe];
      const { id } = await client.start({
        command,
        name: `p${i}`,
        socket: place.tmuxSocket,
        cwd: place.folder,
      });
      // Opened for both, so that it neither waits for a reader nor ends.
      sessions.push({ id, file: fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK) });
    }
    await sleep(SETTLE_MS);
    const used = () => ({ daemon: cpuMs(pid), tmux: cpuMs(tmux), at: performance.now() });
    const before = used();
    const { sent, bytes } = await print(sessions);
    const after = used();
    let signals = [];
    const areSeen = async () => {
      const all = await Promise.all(sessions.map(({ id }) => client.signals({ session: id, limit: 500 })));
      signals = all.flat();
      return signals.length >= sent.size;
    };
    // What is missing then is told below.
    await until(areSeen, 'all markers are seen', SEEN_MS, 100).catch(() => {});
    for (const { file } of sessions) fs.closeSync(file);
    const late = signals.map(({ message, at }) => Date.parse(at) - (sent.get(message) ?? Number.NaN));
    const passed = after.at - before.at;
    if (late.length !== sent.size || new Set(signals.map(({ message }) => message)).size !== sent.size)
      throw new Error(`${sent.size} markers were printed, ${late.length} seen`);
    return {
      size,
      late,
      daemon: (100 * (after.daemon - before.daemon)) / passed,
      tmux: (100 * (after.tmux - before.tmux)) / passed,
      mb: bytes / 1e3 / passed,
    };
  });

// A step of a session is a part of what it prints in a second. They take turns, so that nothing comes all at once.
async function print(sessions) {
  const sent = new Map();
  let bytes = 0;
  const text = filling((BYTES_A_SECOND * STEP_MS) / 1000);
  const start = performance.now();
  for (let step = 0; step < (SECONDS * 1000) / STEP_MS; step++) {
    for (const [i, { file }] of sessions.entries()) {
      const isMarked = (step + i) % STEPS_A_MARKER === 0;
      const message = `session ${i} step ${step}`;
      if (isMarked) sent.set(message, Date.now());
      bytes += write(file, isMarked ? `${text}--<[sm:working:${message}]>--\n` : text);
      if (i % 10 === 9) await sleep(0);
    }
    const left = start + (step + 1) * STEP_MS - performance.now();
    if (left > 0) await sleep(left);
  }
  return { sent, bytes };
}

// Lines in colours, as builds and tests print them.
function filling(length) {
  let text = '';
  for (let i = 0; text.length < length; i++)
    text += `\x1b[32m✓\x1b[39m src/file-${i}.test.ts \x1b[2m(${i % 9} tests)\x1b[22m ${'step '.repeat(i % 7)}${i} ms\n`;
  return text;
}

function write(file, text) {
  const data = Buffer.from(text);
  for (let at = 0; at < data.length; ) {
    try {
      at += fs.writeSync(file, data, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
  return data.length;
}
