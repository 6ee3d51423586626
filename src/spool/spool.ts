// What hooks leave on disk while nobody listens: taken in by file events, in order for each agent, and deleted only once it
// is dealt with. No agent's entries wait for another's.
import fs from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../tmux/index.js';
import { type HookEntry, originOf, parseEntry } from './entry.js';
import { howWritten, prepareSpool, putAside } from './leftovers.js';

// `unknown`: nobody here knows whose it is, or what it means. `later`: not yet.
export type Taken = 'taken' | 'unknown' | 'later';

export interface SpoolDeps {
  folder: string;
  // Resolves once what it means is on disk; rejects where it could not be written.
  take: (entry: HookEntry) => Promise<Taken>;
  log: (message: string, details: Record<string, unknown>) => void;
}

// The first line of an entry is shorter.
const HEAD_BYTES = 4096;
// What could not be dealt with is tried again after that time, then after twice that, or with the next one that comes.
const AGAIN_MS = 500;
const MOST_AGAIN_MS = 60_000;

// A name may come again: together with its time it does not.
interface Left {
  name: string;
  at: bigint;
}

export class Spool implements Disposable {
  #watcher: fs.FSWatcher | undefined;
  #running: Promise<void> | undefined;
  // What is being dealt with: the last of each agent's, and all of them.
  readonly #lines = new Map<string, Promise<void>>();
  readonly #inHand = new Set<string>();
  // Agents whose first entry has to wait: what they left after it waits with it.
  readonly #early = new Set<string>();
  // Said in the log already.
  readonly #unread = new Set<string>();
  #again = false;
  #disposed = false;
  #timer: NodeJS.Timeout | undefined;
  #againMs = AGAIN_MS;

  constructor(readonly deps: SpoolDeps) {}

  // What came while nobody listened comes first.
  async start(): Promise<void> {
    const { folder, log } = this.deps;
    await prepareSpool(folder);
    this.#watcher = fs.watch(folder, () => void this.drain());
    this.#watcher.on('error', (error) => log('spool not watched', { error: String(error) }));
    await this.drain();
  }

  // Resolves when all that is there now has been dealt with.
  async drain(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    await Promise.all(this.#lines.values());
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#disposed) {
      this.#again = false;
      for (const left of await this.#left()) await this.#line(left);
    }
  }

  async #line({ name, at }: Left): Promise<void> {
    const key = `${name} ${at}`;
    if (this.#inHand.has(key)) return;
    this.#inHand.add(key);
    const origin = originOf(await this.#beginning(name));
    const before = this.#lines.get(origin) ?? Promise.resolve();
    const done = before
      .then(() => this.#one(name, origin))
      .finally(() => {
        this.#inHand.delete(key);
        if (this.#lines.get(origin) !== done) return;
        this.#lines.delete(origin);
        this.#early.delete(origin);
      });
    this.#lines.set(origin, done);
  }

  async #beginning(name: string): Promise<string> {
    const file = await fs.promises.open(path.join(this.deps.folder, name)).catch(() => undefined);
    const read = await file?.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0).catch(() => undefined);
    await file?.close();
    return read?.buffer.toString('utf8', 0, read.bytesRead) ?? '';
  }

  // In the order in which they were left, without what is still being written.
  async #left(): Promise<Left[]> {
    const entries = await fs.promises.readdir(this.deps.folder, { withFileTypes: true }).catch((error) => {
      // Nobody waits for a look that a change of the folder began.
      if (!this.#disposed) this.deps.log('spool not read', { error: String(error) });
      return [];
    });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    for (const name of this.#unread) if (!names.includes(name)) this.#unread.delete(name);
    const times = await Promise.all(names.map((name) => this.#written(name)));
    return times.flat().sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.name.localeCompare(b.name)));
  }

  // One that cannot be read keeps no other waiting.
  async #written(name: string): Promise<Left[]> {
    const file = path.join(this.deps.folder, name);
    try {
      const written = await howWritten(file);
      const { mtimeNs: at } = await fs.promises.stat(file, { bigint: true });
      this.#unread.delete(name);
      if (written === 'whole') return [{ name, at }];
      if (written === 'half') {
        await fs.promises.rm(file, { force: true });
        this.deps.log('spool entry removed: its hook did not write all of it', { name });
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      if (!this.#unread.has(name))
        this.deps.log('spool entry cannot be read', { name, error: String(error) });
      this.#unread.add(name);
      this.#keep();
    }
    return [];
  }

  async #one(name: string, origin: string): Promise<void> {
    if (this.#disposed || this.#early.has(origin)) return;
    const file = path.join(this.deps.folder, name);
    try {
      const [text, stat] = await Promise.all([fs.promises.readFile(file, 'utf8'), fs.promises.stat(file)]);
      const entry = parseEntry(text, stat.mtimeMs);
      const taken = entry ? await this.deps.take(entry) : 'unknown';
      if (taken === 'taken') await fs.promises.rm(file, { force: true });
      if (taken === 'unknown') await putAside(this.deps.folder, name);
      if (taken !== 'later') this.#againMs = AGAIN_MS;
      else {
        this.#early.add(origin);
        this.#keep();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.deps.log('spool entry not taken', { name, error: String(error) });
      this.#keep();
    }
  }

  #keep(): void {
    if (this.#disposed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.drain();
    }, this.#againMs).unref();
    this.#againMs = Math.min(this.#againMs * 2, MOST_AGAIN_MS);
  }
}
