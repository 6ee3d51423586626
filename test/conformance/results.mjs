// What was measured, one line of JSON a trial: a run that was broken off goes on where it stopped.
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './packages.mjs';

// Through the box, and through the agent's door.
export const isOurs = ({ by }) => by === 'suremail' || by === 'door';
// The common recipes run nothing of ours: what they did to an agent holds whatever our code is.
const codeOf = (row) => (isOurs(row) ? row.code : 'any');
const keyOf = ({ agent, version, cell, run, ...row }) =>
  [codeOf(row), agent, version, cell, row.by, run].join(' ');

export class Results {
  #rows = new Map();
  #file = path.join(cacheFolder(), 'results.jsonl');

  constructor() {
    if (!fs.existsSync(this.#file)) return;
    for (const line of fs.readFileSync(this.#file, 'utf8').split('\n')) {
      const row = parse(line);
      if (row) this.#rows.set(keyOf(row), row);
    }
  }

  // A trial that could not be set up proves nothing and is played again.
  has(key) {
    const row = this.#rows.get(keyOf(key));
    return row !== undefined && row.outcome !== 'error';
  }

  add(row) {
    this.#rows.set(keyOf(row), row);
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    fs.appendFileSync(this.#file, JSON.stringify(row) + '\n');
  }

  forget(matches) {
    for (const [key, row] of this.#rows) if (matches(row)) this.#rows.delete(key);
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    fs.writeFileSync(this.#file, [...this.#rows.values()].map((row) => JSON.stringify(row) + '\n').join(''));
  }

  of(code) {
    return [...this.#rows.values()].filter((row) => [code, 'any'].includes(codeOf(row)));
  }
}

// The last line may have been cut off with the run.
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

// Everything that helps to understand a trial that failed.
export function keepEvidence(row, content) {
  const folder = path.join(cacheFolder(), 'evidence', row.code);
  fs.mkdirSync(folder, { recursive: true });
  const name = `${row.agent}-${row.by}-${row.cell.replaceAll('/', '-')}-${row.run}.txt`;
  fs.writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
}
