// What our hooks cost an agent's turn: the command that a hook runs, against starting a shell that does nothing.
//
//   ours     sh hook.sh with a hook's JSON on its standard input, as an agent runs it; three of them make a turn without tools
//   baseline sh -c : with the same input
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROUNDS = 200;
const SCRIPT = fileURLToPath(new URL('../dist/spool/hook.sh', import.meta.url));
const INPUT = JSON.stringify({
  session_id: 'x',
  hook_event_name: 'UserPromptSubmit',
  prompt: 'word '.repeat(200),
});

export const figures = [
  {
    name: 'hook',
    title: 'one hook of an agent; baseline: a shell that does nothing',
    budget: { value: 10, at: 0.5 },
    run: measure,
  },
];

async function measure() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'smb-hooks-'));
  fs.mkdirSync(path.join(home, 'spool'));
  const env = { ...process.env, TMUX: '/tmp/x,1,0', TMUX_PANE: '%1' };
  const took = (args) => {
    const start = performance.now();
    spawnSync('sh', args, { input: INPUT, env });
    return performance.now() - start;
  };
  const [ours, baseline] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(took([SCRIPT, home, 'claude', 'UserPromptSubmit']));
      baseline.push(took(['-c', ':']));
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
  return { ours, baseline, unit: 'ms' };
}
