// Tells that a session's screen has changed, at most once a second for each, and only while somebody wants to know.
import type { FeedEvent } from '../api/types.js';
import type { Registry, Session } from '../sessions/index.js';
import { type Disposable, disposable, Emitter } from '../tmux/index.js';

export type ScreenEvent = Extract<FeedEvent, { type: 'screen' }>;

const PAUSE_MS = 1000;

interface Told {
  at: number;
  seq: number;
  timer?: NodeJS.Timeout | undefined;
}

export class Screens {
  readonly #emitter = new Emitter<ScreenEvent>();
  readonly #told = new Map<string, Told>();
  readonly #registry: Registry;
  #listening: Disposable | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  subscribe(listener: (event: ScreenEvent) => void): Disposable {
    this.#listening ??= this.#registry.onEvent((event) => {
      if (event.type === 'stirred') this.#stirred(event.session);
      else if (event.type === 'removed') this.#forget(event.session.id);
    });
    const subscription = this.#emitter.event(listener);
    return disposable(() => {
      subscription.dispose();
      if (this.#emitter.size > 0) return;
      this.#listening?.dispose();
      this.#listening = undefined;
      for (const id of [...this.#told.keys()]) this.#forget(id);
    });
  }

  #stirred(session: Session): void {
    const told = this.#told.get(session.id) ?? { at: 0, seq: -1 };
    this.#told.set(session.id, told);
    if (told.timer) return;
    const waitMs = told.at + PAUSE_MS - Date.now();
    if (waitMs <= 0) this.#tell(session, told);
    else told.timer = setTimeout(() => this.#tell(session, told), waitMs);
  }

  #tell(session: Session, told: Told): void {
    told.timer = undefined;
    const seq = session.tracker?.changes;
    // Much stirs that changes nothing there.
    if (seq === undefined || seq === told.seq) return;
    told.seq = seq;
    told.at = Date.now();
    this.#emitter.fire({ type: 'screen', session: session.id, seq });
  }

  #forget(id: string): void {
    clearTimeout(this.#told.get(id)?.timer);
    this.#told.delete(id);
  }
}
