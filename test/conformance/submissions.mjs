// What an agent really took, in the order it came: from the requests at its model, or the lines of a line editor.
import fs from 'node:fs';
import { lettersIn } from './letters-in.mjs';

// Agents send the whole conversation with every request, and some drop what was cancelled: so a text counts as often as it
// ever stood in one request.
export class ModelSubmissions {
  #before = new Map();

  constructor(model, isTurn) {
    this.model = model;
    this.isTurn = isTurn;
  }

  #counts() {
    const most = new Map();
    for (const request of this.model.requests.filter(this.isTurn)) {
      const here = new Map();
      for (const text of request.users.flatMap(lettersIn)) here.set(text, (here.get(text) ?? 0) + 1);
      for (const [text, count] of here) most.set(text, Math.max(count, most.get(text) ?? 0));
    }
    return most;
  }

  // From here on `fresh` counts anew.
  mark() {
    this.#before = this.#counts();
  }

  fresh() {
    return [...this.#counts()].flatMap(([text, count]) =>
      Array(Math.max(0, count - (this.#before.get(text) ?? 0))).fill(text),
    );
  }

  // When a text that holds `mark` first came, in milliseconds since the epoch.
  arrival(mark) {
    return this.model.requests.find(
      (request) => this.isTurn(request) && request.users.some((text) => text.includes(mark)),
    )?.t;
  }

  // The request of a prompt of the person's own that holds `mark`.
  request(mark) {
    return this.model.requests.findLast(
      (request) => this.isTurn(request) && request.users.at(-1)?.includes(mark),
    );
  }

  get quiet() {
    return this.model.quiet;
  }
}

export class LineSubmissions {
  #before = 0;
  #seen = new Map();

  constructor(file) {
    this.file = file;
    fs.writeFileSync(file, '');
  }

  all() {
    const lines = fs.readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  mark() {
    this.#before = this.all().length;
  }

  fresh() {
    return this.all().slice(this.#before);
  }

  // Lines carry no time of their own: that of the first look that finds them.
  arrival(mark) {
    if (!this.#seen.has(mark) && this.all().some((line) => line.includes(mark)))
      this.#seen.set(mark, Date.now());
    return this.#seen.get(mark);
  }

  request() {
    return undefined;
  }

  quiet = true;
}
