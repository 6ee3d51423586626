// What hooks leave on disk while nobody listens: taken in by file events, in order, and deleted only once it is dealt with.
import fs from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../tmux/index.js';
import { type HookEntry, parseEntry } from './entry.js';

// `unknown`: nobody here knows whose it is, or what it means. `later`: not yet.
export type Taken = 'taken' | 'unknown' | 'later';

export interface SpoolDeps {
  folder: string;
  // Resolves once what it means is on disk; rejects where it could not be written.
  take: (entry: HookEntry) => Promise<Taken>;
  log: (message: string, details: Record<string, unknown>) => void;
}

// Entries that nobody knew, kept for whoever looks for the cause; the oldest go first.
const MOST_ASIDE = 500;
// What could not be dealt with is tried again after that time, then after twice that, or with the next one that comes.
const AGAIN_MS = 500;
const MOST_AGAIN_MS = 60_000;

export class Spool implements Disposable {
  #watcher: fs.FSWatcher | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #disposed = false;
  #timer: NodeJS.Timeout | undefined;
  #againMs = AGAIN_MS;

  constructor(readonly deps: SpoolDeps) {}

  // What came while nobody listened comes first.
  async start(): Promise<void> {
    const { folder, log } = this.deps;
    fs.mkdirSync(this.#aside, { recursive: true, mode: 0o700 });
    this.#watcher = fs.watch(folder, () => void this.drain());
    this.#watcher.on('error', (error) => log('spool not watched', { error: String(error) }));
    await this.drain();
  }

  // Resolves when all that is there now has been dealt with.
  drain(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
    clearTimeout(this.#timer);
  }

  get #aside(): string {
    return path.join(this.deps.folder, 'aside');
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#disposed) {
      this.#again = false;
      for (const name of await this.#names()) if (!this.#disposed) await this.#one(name);
    }
  }

  // In the order in which they were left. Names that begin with a dot are still being written.
  async #names(): Promise<string[]> {
    const { folder } = this.deps;
    const entries = await fs.promises.readdir(folder, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    const times = await Promise.all(
      files.map(async ({ name }) => {
        const stat = await fs.promises.stat(path.join(folder, name), { bigint: true }).catch(() => undefined);
        return { name, at: stat?.mtimeNs ?? 0n };
      }),
    );
    return times
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.name.localeCompare(b.name)))
      .map(({ name }) => name);
  }

  async #one(name: string): Promise<void> {
    const file = path.join(this.deps.folder, name);
    try {
      const [text, stat] = await Promise.all([fs.promises.readFile(file, 'utf8'), fs.promises.stat(file)]);
      const entry = parseEntry(text, stat.mtimeMs);
      const taken = entry ? await this.deps.take(entry) : 'unknown';
      if (taken === 'taken') await fs.promises.rm(file, { force: true });
      if (taken === 'unknown') await this.#putAside(name);
      if (taken === 'later') this.#keep();
      else this.#againMs = AGAIN_MS;
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

  async #putAside(name: string): Promise<void> {
    const { folder } = this.deps;
    await fs.promises.rename(path.join(folder, name), path.join(this.#aside, `${Date.now()}-${name}`));
    const kept = (await fs.promises.readdir(this.#aside)).sort();
    for (const old of kept.slice(0, Math.max(0, kept.length - MOST_ASIDE)))
      await fs.promises.rm(path.join(this.#aside, old), { force: true });
  }
}
