// Since when a process runs, by the clock that dates files: what its hooks left is not older than that.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

// Of the times in /proc, on all systems that have it.
const TICK_MS = 10;

// Never too late; undefined where the system does not tell.
export function startOf(pid: number, now: number): number | undefined {
  try {
    const ms = process.platform === 'linux' ? ageByProc(pid) : ageByPs(pid);
    return Number.isNaN(ms) ? undefined : now - ms;
  } catch {
    return undefined;
  }
}

function ageByProc(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [uptime] = fs.readFileSync('/proc/uptime', 'utf8').split(' ');
  // The name in brackets may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(uptime) * 1000 - Number(fields[19]) * TICK_MS + TICK_MS;
}

const ageByPs = (pid: number): number =>
  ageOf(execFileSync('ps', ['-o', 'etime=', '-p', String(pid)], { encoding: 'utf8' })) + 1000;

// [[days-]hours:]minutes:seconds, in milliseconds.
export function ageOf(etime: string): number {
  const [, days = 0, hours = 0, minutes, seconds] =
    /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(etime) ?? [];
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
