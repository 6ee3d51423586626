// What was handed to OpenCode under which name, on disk before it is handed over: a later attempt uses the same name.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { namesOf } from './ids.js';

const Note = z.object({
  conversation: z.string(),
  message: z.string(),
  part: z.string(),
  // When it was handed over last.
  at: z.number(),
});
export type Note = z.infer<typeof Note>;

// Nobody asks for an attempt that old any more.
const KEPT_MS = 30 * 24 * 3600 * 1000;

export class Sent {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = path.join(folder, 'sent');
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#prune();
  }

  read(id: string): Note | undefined {
    try {
      return Note.safeParse(JSON.parse(fs.readFileSync(this.#file(id), 'utf8'))).data;
    } catch {
      return undefined;
    }
  }

  // Another conversation gets another name: names are unique among all of them.
  write(id: string, conversation: string, now: number): Note {
    const known = this.read(id);
    const note: Note =
      known?.conversation === conversation
        ? { ...known, at: now }
        : { conversation, ...namesOf(id, now), at: now };
    const temporary = `${this.#file(id)}.new`;
    fs.writeFileSync(temporary, JSON.stringify(note), { mode: 0o600 });
    fs.renameSync(temporary, this.#file(id));
    return note;
  }

  // Those that were ever given something.
  conversations(): Set<string> {
    const notes = fs.readdirSync(this.#folder).map((id) => this.read(id));
    return new Set(notes.flatMap((note) => (note ? [note.conversation] : [])));
  }

  forget(id: string): void {
    fs.rmSync(this.#file(id), { force: true });
  }

  #prune(): void {
    for (const name of fs.readdirSync(this.#folder)) {
      const file = path.join(this.#folder, name);
      const { mtimeMs } = fs.statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > KEPT_MS) fs.rmSync(file, { force: true });
    }
  }

  #file(id: string): string {
    return path.join(this.#folder, id);
  }
}
