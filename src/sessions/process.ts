// Processes as the system shows them: who has the foreground of a terminal, and since when it runs.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { promisify } from 'node:util';

export interface ProcessInfo {
  pid: number;
  parent: number;
  // Process group, and the group in the foreground of its terminal.
  group: number;
  foreground: number;
  // A pid is used again; together with its start it is not.
  started: string;
  argv: string[];
}

const run = promisify(execFile);

export async function readProcess(pid: number): Promise<ProcessInfo | undefined> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

// The leader of the group that has the foreground of the pane's terminal; itself or a child of the pane's own process.
export async function foregroundOf(panePid: number): Promise<ProcessInfo | undefined> {
  const root = await readProcess(panePid);
  if (!root) return undefined;
  return root.foreground === root.pid ? root : readProcess(root.foreground);
}

function fromProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return parseProc(pid, stat, fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return undefined;
  }
}

// What stands in /proc/PID/stat and /proc/PID/cmdline. A process that has ended and was not waited for is none.
export function parseProc(pid: number, stat: string, cmdline: string): ProcessInfo | undefined {
  // The name in brackets may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const argv = cmdline.split('\0');
  if (argv.at(-1) === '') argv.pop();
  const state = fields[0] ?? '';
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    foreground: Number(fields[5]),
    started: fields[19] ?? '',
    argv,
  };
}

async function fromPs(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', PS_FORMAT, '-p', String(pid)]);
    return parsePs(pid, stdout);
  } catch {
    return undefined;
  }
}

export const PS_FORMAT = 'ppid=,pgid=,tpgid=,stat=,lstart=,args=';

// A line of `ps -o` with that format.
export function parsePs(pid: number, line: string): ProcessInfo | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(
    line.trimEnd(),
  );
  if (!match) return undefined;
  const [, parent, group, foreground, state = '', started = '', args = ''] = match;
  if (state.startsWith('Z')) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    foreground: Number(foreground),
    started,
    argv: args.split(' '),
  };
}

// What /proc counts the start of a process in: the same for every program, whatever the kernel itself ticks in.
const TICK_MS = 10;

// When a process began, from what was read as its start. Undefined where that does not tell.
export function begunAt(started: string, now: number): number | undefined {
  const at =
    process.platform === 'linux' && started !== ''
      ? now - os.uptime() * 1000 + Number(started) * TICK_MS
      : Date.parse(started);
  // Inside a container the machine's own uptime may be hidden.
  return Number.isFinite(at) && at <= now ? at : undefined;
}

// The environment that a process was started with; empty where the system does not tell.
export async function environmentOf(pid: number): Promise<Record<string, string>> {
  try {
    const text =
      process.platform === 'linux'
        ? fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
        : (await run('ps', ['eww', '-o', 'command=', '-p', String(pid)])).stdout.split(' ');
    return Object.fromEntries(
      text.flatMap((entry) => {
        const at = entry.indexOf('=');
        return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
      }),
    );
  } catch {
    return {};
  }
}

// Where a process works now; null where the system does not tell.
export async function folderOf(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') return fs.readlinkSync(`/proc/${pid}/cwd`);
    const { stdout } = await run('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']);
    return /^n(\/.*)$/m.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}
