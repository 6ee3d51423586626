// The ends of turns that its output shows when we begin to read it: those that were told before are not told again.
import fs from 'node:fs';
import path from 'node:path';
import type { Change } from './turns.js';

export type End = Extract<Change, { kind: 'ended' }>;

export class Replay {
  readonly #file: string;
  readonly #last: string | undefined;
  #ends: End[] = [];

  constructor(folder: string) {
    this.#file = path.join(folder, 'told');
    this.#last = readTold(this.#file);
  }

  add(end: End): void {
    if (end.turn !== null && end.turn === this.#last) this.#ends = [];
    else this.#ends.push(end);
  }

  // Those of turns with mail of ours. When it rests, whatever else it took is over as well; nobody can say with which of them.
  untold(isOurs: (turn: string) => boolean, isAtRest: boolean): End[] {
    const ours = this.#ends.filter(({ turn }) => turn !== null && isOurs(turn));
    const last = this.#ends.at(-1);
    return last && isAtRest ? [...ours, { ...last, turn: null, answer: null }] : ours;
  }

  // To be called when the next turn begins: by then what came of the last one's end is on disk.
  told(turn: string): void {
    try {
      fs.writeFileSync(`${this.#file}.new`, turn, { mode: 0o600 });
      fs.renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // Then a later daemon is told more again.
    }
  }
}

function readTold(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
