// What a later daemon must know of a Claude Code that runs, as facts that are kept with its session.
import type { DoorContext } from '../door.js';
import type { Running } from './turns.js';

export interface Known {
  conversation: string;
  transcript: string | undefined;
  // Where our side of the wake hook is.
  folder: string;
  running: Running;
}

// No turn runs, or one whose id its version does not tell.
const NO_TURN = '-';
const UNNAMED_TURN = '?';

export const factsOf = ({ conversation, transcript, folder, running }: Known): Record<string, string> => ({
  conversation,
  folder,
  ...(transcript === undefined ? {} : { transcript }),
  ...(running.kind === 'none' ? { turn: NO_TURN } : {}),
  ...(running.kind === 'turn' ? { turn: running.id ?? UNNAMED_TURN } : {}),
});

export function runningOf({ turn }: Readonly<Record<string, string>>): Running {
  if (turn === undefined) return { kind: 'unknown' };
  if (turn === NO_TURN) return { kind: 'none' };
  return { kind: 'turn', id: turn === UNNAMED_TURN ? null : turn };
}

// Kept whenever they have changed; a turn that runs is one of them, for what is said in it.
export class Memory {
  #saved = '';

  constructor(readonly context: Pick<DoorContext, 'saveFacts' | 'log'>) {}

  keep(known: Known): void {
    const facts = factsOf(known);
    const text = JSON.stringify(facts);
    if (text === this.#saved) return;
    this.#saved = text;
    void this.context.saveFacts(facts).catch((error: unknown) => {
      this.#saved = '';
      this.context.log('door facts not saved', { error: String(error) });
    });
  }
}
