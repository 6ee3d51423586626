// The one way to write: units of steps, each unit all or nothing, committed in groups by a thread of its own.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { DiskFull, Unmet } from './errors.js';

export type Value = string | number | null;

export interface Step {
  sql: string;
  values: readonly Value[];
  // Roll the unit back unless this step changed exactly so many rows.
  expect?: number;
}

export interface StepResult {
  changes: number;
  rowid: number;
}

export type Reply =
  | { id: number; kind: 'done'; results: StepResult[] }
  | { id: number; kind: 'unmet'; step: number }
  | { id: number; kind: 'error'; message: string; code: string | undefined };

interface Waiting {
  resolve(results: StepResult[]): void;
  reject(error: Error): void;
}

export interface Unit {
  id: number;
  steps: readonly Step[];
}

export class Writer {
  readonly #thread: Worker;
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  // What this turn of the event loop has asked for; it goes to the thread as one, and so onto the disk.
  #gathered: Unit[] = [];
  #next = 0;
  #broken: Error | undefined;
  #closing = false;

  constructor(file: string, thread: URL = new URL('./writer-thread.js', import.meta.url)) {
    this.#folder = path.dirname(file);
    this.#thread = new Worker(thread, { workerData: { file } });
    this.#thread.on('message', (replies: Reply[]) => {
      for (const reply of replies) this.#settle(reply);
    });
    this.#thread.on('error', (error: Error) => this.#break(error));
    this.#thread.on('exit', () => this.#break(new Error('the writer thread has ended')));
  }

  // Resolves once the unit is on disk.
  write(steps: readonly Step[]): Promise<StepResult[]> {
    if (this.#broken) return Promise.reject(this.#broken);
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#gathered.push({ id, steps }) === 1) setImmediate(() => this.#post());
    });
  }

  #post(): void {
    const units = this.#gathered;
    this.#gathered = [];
    if (units.length > 0) this.#thread.postMessage(units);
  }

  async close(): Promise<void> {
    if (this.#broken) return;
    this.#closing = true;
    this.#post();
    this.#thread.postMessage('close');
    await new Promise<void>((resolve) => this.#thread.once('exit', () => resolve()));
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'done') waiting?.resolve(reply.results);
    else if (reply.kind === 'unmet') waiting?.reject(new Unmet(reply.step));
    else
      waiting?.reject(reply.code === 'SQLITE_FULL' ? new DiskFull(this.#folder) : new Error(reply.message));
  }

  // A daemon that can write no more must not live on: the next one recovers.
  #break(error: Error): void {
    if (!this.#closing && !this.#broken) {
      setImmediate(() => {
        throw error;
      });
    }
    this.#broken ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
