// How long a person's keys wait while messages go past their five-line draft in the real Claude Code, where it is installed.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from './lib/stats.mjs';
import { number } from './lib/table.mjs';

const CONFORMANCE = fileURLToPath(new URL('../test/conformance/', import.meta.url));
const ROUNDS = 40;
const WARM_UP = 2;
const DRAFT = ['five lines', 'of a draft', 'that someone', 'is still', 'writing'];
const LEFTS = 12;

export const name = 'claude, keys held';
export const title = 'keys held in Claude Code while a message goes past a five-line draft';
export const budget = null;
// A start of the real agent, and the turns of its model in between.
export const limitMs = 300_000;

export async function run() {
  const parts = await load();
  if (!parts) return { skipped: 'the conformance suite is not part of this copy' };
  const { packages, stages, builds, random } = parts;
  const folder = packages.packageFolder('claude');
  if (!fs.existsSync(path.join(folder, 'node_modules/.bin/claude')))
    return { skipped: 'Claude Code is not installed; "npm run conformance -- claude --quick" installs it' };
  const build = await builds.copyBuild();
  const stage = await stages.Stage.open('claude', { build, random: random.seeded(1), tell: () => {} });
  try {
    return await measure(stage);
  } finally {
    await stage.close();
  }
}

async function load() {
  if (!fs.existsSync(path.join(CONFORMANCE, 'stage.mjs'))) return undefined;
  const part = (file) => import(path.join(CONFORMANCE, file));
  const [packages, stages, builds, random] = await Promise.all(
    ['packages.mjs', 'stage.mjs', 'build-copy.mjs', 'random.mjs'].map(part),
  );
  return { packages, stages, builds, random };
}

async function measure(stage) {
  const { client } = stage.place;
  const held = [];
  const total = [];
  const deliver = async (policy) => {
    const { messages } = await client.send({
      to: [stage.session.id],
      text: 'answer with one word',
      ...policy,
    });
    const { id } = messages[0];
    await client.wait(id, { for: 'submitted', timeout: 30 });
    const message = await client.message(id);
    if (message.receipt !== 'submitted')
      throw new Error(`message ${id} is ${message.receipt}: ${JSON.stringify(message.events)}`);
    await stage.rest();
    return message;
  };
  // The first one goes into an empty box.
  await deliver({});
  await type(stage);
  for (let i = 0; i < WARM_UP + ROUNDS; i++) {
    const { events, held_ms: ms, draft } = await deliver({ past_draft: 'now' });
    if (!draft) throw new Error('it met no draft');
    if (i < WARM_UP) continue;
    const at = (kind) => Date.parse(events.findLast((event) => event.kind === kind)?.at);
    held.push(ms);
    total.push(at('submitted') - at('queued'));
  }
  const found = await stage.takeDraft();
  if (found?.trimEnd() !== DRAFT.join('\n')) throw new Error(`the draft is not as it was: ${found}`);
  const at = (q) => number(quantile(held, q));
  const note =
    `Claude Code ${stage.version}, ${ROUNDS} deliveries: keys held p50 ${at(0.5)}, p95 ${at(0.95)}, ` +
    `max ${at(1)} ms; accepted until all was back p50 ${number(quantile(total, 0.5))} ms`;
  return { ours: held, baseline: [], unit: 'ms', note };
}

async function type(stage) {
  const { typist } = stage;
  for (const [i, line] of DRAFT.entries()) {
    if (i > 0) await typist.edit('C-j');
    await typist.type(line);
  }
  await typist.edit('Left', LEFTS);
  await stage.rest();
}
