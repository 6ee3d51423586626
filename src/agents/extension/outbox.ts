// Our side of an extension's folder: a message is a file that whoever renames it first has.
import fs from 'node:fs';
import path from 'node:path';
import type { Mode } from '../../store/index.js';

// `put`: nobody has it. `taken`: the agent's side has it and has not settled it.
export type Place = 'put' | 'taken' | 'none';

export interface PutLetter {
  id: string;
  text: string;
  mode: Mode;
}

export class Outbox {
  // Of one process of the agent: the next one must not find the mail of the last.
  constructor(readonly place: string) {}

  put(letter: PutLetter): void {
    this.#write(`${letter.id}.msg`, JSON.stringify(letter));
  }

  askToStop(name: string): void {
    this.#write(`${name}.stop`, '');
  }

  where(id: string): Place {
    if (fs.existsSync(this.#at(`${id}.msg`))) return 'put';
    return fs.existsSync(this.#at(`${id}.taken`)) ? 'taken' : 'none';
  }

  // True when the agent's side never will have it.
  takeBack(id: string): boolean {
    const back = this.#at(`.${id}.back`);
    try {
      fs.renameSync(this.#at(`${id}.msg`), back);
      fs.rmSync(back, { force: true });
      return true;
    } catch {
      return false;
    }
  }

  #write(name: string, text: string): void {
    const temporary = this.#at(`.${name}`);
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, this.#at(name));
  }

  #at(name: string): string {
    return path.join(this.place, 'inbox', name);
  }
}
