// Our side of the wake hook: a message is a file that the waiter takes away, hands over, and says so by its name.
import fs from 'node:fs';
import path from 'node:path';

// `put`: nobody has it. `taken`: the waiter has it and has not ended. `told`: handed to the agent.
export type Place = 'put' | 'taken' | 'told' | 'none';

const ENDINGS: Record<Exclude<Place, 'none'>, string> = { put: '.msg', taken: '.taken', told: '.told' };

export class Inbox {
  constructor(readonly folder: string) {}

  get letters(): string {
    return path.join(this.folder, 'inbox');
  }

  prepare(): void {
    fs.mkdirSync(this.letters, { recursive: true, mode: 0o700 });
  }

  // Its waiters may wait: this very process can be woken.
  allow(pid: number): void {
    fs.writeFileSync(path.join(this.folder, `wakes.${pid}`), '', { mode: 0o600 });
  }

  // The waiter of a conversation that runs now, for an agent that runs now: it may have outlived one that was killed.
  waiter(conversation: string): number | undefined {
    try {
      const lock = fs.readlinkSync(path.join(this.folder, `waiter.${conversation}`));
      const [pid = Number.NaN, agent = Number.NaN] = lock.split('.').map(Number);
      process.kill(agent, 0);
      process.kill(pid, 0);
      return pid;
    } catch {
      return undefined;
    }
  }

  // What an earlier attempt left of it tells nothing of this one.
  put(name: string, text: string): void {
    this.forget(name);
    const temporary = path.join(this.letters, `.${name}`);
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, this.#at(name, 'put'));
  }

  // False when nobody listens there.
  ring(conversation: string, name: string): boolean {
    try {
      const bell = path.join(this.folder, `bell.${conversation}`);
      const pipe = fs.openSync(bell, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
      try {
        fs.writeSync(pipe, `${name}\n`);
      } finally {
        fs.closeSync(pipe);
      }
      return true;
    } catch {
      return false;
    }
  }

  // Every waiter looks whether its agent still runs, and ends if not.
  ringAll(): void {
    try {
      for (const name of fs.readdirSync(this.folder))
        if (name.startsWith('bell.')) this.ring(name.slice('bell.'.length), '');
    } catch {
      // Its folder is gone.
    }
  }

  where(name: string): Place {
    const places = Object.keys(ENDINGS) as Exclude<Place, 'none'>[];
    return places.find((place) => fs.existsSync(this.#at(name, place))) ?? 'none';
  }

  // Since when it is there. A file that is renamed keeps the time at which it was written.
  since(name: string, place: Exclude<Place, 'none'>): number | undefined {
    const stat = fs.statSync(this.#at(name, place), { throwIfNoEntry: false });
    return stat && Math.max(stat.mtimeMs, stat.ctimeMs);
  }

  // Whoever renames it first has it: true when the waiter never will.
  takeBack(name: string, from: 'put' | 'taken' = 'put'): boolean {
    const back = path.join(this.letters, `${name}.back`);
    try {
      fs.renameSync(this.#at(name, from), back);
      fs.rmSync(back, { force: true });
      return true;
    } catch {
      return false;
    }
  }

  // Only once the agent's own record shows it, or it is certain that it never will.
  forget(name: string): void {
    for (const place of Object.keys(ENDINGS) as Exclude<Place, 'none'>[])
      fs.rmSync(this.#at(name, place), { force: true });
  }

  // Resolves as soon as the test holds, looked at whenever something changes here.
  async until<T>(test: () => T | undefined, ms: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const finish = (value: T | undefined): void => {
        for (const watcher of watchers) watcher.close();
        clearTimeout(timer);
        resolve(value);
      };
      const look = (): void => {
        const value = test();
        if (value !== undefined) finish(value);
      };
      const watchers = [this.folder, this.letters].map((folder) => fs.watch(folder, look));
      const timer = setTimeout(() => finish(undefined), ms);
      look();
    });
  }

  #at(name: string, place: Exclude<Place, 'none'>): string {
    return path.join(this.letters, `${name}${ENDINGS[place]}`);
  }
}
