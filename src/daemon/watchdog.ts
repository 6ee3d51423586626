// What the watchdog of held keys runs: a script of ours, tmux, and a daemon where none lives.
import fs from 'node:fs';
import path from 'node:path';
import { type Home, homeVariables } from '../api/locate.js';
import { HOLD_WATCH } from '../tmux/index.js';

export interface Watchdog {
  script: string;
  rescue: string[];
  tmux: string;
}

export const watchdog = (home: Home, env: NodeJS.ProcessEnv): Watchdog => ({
  script: HOLD_WATCH,
  rescue: rescueCommand(home, env),
  tmux: findProgram('tmux', env.PATH ?? ''),
});

// Run by tmux, whose environment is not ours.
function rescueCommand(home: Home, env: NodeJS.ProcessEnv): string[] {
  const port = env.SM_PORT === undefined ? [] : [`SM_PORT=${env.SM_PORT}`];
  const where = Object.entries(homeVariables(home)).map(([name, value]) => `${name}=${value}`);
  return ['env', ...where, ...port, path.join(home.bin, 'sm'), 'up', '--replace'];
}

const findProgram = (name: string, searchPath: string): string =>
  searchPath
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => path.isAbsolute(file) && fs.existsSync(file)) ?? name;
