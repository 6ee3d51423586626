// What a send costs with many sessions and with much history, what memory that takes, and how soon a daemon is back.
import { Place } from './lib/place.mjs';
import { Senders } from './lib/senders.mjs';
import { timed } from './lib/stats.mjs';
import { store } from './lib/stored.mjs';
import { rssMb } from './lib/usage.mjs';

const FEW = 10;
const MANY_SESSIONS = 1000;
const MANY_MESSAGES = 100_000;
const PENDING = 10_000;
const ROUNDS = 15;
const BATCH = 100;
const SENDERS = 10;
const TEXT = 'please run the tests and tell me what fails';
// Two daemons side by side, taking turns: whatever else the machine does, it does to both.
const FLAT = { ratio: 1.2 };

async function sessionsOf(place, { client }, count) {
  const ids = [];
  for (let i = 0; i < count; i++)
    ids.push((await client.start({ command: ['cat'], socket: place.tmuxSocket, cwd: place.folder })).id);
  return ids;
}

// Milliseconds for a message, in turns; each daemon's mail goes to the same few sessions.
async function compare(large, small) {
  const samples = { ours: [], baseline: [] };
  const sides = [
    [large, samples.ours],
    [small, samples.baseline],
  ];
  const senders = sides.map(([{ home }]) => new Senders(home.socket, SENDERS));
  const batch = (side, i) =>
    senders[i].send(BATCH, SENDERS, (n) => ({ to: [side.to[n % side.to.length]], text: TEXT }));
  try {
    for (const [i, [side]] of sides.entries()) await batch(side, i);
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, [side, into]] of sides.entries()) into.push((await timed(() => batch(side, i))) / BATCH);
    return samples;
  } finally {
    for (const each of senders) each.close();
  }
}

// A daemon in whose history so much is, which delivers nothing.
async function withHistory(place, name, count, state) {
  const first = await place.daemon(name);
  await first.client.setPaused(true);
  const to = await sessionsOf(place, first, FEW);
  await place.stop(first);
  store(first.home.database, count, to, { state });
  const { value: daemon, ms } = await clocked(() => place.daemon(name));
  return { ...daemon, to, readyMs: ms };
}

async function clocked(work) {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

export const figures = [
  {
    name: 'sessions',
    title: `storing a message in a daemon with ${MANY_SESSIONS} sessions; baseline: with ${FEW}`,
    budget: FLAT,
    limitMs: 600_000,
    run: () =>
      Place.use(async (place) => {
        place.pane(['cat']);
        const [many, few] = [await place.daemon('many'), await place.daemon('few')];
        const to = [];
        // One after the other: two daemons that attach to one tmux server at the same time can crash it.
        for (const [daemon, count] of [
          [many, MANY_SESSIONS],
          [few, FEW],
        ]) {
          await daemon.client.setPaused(true);
          to.push((await sessionsOf(place, daemon, count)).slice(0, FEW));
        }
        return { ...(await compare({ ...many, to: to[0] }, { ...few, to: to[1] })), unit: 'ms' };
      }),
  },
  {
    name: 'history',
    title: `storing a message in a daemon with ${MANY_MESSAGES} stored ones; baseline: with ${FEW}`,
    budget: FLAT,
    limitMs: 300_000,
    run: () =>
      Place.use(async (place) => {
        place.pane(['cat']);
        const many = await withHistory(place, 'many', MANY_MESSAGES, 'settled');
        const few = await withHistory(place, 'few', FEW, 'settled');
        return { ...(await compare(many, few)), unit: 'ms' };
      }),
  },
  {
    name: 'memory',
    title: `memory of a daemon with ${MANY_MESSAGES} stored messages; baseline: with none`,
    budget: { ratio: 1.1 },
    limitMs: 300_000,
    run: () =>
      Place.use(async (place) => {
        place.pane(['cat']);
        const many = await withHistory(place, 'many', MANY_MESSAGES, 'settled');
        const none = await withHistory(place, 'none', 0, 'settled');
        const samples = { ours: [], baseline: [] };
        for (let round = 0; round < ROUNDS; round++) {
          for (const { client } of [many, none]) {
            await client.messages({ limit: 50 });
            await client.sessions();
          }
          samples.ours.push(rssMb(many.pid));
          samples.baseline.push(rssMb(none.pid));
        }
        return { ...samples, unit: 'MB' };
      }),
  },
  {
    name: 'restart',
    title: `start of a daemon for which ${PENDING} messages wait; baseline: for which none does`,
    budget: { value: 2000 },
    limitMs: 300_000,
    run: () =>
      Place.use(async (place) => {
        place.pane(['cat']);
        const [ours, baseline] = [[], []];
        const full = await withHistory(place, 'full', PENDING, 'pending');
        const none = await withHistory(place, 'none', 0, 'pending');
        for (const [{ readyMs, ...daemon }, name, into] of [
          [full, 'full', ours],
          [none, 'none', baseline],
        ]) {
          into.push(readyMs);
          let running = daemon;
          for (let round = 0; round < 4; round++) {
            await place.stop(running);
            const again = await clocked(() => place.daemon(name));
            running = again.value;
            into.push(again.ms);
          }
        }
        return { ours, baseline, unit: 'ms' };
      }),
  },
];
