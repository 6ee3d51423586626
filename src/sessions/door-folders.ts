// A folder for each session where its agent's side of a door and ours meet, found by hooks through the pane that they run in.
import fs from 'node:fs';
import path from 'node:path';
import type { Session } from './session.js';

export class DoorFolders {
  // $SM_HOME/doors
  constructor(readonly root: string) {
    fs.mkdirSync(this.#links, { recursive: true, mode: 0o700 });
    this.#sweep();
  }

  make(id: string): string {
    const folder = path.join(this.root, id);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  remove(id: string): void {
    fs.rmSync(path.join(this.root, id), { recursive: true, force: true });
    this.#sweep();
  }

  get #links(): string {
    return path.join(this.root, 'at');
  }

  // Links to folders that are gone.
  #sweep(): void {
    for (const name of fs.readdirSync(this.#links)) {
      const link = path.join(this.#links, name);
      if (!fs.existsSync(link)) fs.rmSync(link, { force: true });
    }
  }

  // Hooks know the tmux server and the pane that they run in, and nothing else of us.
  link({ id, row }: Session): string {
    const folder = this.make(id);
    const [server] = row.server.split(':');
    const link = path.join(this.#links, `${server}-${row.pane.slice(1)}`);
    const temporary = `${link}.${process.pid}`;
    fs.rmSync(temporary, { force: true });
    fs.symlinkSync(path.join('..', id), temporary);
    fs.renameSync(temporary, link);
    return folder;
  }

  // A program that we start is at first whatever its launcher is: its version is read before.
  rememberVersion(id: string, version: string | null): void {
    if (version !== null) fs.writeFileSync(this.#versionFile(id), version, { mode: 0o600 });
  }

  recallVersion(id: string): string | undefined {
    try {
      return fs.readFileSync(this.#versionFile(id), 'utf8');
    } catch {
      return undefined;
    }
  }

  #versionFile(id: string): string {
    return path.join(this.root, id, 'version');
  }
}
