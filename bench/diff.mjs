// The diff of two captures of 1 MB with small edits, against the fastest of the libraries that do the same on the same input.
import { diffChars } from 'diff';
import { diff as fastMyersDiff } from 'fast-myers-diff';
import { myersDiff } from '../dist/terminal/diff.js';
import { median, timed } from './lib/stats.mjs';
import { number } from './lib/table.mjs';

export const name = 'diff';
export const title = 'diff of two captures of 1 MB; baseline: the fastest library';
export const budget = { ratio: 1 };

const MB = 2 ** 20;
const ROUNDS = 30;
const WARM_UP = 5;
// It takes a hundred times as long.
const SLOW_ROUNDS = 3;
const SIZES = [0.25, 0.5, 1, 2];

export async function run() {
  const captures = pair(MB);
  const texts = captures.map((bytes) => bytes.toString('latin1'));
  expectSame(captures, myersDiff(...captures), [...fastMyersDiff(...captures)]);
  const ours = await rounds(ROUNDS, () => myersDiff(...captures));
  const libraries = {
    'fast-myers-diff': await rounds(ROUNDS, () => [...fastMyersDiff(...captures)]),
    diff: await rounds(SLOW_ROUNDS, () => diffChars(...texts)),
  };
  const [fastest] = Object.keys(libraries).sort((a, b) => median(libraries[a]) - median(libraries[b]));
  const growth = [];
  for (const size of SIZES) {
    const scaled = pair(size * MB);
    growth.push(median(await rounds(ROUNDS, () => myersDiff(...scaled))));
  }
  const bySize = SIZES.map((size, i) => `${size} MB ${number(growth[i])} ms`);
  const times = growth.at(-1) / growth[0];
  const others = Object.entries(libraries).map(([key, samples]) => `${key} ${number(median(samples))} ms`);
  const note =
    `${others.join(', ')}, the fastest is ${fastest}; ours by size: ${bySize.join(', ')}: ` +
    `${number(times)} times the time for ${SIZES.at(-1) / SIZES[0]} times the size`;
  return { ours, baseline: libraries[fastest], unit: 'ms', note };
}

async function rounds(count, work) {
  const samples = [];
  for (let i = 0; i < WARM_UP + count; i++) {
    const took = await timed(work);
    if (i >= WARM_UP) samples.push(took);
  }
  return samples;
}

// A session's scrollback with a box at its end. Between the two captures the first lines have scrolled away, a note was
// printed in the middle, the draft has made room for a message, and the footer has changed.
function pair(size) {
  let text = '';
  for (let i = 0; text.length < size; i++)
    text += `● step ${i}: read src/file-${(i * 7919) % 997}.ts and ran ${i % 13} tests, all of them passed\n`;
  const middle = text.indexOf('\n', text.length / 2) + 1;
  const rule = '─'.repeat(80);
  const screen = (scrollback, box, footer) =>
    Buffer.from(`${scrollback}${rule}\n❯ ${box}\n${rule}\n  ${footer}\n`);
  return [
    screen(text, "I'm starting to type some instructio", 'status 1'),
    screen(
      `${text.slice(200, middle)}  ⎿  Interrupted\n${text.slice(middle)}`,
      '[Input from: holden via sm send] #a1b2c3 Reliability test 7',
      'status 2   AD: DRINK OVALTINE!!',
    ),
  ];
}

// Both find a shortest script, so both change the same number of bytes.
function expectSame([a], edits, hunks) {
  const ours = edits.reduce((sum, { op, length }) => sum + (op === 'equal' ? 0 : length), 0);
  const theirs = hunks.reduce((sum, [aFrom, aTo, bFrom, bTo]) => sum + aTo - aFrom + bTo - bFrom, 0);
  if (ours !== theirs) throw new Error(`ours changes ${ours} bytes of ${a.length}, theirs ${theirs}`);
}
