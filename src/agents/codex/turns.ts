// Codex's turns as its app server tells them, and what the agent said last in each.
import type { DoorEvent } from '../door.js';
import { answerIn, type Item, idsTaken, type Turn } from './protocol.js';

// As many as are ever caught up with.
const MOST_TOLD = 20;

const isOver = ({ status }: Turn): boolean => status !== 'inProgress';

export class Turns {
  #current: string | undefined;
  #answer: { turn: string; text: string } | undefined;
  // The newest turns whose end has been told, and how.
  readonly #told = new Map<string, DoorEvent>();

  constructor(readonly tell: (event: DoorEvent) => void) {}

  get current(): string | undefined {
    return this.#current;
  }

  started({ id }: Turn): void {
    if (id === this.#current) return;
    this.#current = id;
    this.tell({ kind: 'turn_started', turn: id });
  }

  said(turn: string, item: Item): void {
    if (item.type === 'agentMessage' && item.text !== undefined) this.#answer = { turn, text: item.text };
  }

  completed(turn: Turn, evidence = 'turn/completed'): void {
    if (this.#current === turn.id) this.#current = undefined;
    if (this.#told.has(turn.id)) return;
    const said = this.#answer?.turn === turn.id ? this.#answer.text : undefined;
    const ended: DoorEvent = {
      kind: 'turn_ended',
      turn: turn.id,
      how: turn.status === 'interrupted' ? 'interrupted' : 'completed',
      answer: said ?? answerIn(turn.items) ?? null,
      evidence: turn.status === 'failed' ? `${evidence}: failed` : evidence,
    };
    this.#told.set(turn.id, ended);
    const [oldest] = this.#told.keys();
    if (this.#told.size > MOST_TOLD && oldest !== undefined) this.#told.delete(oldest);
    this.tell(ended);
  }

  // What happened while nobody listened; the newest first.
  caughtUp(turns: readonly Turn[]): void {
    for (const turn of [...turns].reverse()) {
      for (const id of turn.items.flatMap(idsTaken))
        this.tell({ kind: 'received', id, turn: turn.id, evidence: 'thread/turns/list: userMessage' });
      // Its end may have come while this was asked for, before what it took was told.
      const ended = this.#told.get(turn.id);
      if (ended) this.tell(ended);
      else if (isOver(turn)) this.completed(turn, 'thread/turns/list');
      else this.started(turn);
    }
  }
}
