// `npm run conformance [agent…] [--quick] [--fresh] [--only cell…]`: real agents, a simulated person, a table in docs/agents.md.
import fs from 'node:fs';
import path from 'node:path';
import { copyBuild, ROOT } from '../test/conformance/build-copy.mjs';
import { cacheFolder, OLDER } from '../test/conformance/packages.mjs';
import { closeAll } from '../test/conformance/place.mjs';
import { isOurs, Results } from '../test/conformance/results.mjs';
import { Runner, trialsOf } from '../test/conformance/runner.mjs';
import { SUBJECTS, subjectOf, versionOf } from '../test/conformance/stage.mjs';
import { page } from '../test/conformance/table.mjs';
import { installDependencies, installTmux, requireNode } from './setup.mjs';

const QUICK_MS = 10 * 60_000;
const USAGE = `npm run conformance -- [agent…] [--quick] [--fresh] [--only cell…] [--repeat N] [--checkout FOLDER]
  agents: ${Object.keys(SUBJECTS).join(' ')}; another version of one as claude@2.0.77
  cells:  draft/state/typing, with * for any: one/idle/none, "*/dialog/*"`;

const options = parse(process.argv.slice(2));
requireNode();
installTmux();
if (!options.checkout) installDependencies();
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
])
  process.once(signal, () => closeAll().finally(() => process.exit(128 + number)));

const build = await copyBuild(options.checkout);
const results = new Results();
const everything = [...Object.keys(SUBJECTS), ...(options.quick ? [] : OLDER)];
const chosen = options.agents.length ? options.agents : everything;
const started = Date.now();
const plan = chosen.map((name) => [name, trialsOf(name, options)]);
if (options.fresh) {
  const cells = new Set(
    plan.flatMap(([name, trials]) => trials.map(({ cell, by }) => `${name} ${cell.id} ${by}`)),
  );
  results.forget(
    (row) => (row.code === build.version || !isOurs(row)) && cells.has(`${row.agent} ${row.cell} ${row.by}`),
  );
}
const deadline = options.quick ? started + QUICK_MS : Infinity;
const runner = new Runner({ build, results, tell, deadline });
let complete = true;
for (const [name, trials] of plan) {
  if (!versionOf(name)) {
    console.log(`${name}: ${subjectOf(name).missing ?? 'not installed'}`);
    continue;
  }
  complete = (await runner.agent(name, trials)) && complete;
}
const rows = results.of(build.version);
// Another checkout's figures are not this one's.
if (!options.checkout) fs.writeFileSync(path.join(ROOT, 'docs/agents.md'), page(rows, build.version));
summarise(rows.filter((row) => isOurs(row) && chosen.includes(row.agent)));
await closeAll();
process.exit(rows.some((row) => isOurs(row) && row.outcome === 'fails') ? 1 : 0);

function tell(row) {
  if (typeof row === 'string') return console.log(row);
  const { agent, by, cell, outcome, faults, reason, ms, took, note } = row;
  const word = outcome === 'fails' ? 'FAILS' : outcome;
  const why = [...faults, reason, note].filter(Boolean).join('; ');
  const time = ms === null || ms === undefined ? '' : `${ms} ms`;
  const columns = [agent.padEnd(9), by.padEnd(9), cell.padEnd(26), word.padEnd(6), time.padStart(8)];
  console.log(`${columns.join(' ')}  ${(took / 1000).toFixed(0)} s  ${why}`);
}

function summarise(mine) {
  const count = (outcome) => mine.filter((row) => row.outcome === outcome).length;
  const words = ['exact', 'waits', 'fails', 'error'].map((outcome) => `${count(outcome)} ${outcome}`);
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(`\n${words.join(', ')} of ${mine.length} trials (code ${build.version}), ${minutes} min`);
  if (!complete) console.log('not all were played; run it again to go on');
  console.log(`results and evidence: ${cacheFolder()}`);
}

function parse(words) {
  const found = { agents: [], quick: false, fresh: false, only: [], repeat: 1, checkout: undefined };
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const value = () => words[++i] ?? fail(`${word} needs a value`);
    if (word === '--quick' || word === '--fresh') found[word.slice(2)] = true;
    else if (word === '--only')
      while (words[i + 1] && !words[i + 1].startsWith('-')) found.only.push(words[++i]);
    else if (word === '--repeat') found.repeat = Number(value()) || fail('--repeat needs a number');
    else if (word === '--checkout') found.checkout = path.resolve(value());
    else if (SUBJECTS[word] || (/^\w+@\d+(\.\d+)+$/.test(word) && subjectOf(word))) found.agents.push(word);
    else fail(`unknown: ${word}`);
  }
  return found;
}

function fail(why) {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}
