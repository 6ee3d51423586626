// A copy of the database as it was at one moment, while it is in use: whole, checked, and for its owner alone.
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { StoreError } from './errors.js';

export interface Backup {
  bytes: number;
  sessions: number;
  messages: number;
}

export type BackupReply =
  | { kind: 'done'; sessions: number; messages: number }
  | { kind: 'failed'; why: string };

const THREAD = new URL('./backup-thread.js', import.meta.url);

// A target that exists is replaced; what fails leaves nothing behind.
export async function backupDatabase(file: string, target: string, thread: URL = THREAD): Promise<Backup> {
  const temporary = `${target}.${process.pid}.part`;
  try {
    fs.rmSync(temporary, { force: true });
    fs.closeSync(fs.openSync(temporary, 'wx', 0o600));
    const reply = await copied(file, temporary, thread);
    if (reply.kind === 'failed') throw new Error(reply.why);
    const written = fs.openSync(temporary, 'r');
    fs.fsyncSync(written);
    fs.closeSync(written);
    fs.renameSync(temporary, target);
    const { sessions, messages } = reply;
    return { bytes: fs.statSync(target).size, sessions, messages };
  } catch (error) {
    throw new StoreError(`no backup was made at ${target}: ${(error as Error).message}`);
  } finally {
    for (const ending of ['', '-journal', '-wal', '-shm'])
      fs.rmSync(`${temporary}${ending}`, { force: true });
  }
}

function copied(file: string, target: string, thread: URL): Promise<BackupReply> {
  return new Promise((resolve) => {
    const failed = (why: string): void => resolve({ kind: 'failed', why });
    const worker = new Worker(thread, { workerData: { file, target } });
    worker.once('message', resolve);
    worker.once('error', (error) => failed(error.message));
    worker.once('exit', () => failed('the thread that copies has ended'));
  });
}
