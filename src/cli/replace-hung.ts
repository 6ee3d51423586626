// Ends a daemon that lives and does not answer: it is stopped or stuck, and whoever starts next takes up what it had under way.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Home } from '../api/locate.js';
import { connect } from './connect.js';

// A daemon that works answers within milliseconds.
const ANSWER_MS = 1500;
const END_MS = 2000;
const LOOK_MS = 20;

export async function replaceHung(home: Home): Promise<void> {
  const pid = writtenPid(home);
  if (pid === undefined || !isAlive(pid)) return;
  const answer = connect(home)
    .status()
    .then(
      () => 'answered',
      () => 'failed',
    );
  if ((await Promise.race([answer, delay(ANSWER_MS)])) === 'answered') return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return;
  }
  for (const end = Date.now() + END_MS; isAlive(pid) && Date.now() < end; ) await delay(LOOK_MS);
}

function writtenPid(home: Home): number | undefined {
  try {
    return (JSON.parse(readFileSync(home.info, 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
