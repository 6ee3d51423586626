// The thread of a backup: copies the database in one step, so that it is of one moment, and checks every page of the copy.
import { parentPort, workerData } from 'node:worker_threads';
import type { BackupReply } from './backup.js';
import { openDatabase, openFile } from './open.js';

const { file, target } = workerData as { file: string; target: string };
// All pages that are left: a copy in several steps begins anew with each write in between.
const REST = 2 ** 31 - 1;
const BUSY_TIMEOUT_MS = 5000;

async function copy(): Promise<BackupReply> {
  const source = openDatabase(file, { readonly: true });
  try {
    await source.backup(target, { progress: () => REST });
  } finally {
    source.close();
  }
  const made = openFile(target, { timeout: BUSY_TIMEOUT_MS });
  try {
    // One file: what the source had in a log beside it is in here.
    made.pragma('journal_mode = DELETE');
    const found = made.pragma('integrity_check', { simple: true });
    if (found !== 'ok') return { kind: 'failed', why: `the copy is damaged: ${String(found)}` };
    const count = (table: string): number =>
      made.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number;
    return { kind: 'done', sessions: count('sessions'), messages: count('messages') };
  } finally {
    made.close();
  }
}

const reply = await copy().catch((error: Error): BackupReply => ({ kind: 'failed', why: error.message }));
parentPort?.postMessage(reply);
