// The agent's side of a door, inside an extension of ours: takes messages from files, and says in a file what became of them.
// Whoever renames a message first has it. What is said is kept, so that nothing is lost while the daemon is down.
import fs from 'node:fs';
import path from 'node:path';

const MARK = /via sm send\] #([0-9a-f]{12})(?![0-9a-f])/g;

export const idsIn = (text) => [...new Set([...text.matchAll(MARK)].map(([, id]) => id))];

export class Mailbox {
  #said;
  #inbox;
  #watcher;

  // `place`: of one process of the agent, whose successor in the same pane must not find its mail.
  constructor(place) {
    this.#inbox = path.join(place, 'inbox');
    this.#said = path.join(place, 'said.jsonl');
    fs.mkdirSync(this.#inbox, { recursive: true, mode: 0o700 });
  }

  say(entry) {
    try {
      fs.appendFileSync(this.#said, `${JSON.stringify({ at: Date.now(), ...entry })}\n`, { mode: 0o600 });
    } catch {
      // The session was forgotten, and its folder with it: nobody listens.
    }
  }

  // `records`: the agent's own file of its conversation.
  hello(records) {
    this.say({ kind: 'hello', pid: process.pid, ...(records && { records }) });
  }

  // The files that were named so far, also by an earlier load of the extension.
  records() {
    let lines = [];
    try {
      lines = fs.readFileSync(this.#said, 'utf8').split('\n');
    } catch {
      // Nothing was said yet.
    }
    const named = lines.flatMap((line) => {
      try {
        return line.includes('"hello"') ? [JSON.parse(line).records] : [];
      } catch {
        return [];
      }
    });
    return [...new Set(named.filter((file) => typeof file === 'string'))];
  }

  // `onChange` is called whenever something was put here.
  open(onChange) {
    this.close();
    this.#watcher = fs.watch(this.#inbox, () => onChange());
    this.#watcher.on('error', () => this.close());
    this.#watcher.unref?.();
  }

  close() {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  // The next message, which from now on nobody else can take.
  claim() {
    for (const name of this.#list('.msg')) {
      const taken = path.join(this.#inbox, `${name}.taken`);
      try {
        fs.renameSync(path.join(this.#inbox, `${name}.msg`), taken);
        return JSON.parse(fs.readFileSync(taken, 'utf8'));
      } catch {
        // Taken back at this moment.
      }
    }
    return undefined;
  }

  // What the agent has and has not shown yet.
  held() {
    return this.#list('.taken').flatMap((name) => {
      try {
        return [JSON.parse(fs.readFileSync(path.join(this.#inbox, `${name}.taken`), 'utf8'))];
      } catch {
        return [];
      }
    });
  }

  // Said first: between the two it counts as taken.
  settle(id, entry) {
    this.say({ ...entry, id });
    fs.rmSync(path.join(this.#inbox, `${id}.taken`), { force: true });
  }

  // Requests to stop the running turn, each by its name.
  stops() {
    const names = this.#list('.stop');
    for (const name of names) fs.rmSync(path.join(this.#inbox, `${name}.stop`), { force: true });
    return names;
  }

  // Oldest first.
  #list(ending) {
    let names;
    try {
      names = fs.readdirSync(this.#inbox).filter((name) => name.endsWith(ending) && !name.startsWith('.'));
    } catch {
      return [];
    }
    const age = (name) => fs.statSync(path.join(this.#inbox, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return names
      .map((name) => [age(name), name.slice(0, -ending.length)])
      .sort((a, b) => a[0] - b[0])
      .map(([, name]) => name);
  }
}
