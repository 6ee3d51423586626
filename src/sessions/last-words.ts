// A process has ended that was listened to until then: with it ended what it did, told once all that its hooks left is heard.
import type { DoorEvent } from '../agents/index.js';
import { readProcess } from './process.js';
import type { Session } from './session.js';

export interface LastWordsDeps {
  // Resolves when all that hooks have left is heard.
  hooksRead: () => Promise<void>;
  // Resolves when what follows from it is on disk.
  tell: (session: Session, epoch: number, event: DoorEvent) => Promise<void>;
}

const ENDED: DoorEvent = {
  kind: 'turn_ended',
  turn: null,
  how: 'interrupted',
  answer: null,
  evidence: 'its process has ended',
};

export class LastWords {
  readonly #awaited = new Set<string>();

  constructor(readonly deps: LastWordsDeps) {}

  // What it said before its end may still become known.
  areAwaited({ id }: Session, epoch: number): boolean {
    return this.#awaited.has(`${id} ${epoch}`);
  }

  async hear(session: Session, epoch: number): Promise<void> {
    const key = `${session.id} ${epoch}`;
    this.#awaited.add(key);
    try {
      await this.deps.hooksRead();
      if (!(await outlivesPane(session, epoch))) await this.deps.tell(session, epoch, ENDED);
    } finally {
      this.#awaited.delete(key);
    }
  }
}

// Some go on for a while when their pane is closed.
async function outlivesPane({ row, program }: Session, epoch: number): Promise<boolean> {
  if (row.epoch !== epoch || !program) return false;
  return (await readProcess(program.pid))?.started === program.started;
}
