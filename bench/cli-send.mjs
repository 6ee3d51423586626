// `sm send` from start to exit, the message on disk, against the cheapest thing that node can do: `node -e 0`.
import { spawn } from 'node:child_process';
import { CLI, Place } from './lib/place.mjs';
import { timed } from './lib/stats.mjs';

export const name = 'cli-send';
export const title = 'sm send, wall time; baseline: node -e 0';
export const budget = { ratio: 2 };

const ROUNDS = 60;
const WARM_UP = 3;

export const run = () =>
  Place.use(async (place) => {
    place.pane(['cat']);
    const { client, env } = await place.daemon();
    const session = await client.start({ command: ['cat'], name: 'reader', socket: place.tmuxSocket });
    // Only taking the message in is measured, not what happens beside it.
    await client.update(session.id, { paused: true });
    const send = () => node([CLI, 'send', 'reader', 'please run the tests and tell me what fails'], env);
    const ours = [];
    const baseline = [];
    for (let i = 0; i < WARM_UP + ROUNDS; i++) {
      const mine = await timed(send);
      const theirs = await timed(() => node(['-e', '0'], env));
      if (i < WARM_UP) continue;
      ours.push(mine);
      baseline.push(theirs);
    }
    const stored = await client.messages({ session: session.id, limit: 1000 });
    if (stored.length !== WARM_UP + ROUNDS)
      throw new Error(`${stored.length} of ${WARM_UP + ROUNDS} messages stored`);
    return { ours, baseline, unit: 'ms' };
  });

function node(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`))));
  });
}
