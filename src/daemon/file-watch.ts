// Tells when a file may have changed: also one that is not there yet, that an editor replaces, or that stands behind a link.
import fs from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../tmux/index.js';

export interface FileWatchDeps {
  changed: () => void;
  failed: (error: Error) => void;
}

// Editors empty a file before they fill it: what is read in between would be half of it.
const QUIET_MS = 100;

interface Watched {
  watcher: fs.FSWatcher;
  // Another folder may come to stand at the same path.
  inode: number;
  name: string;
}

export class FileWatch implements Disposable {
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly file: string,
    readonly deps: FileWatchDeps,
  ) {
    this.#aim();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  // Watches the folder of the file, or the nearest above it that is there; and where a link leads to.
  #aim(): void {
    const wanted = new Map([nearest(this.file), ...behindLink(this.file)]);
    for (const [folder, { watcher, inode, name }] of this.#watched) {
      if (inodeOf(folder) === inode && wanted.get(folder) === name) continue;
      watcher.close();
      this.#watched.delete(folder);
    }
    for (const [folder, name] of wanted) if (!this.#watched.has(folder)) this.#watch(folder, name);
  }

  #watch(folder: string, name: string): void {
    try {
      const watcher = fs.watch(folder, { persistent: false }, (_, about) => {
        // A folder that goes away tells its own name.
        if (about === null || about === name || about === path.basename(folder)) this.#stir();
      });
      watcher.on('error', this.deps.failed);
      this.#watched.set(folder, { watcher, inode: inodeOf(folder) ?? 0, name });
    } catch (error) {
      this.deps.failed(error as Error);
    }
  }

  #stir(): void {
    this.#aim();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.deps.changed(), QUIET_MS).unref();
  }
}

// The folder, and the name in it that leads towards the file.
function nearest(file: string): [folder: string, name: string] {
  const folder = path.dirname(file);
  const isThere = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  return isThere || folder === file ? [folder, path.basename(file)] : nearest(folder);
}

function behindLink(file: string): [folder: string, name: string][] {
  try {
    const real = fs.realpathSync(file);
    return real === file ? [] : [[path.dirname(real), path.basename(real)]];
  } catch {
    return [];
  }
}

const inodeOf = (folder: string): number | undefined => fs.statSync(folder, { throwIfNoEntry: false })?.ino;
