// The process of the pane that Copilot runs in, by which both sides of its door name their folder: the next Copilot in the
// pane has another. Copilot itself may be a child of it, and this extension is a child of Copilot.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

// The one that the tmux server of this pane has started; undefined when none of ours is.
export function paneProcess(env = process.env, from = process.ppid) {
  const server = Number(env.TMUX?.split(',').at(-2));
  for (let pid = from; pid > 1; ) {
    const parent = parentOf(pid);
    if (parent === server) return pid;
    pid = parent;
  }
  return undefined;
}

// 0 when it is gone.
function parentOf(pid) {
  try {
    if (process.platform !== 'linux')
      return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything, brackets too.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
