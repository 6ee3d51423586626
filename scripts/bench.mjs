// Runs the figures in bench/, or those named, and prints them as one table. Ends with 1 when a budget is missed or a figure
// could not be measured, and says which.
import fs from 'node:fs';
import os from 'node:os';
import { build } from './build.mjs';

const FOLDER = new URL('../bench/', import.meta.url);
// The order of the table; a new file that is not named here goes last.
const ORDER = [
  'command',
  'cli-send',
  'delivery',
  'composer',
  'claude',
  'doors',
  'hooks',
  'throughput',
  'scale',
  'idle',
  'diff',
  'detector',
  'signals',
  'dashboard',
];
const FIGURE_MS = 90_000;

build();
// These import what was just built.
const { closeAll } = await import(new URL('lib/place.mjs', FOLDER));
const { within } = await import(new URL('lib/wait.mjs', FOLDER));
const { judge, render, row } = await import(new URL('lib/table.mjs', FOLDER));

for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
])
  process.once(signal, () => closeAll().finally(() => process.exit(128 + number)));

const rank = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
const known = fs
  .readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length))
  .sort((a, b) => rank(a) - rank(b));
const files = await Promise.all(
  known.map(async (name) => {
    const file = await import(new URL(`${name}.mjs`, FOLDER));
    return { name, figures: file.figures ?? [file] };
  }),
);
// A file with all its figures, or one of them.
const asked = process.argv.slice(2);
const names = [...new Set(files.flatMap(({ name, figures }) => [name, ...figures.map((one) => one.name)]))];
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length) {
  process.stderr.write(`no such figure: ${unknown.join(', ')}; there are: ${names.join(', ')}\n`);
  process.exit(2);
}
const chosen = files.flatMap(({ name, figures }) =>
  figures.filter((figure) => !asked.length || asked.includes(name) || asked.includes(figure.name)),
);

const rows = [];
const notes = [];
const missed = [];
const loads = [os.loadavg()[0] ?? 0];
for (const figure of chosen) {
  process.stderr.write(`${figure.name}: ${figure.title}\n`);
  const limit = figure.limitMs ?? FIGURE_MS;
  // One that cannot be measured costs the others nothing, but no budget is met by it.
  const result = await within(figure.run(), limit, `${figure.name} is measured`)
    .catch((error) => ({ failed: error.message }))
    .finally(closeAll);
  loads.push(os.loadavg()[0] ?? 0);
  if (result.skipped) notes.push(`${figure.name}: skipped: ${result.skipped}`);
  if (result.failed) missed.push(`${figure.name}: not measured: ${result.failed}`);
  if (result.skipped || result.failed) continue;
  rows.push(row(figure, result));
  if (result.note) notes.push(`${figure.name}: ${result.note}`);
  const { isOver, verdict } = judge(figure, result);
  if (isOver) missed.push(`${figure.name}: ${verdict}`);
}

const [cpu] = os.cpus();
console.log(`\n${render(rows)}\n`);
for (const note of notes) console.log(note);
const [least, most] = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1));
const cores = os.cpus().length;
console.log(`node ${process.version}, ${cores} x ${cpu?.model.trim()}, load ${least} to ${most}`);
// Time that other work takes is in every figure, and not in equal shares.
if (Number(most) > cores)
  console.log('more work than cores: conclude nothing from a figure before it is run again');
for (const one of missed) console.log(`budget missed: ${one}`);
process.exitCode = missed.length ? 1 : 0;
