// What a process has used, as the system counts it: CPU time in ms, memory in MB.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const isLinux = process.platform === 'linux';
// USER_HZ, which is 100 on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

export function cpuMs(pid) {
  if (!isLinux) return psTime(ps('cputime', pid));
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

export function rssMb(pid) {
  if (!isLinux) return Number(ps('rss', pid)) / 1024;
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

// Memory that is nobody else's: 100 processes of one program share most of theirs.
export function privateMb(pid) {
  if (!isLinux) return rssMb(pid);
  const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const sum = [...rollup.matchAll(/^Private_\w+:\s+(\d+)/gm)].reduce(
    (total, [, kb]) => total + Number(kb),
    0,
  );
  return sum / 1024;
}

export function childrenOf(pid) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
}

const ps = (field, pid) =>
  execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();

// [[dd-]hh:]mm:ss[.cc]
function psTime(text) {
  const [days, clock] = text.includes('-') ? text.split('-') : ['0', text];
  return (
    clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000 + Number(days) * 86_400_000
  );
}
