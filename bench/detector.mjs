// How many MB/s the detector of markers takes, on what an agent painted and on what a program printed, against removing escape
// sequences from each chunk and searching what is left: by strip-ansi, and by Node itself.
import fs from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { gunzipSync } from 'node:zlib';
import stripAnsi from 'strip-ansi';
import { Detector } from '../dist/signals/detector.js';
import { median } from './lib/stats.mjs';
import { number } from './lib/table.mjs';

const MARKER = /--<\[(?:schmux|sm):([a-z_-]+):(.*?)\]>--/g;
// As much as a control client is given at once.
const CHUNK = 4096;
const PASS_BYTES = 24_000_000;
const PASSES = 9;
const WARM_UP = 2;

const WAYS = {
  ours: () => {
    const detector = new Detector();
    return (chunk) => detector.feed(chunk).length;
  },
  'strip-ansi': () => (chunk) => [...stripAnsi(chunk.toString('utf8')).matchAll(MARKER)].length,
  stripVTControlCharacters: () => (chunk) =>
    [...stripVTControlCharacters(chunk.toString('utf8')).matchAll(MARKER)].length,
};

// Both as recorded: a session of Claude Code that is typed into, answers and is resized; `git log -p` with colours.
export const figures = [
  figure('detector-painted', 'MB/s of markers looked for in what Claude Code painted', 'painted.gz'),
  figure('detector-printed', 'MB/s of markers looked for in what git printed in colours', 'printed.gz'),
];

function figure(name, what, file) {
  const title = `${what}; baseline: the faster of two that strip each chunk`;
  return { name, title, higherIsBetter: true, budget: { least: 1 }, run: () => measure(file) };
}

async function measure(file) {
  const recording = gunzipSync(fs.readFileSync(new URL(`lib/${file}`, import.meta.url)));
  const chunks = [];
  for (let at = 0; at < recording.length; at += CHUNK) chunks.push(recording.subarray(at, at + CHUNK));
  const speeds = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []]));
  // In turns, so that what else the machine does meets all of them.
  for (let pass = 0; pass < PASSES + WARM_UP; pass++)
    for (const [way, make] of Object.entries(WAYS)) {
      const speed = megabytesPerSecond(make(), chunks, recording.length);
      if (pass >= WARM_UP) speeds[way].push(speed);
    }
  const { ours, ...others } = speeds;
  const [fastest] = Object.keys(others).sort((a, b) => median(others[b]) - median(others[a]));
  const shown = Object.entries(others).map(([way, samples]) => `${way} ${number(median(samples))} MB/s`);
  return { ours, baseline: others[fastest], unit: 'MB/s', note: `${shown.join(', ')}; ${memory(chunks)}` };
}

function megabytesPerSecond(take, chunks, length) {
  const rounds = Math.ceil(PASS_BYTES / length);
  const start = performance.now();
  for (let round = 0; round < rounds; round++) for (const chunk of chunks) take(chunk);
  return (rounds * length) / 1e3 / (performance.now() - start);
}

// What one detector holds does not depend on how much it has seen.
function memory(chunks) {
  const take = WAYS.ours();
  const held = (rounds) => {
    for (let round = 0; round < rounds; round++) for (const chunk of chunks) take(chunk);
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return (heapUsed + arrayBuffers) / 1e6;
  };
  const [first, last] = [held(20), held(2000)];
  return `memory after 20 and 2000 times the recording: ${number(first)} and ${number(last)} MB`;
}
