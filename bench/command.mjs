// A tmux command over our control-mode client, against a forked `tmux` that runs the same command.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Place } from './lib/place.mjs';
import { timed } from './lib/stats.mjs';

export const name = 'command';
export const title = 'one tmux command, round trip; baseline: a forked tmux';
export const budget = { ratio: 1 / 20 };

const ROUNDS = 200;
const WARM_UP = 20;

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
      for (let i = 0; i < WARM_UP + ROUNDS; i++) {
        const mine = await timed(overLink);
        const theirs = await timed(forked);
        if (i < WARM_UP) continue;
        ours.push(mine);
        baseline.push(theirs);
      }
      return { ours, baseline, unit: 'ms' };
    } finally {
      lease.dispose();
    }
  });

function expect(answer, pane) {
  if (answer !== pane) throw new Error(`tmux answered ${answer}, not ${pane}`);
}
