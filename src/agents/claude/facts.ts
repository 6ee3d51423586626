// What a later daemon must know of a Claude Code that runs, as facts that are kept with its session.
import type { DoorContext } from '../door.js';
import type { Answer, Running } from './turns.js';

export interface Known {
  conversation: string;
  transcript: { file: string; offset: number } | undefined;
  // Where our side of the wake hook is.
  folder: string;
  running: Running;
  // What the Stop hook of that turn said, as long as the turn may still go on.
  answer: Answer | undefined;
}

// A turn whose id its version does not tell.
const UNNAMED_TURN = '?';

// `offset`: up to where its transcript was read. `shown`: the transcript has shown the turn that runs.
export const factsOf = ({
  conversation,
  transcript,
  folder,
  running,
  answer,
}: Known): Record<string, string> => ({
  conversation,
  folder,
  ...(transcript && { transcript: transcript.file, offset: String(transcript.offset) }),
  ...(running.kind === 'turn' && { turn: running.id ?? UNNAMED_TURN, shown: String(running.isShown) }),
  ...(answer && { stopped: JSON.stringify(answer.text) }),
});

export function runningOf({ turn, shown }: Readonly<Record<string, string>>): Running {
  if (turn === undefined) return { kind: 'none' };
  return { kind: 'turn', id: turn === UNNAMED_TURN ? null : turn, isShown: shown === 'true' };
}

export const answerOf = ({ stopped }: Readonly<Record<string, string>>): Answer | undefined =>
  stopped === undefined ? undefined : { text: JSON.parse(stopped) as string | null };

export const offsetOf = ({ offset }: Readonly<Record<string, string>>): number | undefined =>
  offset === undefined ? undefined : Number(offset);

// Kept whenever they have changed; a turn that runs is one of them, for what is said in it. How far the transcript was read
// alone is not worth it: what is read once more tells nothing new.
export class Memory {
  #saved = '';

  constructor(readonly context: Pick<DoorContext, 'saveFacts' | 'log'>) {}

  keep(known: Known): void {
    const facts = factsOf(known);
    const text = JSON.stringify({ ...facts, offset: '' });
    if (text === this.#saved) return;
    this.#saved = text;
    // That a turn is over is known only once what it took is known to be done.
    void this.context.saveFacts(facts, 'told').catch((error: unknown) => {
      this.#saved = '';
      this.context.log('door facts not saved', { error: String(error) });
    });
  }
}
