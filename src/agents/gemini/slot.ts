// The one message that waits for the end of Gemini's turn: a file that the hook takes away when it hands it over.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { idsIn } from '../mark.js';

const Said = z.object({ reason: z.string() });

// `waits`: the hook has not come for it. `handed`: the hook has printed it for Gemini at that time, by the clock that dates hooks.
export type Slot =
  | { at: 'empty' }
  | { at: 'waits'; id: string }
  | { at: 'handed'; id: string; since: number };

export class TurnEndSlot {
  constructor(readonly folder: string) {}

  get(): Slot {
    const waiting = this.#idIn('say');
    if (waiting !== undefined) return { at: 'waits', id: waiting };
    const handed = this.#idIn('said');
    return handed === undefined
      ? { at: 'empty' }
      : { at: 'handed', id: handed, since: this.#movedAt('said') };
  }

  // Only the hook of that conversation takes it: one inside a tool has the same pane.
  put(text: string, conversation: string): void {
    fs.writeFileSync(this.#file('to'), `${conversation}\n`, { mode: 0o600 });
    const temporary = this.#file('new');
    fs.writeFileSync(temporary, JSON.stringify({ decision: 'deny', reason: text }), { mode: 0o600 });
    fs.renameSync(temporary, this.#file('say'));
  }

  // True when the hook never will have it.
  takeBack(): boolean {
    try {
      fs.renameSync(this.#file('say'), this.#file('back'));
    } catch {
      return false;
    }
    fs.rmSync(this.#file('back'), { force: true });
    return true;
  }

  // What was handed over is settled.
  clear(): void {
    fs.rmSync(this.#file('said'), { force: true });
  }

  #file(ending: string): string {
    return path.join(this.folder, `AfterAgent.${ending}`);
  }

  // A move leaves the time of the text as it was.
  #movedAt(ending: string): number {
    return fs.statSync(this.#file(ending), { throwIfNoEntry: false })?.ctimeMs ?? 0;
  }

  #idIn(ending: string): string | undefined {
    try {
      return idsIn(Said.parse(JSON.parse(fs.readFileSync(this.#file(ending), 'utf8'))).reason)[0];
    } catch {
      return undefined;
    }
  }
}
