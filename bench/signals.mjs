// How late a marker is seen that one of 100 sessions prints, each of which prints 100 KB a second; baseline: tmux alone.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Place } from './lib/place.mjs';
import { quantile } from './lib/stats.mjs';
import { number } from './lib/table.mjs';
import { cpuMs } from './lib/usage.mjs';
import { sleep, until } from './lib/wait.mjs';

export const name = 'signals';
export const title =
  'ms until a marker is seen, of 100 sessions that print 100 KB/s each; baseline: until tmux alone has told it';
// Beyond the flush time, which a line that is finished does not wait for.
export const budget = { value: 100, at: 0.99 };
export const limitMs = 300_000;

const SIZES = [25, 50, 100];
const BYTES_A_SECOND = 100_000;
const STEP_MS = 100;
const SECONDS = 8;
// One marker a session and second.
const STEPS_A_MARKER = 10;
// Programs that start print too.
const SETTLE_MS = 3000;
const SEEN_MS = 10_000;
const FULL_MS = 1;

export async function run() {
  const results = [];
  for (const size of SIZES) results.push(await measure(size, ofDaemon));
  const last = results.at(-1);
  const alone = await measure(last.size, ofTmux);
  const costs = results.map((one) => `${one.size}: ${timesOf(one)}, daemon ${number(one.daemon)} %`);
  const a = results[0];
  const growth = `${number(last.daemon / a.daemon)} times the daemon's CPU for ${last.size / a.size} times the sessions`;
  const sum = results.reduce((all, { late }) => all + late.length, 0);
  const note =
    `${sum} markers, none lost, none twice; by sessions: ${costs.join('; ')}; ${growth}; ` +
    `tmux alone, with control clients that throw everything away, ${last.size}: ${timesOf(alone)}` +
    (alone.tmux > FULL ? ': that is all that this tmux can do here' : '');
  return { ours: last.late, baseline: alone.late, unit: 'ms', note };
}

// tmux is one thread: above this it falls behind, whoever listens.
const FULL = 95;
const timesOf = ({ late, tmux, mb }) =>
  `p99 ${number(quantile(late, 0.99))} ms, most ${number(Math.max(...late))} ms, ${number(mb)} MB/s, ` +
  `tmux ${number(tmux)} % of a core`;

const measure = (size, listen) =>
  Place.use(async (place) => {
    place.pane(['cat']);
    const tmux = Number(place.tmux('display-message', '-p', '#{pid}'));
    const pipes = Array.from({ length: size }, (_, i) => {
      const pipe = path.join(place.folder, `pipe${i}`);
      execFileSync('mkfifo', [pipe]);
      return pipe;
    });
    const { cpu, seen } = await listen(place, pipes);
    // Opened for both, so that it neither waits for a reader nor ends.
    const files = pipes.map((pipe) => fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK));
    await sleep(SETTLE_MS);
    const used = () => ({ daemon: cpu(), tmux: cpuMs(tmux), at: performance.now() });
    const before = used();
    const { sent, bytes } = await print(files);
    const after = used();
    let found = [];
    const areSeen = async () => {
      found = await seen();
      return found.length >= sent.size;
    };
    // What is missing then is told below.
    await until(areSeen, 'all markers are seen', SEEN_MS, 100).catch(() => {});
    for (const file of files) fs.closeSync(file);
    if (found.length !== sent.size || new Set(found.map(({ message }) => message)).size !== sent.size)
      throw new Error(`${sent.size} markers were printed, ${found.length} seen (${listen.name})`);
    const passed = after.at - before.at;
    return {
      size,
      late: found.map(({ message, at }) => at - (sent.get(message) ?? Number.NaN)),
      daemon: (100 * (after.daemon - before.daemon)) / passed,
      tmux: (100 * (after.tmux - before.tmux)) / passed,
      mb: bytes / 1e3 / passed,
    };
  });

async function ofDaemon(place, pipes) {
  const { client, pid } = await place.daemon('home');
  for (const [i, pipe] of pipes.entries()) {
    const command = ['cat', pipe];
    const started = { command, name: `p${i}`, socket: place.tmuxSocket, cwd: place.folder };
    await client.start(started);
  }
  // When whoever listens is told: it is on disk then.
  const told = [];
  const listening = (async () => {
    for await (const { event } of client.events())
      if (event.type === 'signal') told.push({ message: event.signal.message, at: Date.now() });
  })();
  // It ends with the daemon.
  listening.catch(() => {});
  return { cpu: () => cpuMs(pid), seen: async () => told };
}

// Of a marker and of what stands before a piece of output.
const LONGEST = 100;

// What it would cost whoever listened: nothing is made of what comes but the time.
async function ofTmux(place, pipes) {
  const found = [];
  for (const pipe of pipes) {
    const { session } = place.pane(['cat', pipe]);
    const client = place.control(session);
    let rest = '';
    client.stdout.setEncoding('latin1').on('data', (chunk) => {
      const text = (rest + chunk).replace(/\r?\n%output %\d+ /g, '');
      let end = 0;
      for (const { 0: marker, 1: message, index } of text.matchAll(/--<\[sm:working:([^\]]*)\]>--/g)) {
        found.push({ message, at: Date.now() });
        end = index + marker.length;
      }
      rest = text.slice(Math.max(end, text.length - LONGEST));
    });
  }
  return { cpu: () => 0, seen: async () => found };
}

// A step of a session is a part of what it prints in a second. They take turns, so that nothing comes all at once.
async function print(files) {
  const sent = new Map();
  let bytes = 0;
  const text = filling((BYTES_A_SECOND * STEP_MS) / 1000);
  const start = performance.now();
  for (let step = 0; step < (SECONDS * 1000) / STEP_MS; step++) {
    for (const [i, file] of files.entries()) {
      const isMarked = (step + i) % STEPS_A_MARKER === 0;
      const message = `session ${i} step ${step}`;
      if (isMarked) sent.set(message, Date.now());
      bytes += await write(file, isMarked ? `${text}--<[sm:working:${message}]>--\n` : text);
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

async function write(file, text) {
  const data = Buffer.from(text);
  for (let at = 0; at < data.length; ) {
    try {
      at += fs.writeSync(file, data, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      await sleep(FULL_MS);
    }
  }
  return data.length;
}
