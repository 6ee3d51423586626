// A signal while no daemon answers: left in the spool, written whole, for the daemon to take when it starts.
import fs from 'node:fs';
import path from 'node:path';
import { makeHome } from '../api/locate.js';
import { threadsFrom } from './sender.js';

export interface LeftSignal {
  state: string;
  message: string;
  id?: string;
  // The same as it was reported with: where the daemon had taken it already, it is known by it.
  key: string;
  at: number;
  // By name, where one was given.
  session?: string;
}

// The file, once it is on disk.
export function leaveSignal(home: string, signal: LeftSignal, env: NodeJS.ProcessEnv): string {
  makeHome(home);
  const folder = path.join(home, 'spool');
  fs.mkdirSync(folder, { mode: 0o700, recursive: true });
  const threads = threadsFrom(env);
  const body = JSON.stringify({ ...signal, ...(threads.length > 0 && { threads }) });
  const file = path.join(folder, `${signal.at}-${signal.key}-signal`);
  const handle = fs.openSync(file, 'wx', 0o600);
  try {
    // As the hooks of agents write them: whose it is, what they have to say, and the end by which one is known to be whole.
    fs.writeSync(handle, `sm signal ${placeOf(env)}\n${body}\n.\n`);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  return file;
}

function placeOf({ SM_SESSION, TMUX = '', TMUX_PANE = '' }: NodeJS.ProcessEnv): string {
  const [, socket = '', server = ''] = /^(.+),(\d+),\d+$/.exec(TMUX) ?? [];
  const pane = /^%\d+$/.test(TMUX_PANE) ? TMUX_PANE : '-';
  return `${/^\S+$/.exec(SM_SESSION ?? '')?.[0] ?? '-'} ${socket} ${server} ${pane}`;
}
