// What our hooks add to an agent's turn: the very commands that it runs, against shells that do nothing.
//
// A round is a turn of Claude Code with one tool, which runs a hook of ours at its prompt, after the tool and at its end, and
// waits for each:
//   ours     what these three take
//   baseline three times sh -c : with the same input, which is what any hook costs before it does anything
// Each is checked to have left in the spool what it was given.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeHooks } from '../dist/agents/claude/settings.js';

const ROUNDS = 200;
const WARM_UP = 5;
const SCRIPT = fileURLToPath(new URL('../dist/spool/hook.sh', import.meta.url));
const WORDS = 'word '.repeat(200);
const TURN = {
  UserPromptSubmit: { prompt: WORDS },
  PostToolUse: { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: { stdout: WORDS } },
  Stop: { last_assistant_message: WORDS },
};

export const figures = [
  {
    name: 'hooks',
    title: 'added to a turn by our three hooks; baseline: as many shells that do nothing',
    budget: { value: 10, at: 0.5 },
    run: measure,
  },
];

async function measure() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'smb-hooks-'));
  try {
    const hooks = hooksIn(home);
    const [ours, baseline] = [[], []];
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const shells = sum(hooks.map(({ input }) => took(':', input)));
      const turn = sum(hooks.map(({ command, input }) => took(command, input)));
      requireTold(home);
      if (round < WARM_UP) continue;
      ours.push(turn);
      baseline.push(shells);
    }
    return { ours, baseline, unit: 'ms' };
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

// A home as the daemon makes it, with the folder of a session that runs in this pane.
function hooksIn(home) {
  const scripts = path.join(home, 'hooks');
  for (const folder of ['spool', 'hooks', 'doors/at', 'doors/session/UserPromptSubmit.for'])
    fs.mkdirSync(path.join(home, folder), { recursive: true });
  fs.symlinkSync('../session', path.join(home, 'doors/at/1-1'));
  fs.copyFileSync(SCRIPT, path.join(scripts, 'hook.sh'));
  const settings = claudeHooks({ home, hooks: scripts }, 'never');
  return Object.entries(TURN).map(([event, body]) => ({
    command: settings[event][0].hooks[0].command,
    input: JSON.stringify({ session_id: 'x', hook_event_name: event, ...body }),
  }));
}

const sum = (samples) => samples.reduce((total, one) => total + one, 0);

function took(command, input) {
  const env = { ...process.env, TMUX: '/tmp/x,1,0', TMUX_PANE: '%1' };
  const start = performance.now();
  const { status } = spawnSync('sh', ['-c', command], { input, env });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`it ended with ${status}: ${command}`);
  return ms;
}

// As the daemon does, takes away what it has read.
function requireTold(home) {
  const spool = path.join(home, 'spool');
  const names = fs.readdirSync(spool);
  const told = names.map((name) => fs.readFileSync(path.join(spool, name), 'utf8'));
  for (const event of Object.keys(TURN))
    if (!told.some((text) => text.startsWith(`claude ${event} `) && text.includes(WORDS)))
      throw new Error(`nothing in the spool of ${event}`);
  for (const name of names) fs.rmSync(path.join(spool, name));
}
