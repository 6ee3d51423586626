// Calls the person: one sound where it can be heard, a note on the desktop for each, and never twice, whatever number of
// tabs is open.
import type { Session } from '../../../src/api/types.js';
import type { SignalRules } from '../sessions/need.js';
import { stateWords } from '../sessions/words.js';
import { type Call, callsOf } from './calls.js';
import type { Memory } from './memory.js';
import type { Note } from './note.js';

export interface CallerDeps {
  memory: Memory;
  sound: () => void;
  note: (note: Note) => void;
  // Whether it would be heard.
  canSound: () => boolean;
  // A moment, in which a tab that can be heard goes first.
  wait: () => Promise<void>;
  // No other tab does it at the same time, where the browser can see to that.
  alone: (run: () => void) => Promise<void>;
}

// More at once than this are one note: nobody reads ten.
const MOST_NOTES = 3;
export class Caller {
  constructor(readonly deps: CallerDeps) {}

  async look(sessions: readonly Session[], rules: Readonly<Record<string, SignalRules>>): Promise<void> {
    // Without the lock: most changes call nobody.
    if (this.#calls(sessions, rules).acknowledged.length === 0) return;
    if (!this.deps.canSound()) await this.deps.wait();
    await this.deps.alone(() => {
      const { loud, acknowledged } = this.#calls(sessions, rules);
      for (const { session, seq } of acknowledged) this.deps.memory.raise('ack', session, seq);
      if (loud.length > 0) this.#call(loud);
    });
  }

  #calls(sessions: readonly Session[], rules: Readonly<Record<string, SignalRules>>) {
    const { memory } = this.deps;
    return callsOf(sessions, rules, {
      acknowledged: (id) => memory.number('ack', id),
      isMuted: (id) => memory.isMuted(id),
    });
  }

  #call(loud: readonly Call[]): void {
    this.deps.sound();
    if (loud.length > MOST_NOTES) {
      const names = loud.map(({ name }) => name).join(', ');
      this.deps.note({ title: `${loud.length} agents need you`, body: names, tag: 'sm', session: null });
      return;
    }
    for (const { session, name, seq, state, message } of loud)
      this.deps.note({
        title: `${name}: ${stateWords(state)}`,
        body: message,
        tag: `sm:${session}:${seq}`,
        session,
      });
  }
}
