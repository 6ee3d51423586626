// Removes what the daemon keeps on disk: by name, never a whole folder of which it cannot know what else is in it.
import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../api/locate.js';

const OURS = [
  'agents.good',
  'bin',
  'config.good',
  'daemon.json',
  'daemon.log',
  'daemon.log.1',
  'doors',
  'hooks',
  'hooks-backup',
  'lock',
  'lock-journal',
  'lock-shm',
  'lock-wal',
  'signals',
  'sm.sock',
  'spool',
  'ssh',
  'suremail.db',
  'suremail.db-journal',
  'suremail.db-shm',
  'suremail.db-wal',
  'swap',
  'token',
];
// Written by the user.
const THEIRS = ['agents'];

export interface Removed {
  // Files and folders of ours that were there.
  removed: string[];
  // What is still in the home folder.
  left: string[];
}

export function removeHome(home: Home, { config }: { config: 'keep' | 'remove' }): Removed {
  const { folder, socket } = home;
  const names = config === 'remove' ? [...OURS, ...THEIRS] : OURS;
  const files = [...names.map((name) => path.join(folder, name)), socket];
  if (config === 'remove') files.push(home.config);
  const there = [...new Set(files)].filter((file) => statSync(file, { throwIfNoEntry: false }));
  for (const file of there) rmSync(file, { recursive: true, force: true });
  for (const each of new Set([
    folder,
    path.dirname(socket),
    ...(config === 'remove' ? [path.dirname(home.config)] : []),
  ]))
    removeEmpty(each);
  return { removed: there, left: namesIn(folder).map((name) => path.join(folder, name)) };
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it, or it is gone.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
