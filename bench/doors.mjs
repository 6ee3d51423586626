// Mail through each agent's own door, until its model has it, against a raw paste and Enter into the same agent; a burst; and
// what open doors cost while nothing happens.
//
// One session an agent. The two take turns in it, each from rest, with no draft in the box:
//   door  sent through the API as another agent's mail
//   raw   set-buffer, paste-buffer -p -r, the gap that this agent needs, Enter, by one control-mode connection
// The burst: 20 messages while a turn runs, from its end until the model has the last of them; baseline: 20 raw ones, each
// pressed as soon as the turn of the one before it has ended.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pane, TmuxServer } from '../dist/tmux/index.js';
import { closeLater, Place, ROOT } from './lib/place.mjs';
import { cpuMs } from './lib/usage.mjs';
import { sleep, until } from './lib/wait.mjs';

const CONFORMANCE = fileURLToPath(new URL('../test/conformance/', import.meta.url));
const ROUNDS = 30;
const WARM_UP = 2;
const BURST = 20;
const LIMIT_MS = 480_000;
// The least that agents need between a short paste and its Enter, as measured: in ours there is none. Claude Code has figures
// of its own.
const GAPS = { codex: 0, opencode: 30, qwen: 0, pi: 0, copilot: 0 };
const TEXT = 'answer with one word';
const IDLE = 50;
const WINDOW_MS = 20_000;
const SETTLE_MS = 3000;

export const figures = [
  ...Object.keys(GAPS).map((agent) => ({
    name: `door, ${agent}`,
    title: `${agent}: an agent's mail through its door until the model has it; baseline: raw paste and Enter`,
    // It looks into its file every half second.
    budget: agent === 'qwen' ? undefined : { ratio: 1.3, tail: true },
    limitMs: LIMIT_MS,
    run: () => onStage(agent, turns),
  })),
  {
    name: 'door, burst',
    title: `Claude Code: ${BURST} messages to a busy agent, until the model has the last; baseline: ${BURST} raw ones in turn`,
    limitMs: LIMIT_MS,
    run: () => onStage('claude', burst),
  },
  ...['hooks', 'extension'].map((kind) => ({
    name: `door, idle, ${kind}`,
    title: `CPU of the daemon with ${IDLE} open doors (${kind}), % of one core; baseline: as many sessions without`,
    budget: { value: 1 },
    limitMs: LIMIT_MS,
    run: () => idle(IDLERS[kind]),
  })),
];

async function onStage(name, work) {
  if (!fs.existsSync(path.join(CONFORMANCE, 'stage.mjs')))
    return { skipped: 'the conformance suite is not part of this copy' };
  const [{ Stage }, { binFolder }, { seeded }, { closeAll }] = await Promise.all(
    ['stage', 'packages', 'random', 'place'].map((file) => import(path.join(CONFORMANCE, `${file}.mjs`))),
  );
  if (!fs.existsSync(path.join(binFolder(name), name)))
    return { skipped: `it is not installed; "npm run conformance -- ${name} --quick" installs it` };
  closeLater({ close: closeAll });
  const options = { build: { folder: ROOT }, random: seeded(1), doors: true, tell: () => {} };
  const stage = await Stage.open(name, options);
  const server = new TmuxServer({ kind: 'path', path: stage.place.tmuxSocket });
  const lease = server.lease(stage.session.tmux_session);
  try {
    await lease.link.ready();
    await stage.typist.submit('good morning');
    await sleep(1000);
    await stage.rest();
    return { ...(await work(stage, new Pane(lease.link, stage.session.pane))), unit: 'ms' };
  } finally {
    lease.dispose();
    await stage.close();
  }
}

const arrival = ({ submissions }, mark) => until(() => submissions.arrival(mark), `${mark} is at the model`);

async function mail({ place, session }, text = TEXT) {
  const from = { session: session.id };
  const { messages } = await place.client.send({ to: [session.id], text, from });
  return messages[0].id;
}

async function raw(stage, pane, mark) {
  await pane.paste(`[Input from: user via sm send] ${mark}\n${TEXT}`);
  await sleep(GAPS[stage.name] ?? 0);
  await pane.press(['Enter']);
}

async function turns(stage, pane) {
  const [ours, baseline] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    await stage.rest();
    let start = Date.now();
    const id = await mail(stage);
    const door = (await arrival(stage, `#${id}`)) - start;
    const { way } = await stage.place.client.message(id);
    if (way !== 'door') throw new Error(`message ${id} went by ${way}`);
    await stage.rest();
    start = Date.now();
    await raw(stage, pane, `#raw${round}`);
    const pressed = (await arrival(stage, `#raw${round}`)) - start;
    if (round < WARM_UP) continue;
    ours.push(door);
    baseline.push(pressed);
  }
  return { ours, baseline };
}

async function burst(stage, pane) {
  await mail(stage, 'work [[hold burst]]');
  await until(() => stage.submissions.request('[[hold burst]]'), 'the turn runs');
  const ids = [];
  for (let i = 0; i < BURST; i++) ids.push(await mail(stage));
  await sleep(SETTLE_MS);
  let start = Date.now();
  stage.model.release('burst');
  const door = Math.max(...(await Promise.all(ids.map((id) => arrival(stage, `#${id}`))))) - start;
  await stage.rest();
  start = Date.now();
  for (let i = 0; i < BURST; i++) {
    await raw(stage, pane, `#burst${i}.`);
    await arrival(stage, `#burst${i}.`);
    await until(() => stage.submissions.quiet, 'its turn ends');
  }
  return { ours: [door], baseline: [Date.now() - start] };
}

// Scripted agents start fast enough for fifty. One has the hooks, the waiter and the files of a Claude Code, the other loads our
// extension as pi does.
const IDLERS = {
  hooks: {
    agent: 'claude',
    script: path.join(ROOT, 'test/agents/woken/cli.mjs'),
    env: (folder) => ({ CLAUDE_CONFIG_DIR: folder, FAKE_LOG: path.join(folder, 'log') }),
  },
  extension: { agent: 'pi', script: path.join(ROOT, 'bench/lib/extended/cli.mjs'), env: () => ({}) },
};

function idle({ agent, script, env }) {
  return Place.use(async (place) => {
    place.pane(['cat']);
    const [open, shut] = await Promise.all([
      place.daemon('open'),
      place.daemon('shut', { 'config.yaml': 'use_doors: false\n' }),
    ]);
    for (const { client } of [open, shut])
      for (let i = 0; i < IDLE; i++) {
        const folder = path.join(place.folder, `${open.client === client}-${i}`);
        fs.mkdirSync(folder);
        const command = [process.execPath, script];
        const where = { socket: place.tmuxSocket, cwd: place.folder };
        await client.start({ command, name: `idle${i}`, agent, env: env(folder), ...where });
      }
    const isOpen = async () =>
      (await open.client.sessions()).filter(({ door }) => door?.state === 'open').length === IDLE;
    await until(isOpen, `${IDLE} doors are open`);
    await sleep(SETTLE_MS);
    const look = () => [cpuMs(open.pid), cpuMs(shut.pid)];
    const [start, before] = [performance.now(), look()];
    await sleep(WINDOW_MS);
    const after = look();
    const share = (i) => (100 * (after[i] - before[i])) / (performance.now() - start);
    return { ours: [share(0)], baseline: [share(1)], unit: '%' };
  });
}
