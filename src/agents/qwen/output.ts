// What one process of Qwen Code writes, and no other: each line once. It writes over what stands in its output file, from the
// first byte on; so the file is renamed once a process has begun to write, and the next one makes a new file.
import fs from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../tmux/index.js';
import { isAlive } from '../alive.js';
import type { Files } from './files.js';
import { Tail } from './tail.js';

export interface OutputListener {
  line(line: string): void;
  // Another process writes by the same command line, and the one before has taken nothing yet.
  mayFollow(): boolean;
  // Another one writes, and what the one before had taken is lost with it.
  onReplaced(): void;
  onFailed(error: unknown): void;
}

export class Output implements Disposable {
  // Where it stands once it has begun.
  readonly file: string;
  #watcher: fs.FSWatcher | undefined;
  #tail: Tail | undefined;

  constructor(
    readonly files: Files,
    readonly pid: number,
    readonly listener: OutputListener,
  ) {
    this.file = `${files.output}.${pid}`;
  }

  // Tells all that it has written so far, and from then on what it adds.
  async begin(): Promise<void> {
    const name = path.basename(this.files.output);
    this.#watcher = fs.watch(path.dirname(this.files.output), (_, changed) => {
      if (changed === null || changed === name) this.#follow().catch(this.listener.onFailed);
    });
    this.#watcher.on('error', () => {});
    await this.#follow();
  }

  read(): void {
    this.#tail?.read();
  }

  dispose(): void {
    this.#watcher?.close();
    this.#tail?.dispose();
  }

  async #follow(): Promise<void> {
    const isKnown = fs.existsSync(this.file);
    // What the next one in the same pane writes is for the door of that one.
    if (isWritten(this.files.output) && isAlive(this.pid)) {
      if (isKnown && !this.listener.mayFollow()) {
        this.dispose();
        this.listener.onReplaced();
        return;
      }
      // What stands there was for the one before: this one has passed over it, and sees that it is gone.
      fs.truncateSync(this.files.input);
      fs.renameSync(this.files.output, this.file);
    } else if (!isKnown || this.#tail) return;
    this.#tail?.dispose();
    this.#tail = new Tail(this.file, (line) => this.listener.line(line));
    await this.#tail.catchUp();
  }
}

const isWritten = (file: string): boolean => (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
