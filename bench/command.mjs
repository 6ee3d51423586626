// A tmux command over our control-mode client, against a forked `tmux` that runs the same command.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Place } from './lib/place.mjs';
import { median, timed } from './lib/stats.mjs';
import { number } from './lib/table.mjs';

export const name = 'command';
export const title = 'one tmux command, round trip; baseline: a forked tmux';
export const budget = { ratio: 1 / 20 };

// In blocks, as a delivery asks tmux ten things in a row; the first of a block also pays for waking three processes.
const ROUNDS = 40;
const BLOCK = 10;
const WARM_UP = 10;

export const run = () =>
  Place.use(async (place) => {
    const { session, pane } = place.pane(['cat']);
    const lease = place.server.lease(session);
    try {
      await lease.link.ready();
      const fork = promisify(execFile);
      const env = place.environment(place.folder);
      const args = ['-S', place.tmuxSocket, 'display-message', '-p', '-t', pane, '#{pane_id}'];
      const overLink = async () => {
        const [line] = await lease.link.command(`display-message -p -t ${pane} '#{pane_id}'`);
        expect(line?.toString(), pane);
      };
      const forked = async () => expect((await fork('tmux', args, { env })).stdout.trim(), pane);
      const ours = [];
      const baseline = [];
      const first = [];
      for (let i = 0; i < WARM_UP + ROUNDS; i++) {
        const mine = await block(overLink);
        const theirs = await block(forked);
        if (i < WARM_UP) continue;
        ours.push(...mine);
        baseline.push(...theirs);
        first.push(mine[0]);
      }
      const note = `the first of each block of ${BLOCK}: ${number(median(first))} ms`;
      return { ours, baseline, unit: 'ms', note };
    } finally {
      lease.dispose();
    }
  });

async function block(work) {
  const samples = [];
  for (let i = 0; i < BLOCK; i++) samples.push(await timed(work));
  return samples;
}

function expect(answer, pane) {
  if (answer !== pane) throw new Error(`tmux answered ${answer}, not ${pane}`);
}
