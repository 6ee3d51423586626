// Is what the daemon keeps its owner's alone, and is there room for more?
import fs from 'node:fs';
import path from 'node:path';
import type { Finding } from '../api/types.js';
import { type Checked, note, problem } from './finding.js';

export interface FilesPlan {
  home: string;
  socket: string;
  config: string;
  // The configuration holds a secret.
  hasSecrets: boolean;
  uid: number | undefined;
}

const FOLDERS = ['bin', 'doors', 'hooks', 'hooks-backup', 'signals', 'spool', 'swap'];
const FILES = [
  'agents.good',
  'config.good',
  'daemon.json',
  'daemon.log',
  'lock',
  'suremail.db',
  'suremail.db-shm',
  'suremail.db-wal',
  'token',
];
const OTHERS = 0o077;
// Less, and a note says so; the database itself is looked at elsewhere.
const LITTLE_BYTES = 256 * 1024 ** 2;

export function checkFiles(plan: FilesPlan): Checked {
  const { home, config, hasSecrets, uid } = plan;
  const inside = (names: readonly string[]): string[] => names.map((name) => path.join(home, name));
  const kept = [home, ...inside(FOLDERS), ...inside(FILES)];
  const findings = kept.flatMap((file) => ofFile(file, uid));
  const configStat = fs.statSync(config, { throwIfNoEntry: false });
  if (hasSecrets && configStat && configStat.mode & OTHERS)
    findings.push(problem('files', `${config} holds a secret and others may read it`, `chmod 600 ${config}`));
  const former = path.join(home, 'config.yaml');
  if (former !== config && fs.existsSync(former))
    findings.push(note('files', `${former} is not read`, `move it to ${config}`));
  return { about: 'files', detail: 'readable by their owner alone', findings };
}

function ofFile(file: string, uid: number | undefined): Finding[] {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return [];
  if (uid !== undefined && stat.uid !== uid)
    return [problem('files', `${file} belongs to another user (${stat.uid})`, `chown ${uid} ${file}`)];
  if ((stat.mode & OTHERS) === 0) return [];
  const mode = (stat.mode & 0o777).toString(8);
  return [problem('files', `others may use ${file} (${mode})`, `chmod go= ${file}`)];
}

export function checkSocket({ socket, uid }: FilesPlan, url: string): Checked {
  const stat = fs.lstatSync(socket, { throwIfNoEntry: false });
  const again = 'run "sm down" and then "sm up"; if it does not answer, "sm up --replace"';
  const findings = !stat?.isSocket()
    ? [problem('socket', `${socket} is gone: other commands cannot find this daemon`, again)]
    : ofFile(socket, uid).map((finding) => ({ ...finding, about: 'socket' }));
  return { about: 'socket', detail: `${socket}; ${url} with the token`, findings };
}

export function checkDisk(home: string, free = freeBytes(home)): Checked {
  const left = `${(free / 1024 ** 3).toFixed(1)} GB free where ${home} is`;
  const advice = 'make room, or set history_days and draft_retention lower: what is old is deleted then';
  return {
    about: 'disk',
    detail: left,
    findings: free < LITTLE_BYTES ? [note('disk', `only ${left}`, advice)] : [],
  };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}
