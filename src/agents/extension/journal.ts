// What the extension has said since the agent started: read once from the beginning, then whenever it says more.
import fs from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../tmux/index.js';
import { LineTail } from '../line-tail.js';
import { isOfLetter, parseSaid, SAID_FILE, type Said, type SaidOfLetter } from './said.js';

// `told`: an earlier daemon has passed it on already.
export type Hears = (said: Said, isTold: boolean) => void;

export class Journal implements Disposable {
  readonly #tail: LineTail;
  readonly #words = new Map<string, SaidOfLetter>();
  readonly #told: number;
  #mark = 0;
  #watcher: fs.FSWatcher | undefined;
  // Read, and not told yet.
  readonly #unheard: { said: Said; end: number }[] = [];
  #isTelling = false;

  constructor(
    readonly place: string,
    readonly hears: Hears,
  ) {
    this.#tail = new LineTail(path.join(place, SAID_FILE));
    this.#told = readOffset(this.#offsetFile);
  }

  // True once the folder is there to be watched.
  watch(): boolean {
    if (this.#watcher) return true;
    try {
      this.#watcher = fs.watch(this.place, (_event, name) => {
        if (name === null || name === SAID_FILE) this.read();
      });
      this.#watcher.on('error', () => this.dispose());
    } catch {
      return false;
    }
    return true;
  }

  // Whoever is told of a line may ask at once for where a message is: by then all that was said is known.
  read(): void {
    for (const { line, end } of this.#tail.read()) {
      const said = parseSaid(line);
      if (!said) continue;
      this.#note(said);
      this.#unheard.push({ said, end });
    }
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let next = this.#unheard.shift(); next; next = this.#unheard.shift())
        this.#tell(next.said, next.end);
    } finally {
      this.#isTelling = false;
    }
  }

  wordOn(id: string): SaidOfLetter | undefined {
    return this.#words.get(id);
  }

  dispose(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  // That it was received is final, whatever a second attempt is said to have met.
  #note(said: Said): void {
    if (isOfLetter(said) && this.#words.get(said.id)?.kind !== 'received') this.#words.set(said.id, said);
  }

  #tell(said: Said, end: number): void {
    this.hears(said, end <= this.#told);
    if (said.kind !== 'turn_ended') return;
    // One turn behind: by now what the last one told is on disk.
    if (this.#mark > this.#told) this.#remember(this.#mark);
    this.#mark = end;
  }

  get #offsetFile(): string {
    return path.join(this.place, 'told');
  }

  #remember(offset: number): void {
    const temporary = `${this.#offsetFile}.new`;
    try {
      fs.writeFileSync(temporary, String(offset), { mode: 0o600 });
      fs.renameSync(temporary, this.#offsetFile);
    } catch {
      // Then a later daemon is told more again, which changes nothing.
    }
  }
}

function readOffset(file: string): number {
  try {
    return Number(fs.readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}
