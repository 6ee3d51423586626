// `npm run soak -- AGENT --deliveries 200 --seed S`: deliveries past a person who types on, under a daemon that is killed.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyBuild } from '../test/conformance/build-copy.mjs';
import { closeAll } from '../test/conformance/place.mjs';
import { newSeed } from '../test/conformance/random.mjs';
import { FAKES } from '../test/conformance/soak/fakes.mjs';
import { faultPoint } from '../test/conformance/soak/fault-point.mjs';
import { Soak } from '../test/conformance/soak/soak.mjs';
import { SUBJECTS } from '../test/conformance/stage.mjs';
import { installDependencies, installTmux, requireNode } from './setup.mjs';

// At least this share of the kills must fall between our first key and the return of the draft, or they prove little.
const INSIDE = 0.3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    deliveries: { type: 'string', default: '200' },
    seed: { type: 'string' },
    // Of the attempts, how many are killed; 0 for none.
    kills: { type: 'string', default: '0.35' },
    // Through the agent's own door instead of its box.
    door: { type: 'boolean', default: false },
    // So many turns lie behind the agent when it begins.
    turns: { type: 'string', default: '0' },
    // Nothing is sent: what is harmed then, the agent harms by itself.
    alone: { type: 'boolean', default: false },
    checkout: { type: 'string' },
  },
});
const [agent] = positionals;
const known = Object.entries({ ...SUBJECTS, ...FAKES })
  .filter(([, { line }]) => !line)
  .map(([name]) => name);
if (!known.includes(agent)) {
  console.error(
    `npm run soak -- AGENT [--deliveries N] [--seed S] [--kills SHARE] [--door] [--turns N] [--alone]\n  agents: ${known.join(' ')}`,
  );
  process.exit(2);
}
requireNode();
installTmux();
if (!values.checkout) installDependencies();
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
])
  process.once(signal, () => closeAll().finally(() => process.exit(128 + number)));

const seed = values.seed === undefined ? newSeed() : Number(values.seed);
const soak = new Soak({
  agent,
  seed,
  build: await copyBuild(values.checkout && path.resolve(values.checkout)),
  deliveries: Number(values.deliveries),
  share: values.alone ? 0 : Number(values.kills),
  turns: Number(values.turns),
  alone: values.alone,
  point: faultPoint,
  by: values.door ? 'door' : 'box',
});
console.log(`seed ${seed}, log ${soak.logFile}`);
const { summary, points } = await soak.run(console.log);
console.log(JSON.stringify(summary));
const rows = [
  'sent',
  'lost',
  'doubled',
  'altered',
  'foreign',
  'prompts',
  'promptsLost',
  'draftsRead',
  'draftsHarmed',
  'editorKeysLost',
  'dialogsOpened',
  'dialogsAnswered',
  'receiptsWrong',
  'outOfOrder',
];
console.table(
  Object.fromEntries(rows.filter((name) => name in summary).map((name) => [name, { count: summary[name] }])),
);
console.table(
  [...points].sort((a, b) => b[1] - a[1]).map(([point, kills]) => ({ 'killed at': point, kills })),
);
const fine = new Set(['sent', 'prompts', 'draftsRead', 'dialogsOpened']);
const broken = rows.filter((name) => !fine.has(name));
const harm = broken.some((name) => summary[name] > 0);
// A door has no such stretch: its kills fall anywhere.
const thin = !values.door && summary.kills >= 10 && summary.killsInside < INSIDE;
if (thin) console.log(`only ${Math.round(summary.killsInside * 100)} % of the kills fell inside a delivery`);
await closeAll();
process.exit(harm || thin ? 1 : 0);
