// Processes and terminals of the machine that a tmux server runs on.
import type { TmuxServer } from '../tmux/index.js';
import { SshHost } from '../tmux/index.js';
import { farProcesses } from './far-processes.js';
import { foregroundOf, type ProcessInfo, readProcess } from './process.js';
import { isCanonical } from './tty.js';

export interface Processes {
  // Undefined where there is none; rejects where the machine cannot be asked.
  read(pid: number): Promise<ProcessInfo | undefined>;
  // The leader of the group that has the foreground of the pane's terminal.
  foregroundOf(panePid: number): Promise<ProcessInfo | undefined>;
  // Whether a terminal is in line mode; unknown counts as not.
  isCanonical(tty: string): Promise<boolean>;
  // Of a whole group.
  signal(group: number, name: 'TERM' | 'KILL'): Promise<void>;
}

export const LOCAL_PROCESSES: Processes = {
  read: readProcess,
  foregroundOf,
  isCanonical,
  async signal(group, name) {
    process.kill(-group, `SIG${name}`);
  },
};

export const processesOf = ({ transport }: TmuxServer): Processes =>
  transport instanceof SshHost ? farProcesses((script) => transport.script(script)) : LOCAL_PROCESSES;
