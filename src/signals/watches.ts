// A watch for each session that has a tracker, also when its pane is found again or moves.
import type { Config } from '../mail/index.js';
import { isFar, type Registry, type Session } from '../sessions/index.js';
import { dropSignalMarks, type MessageRow, Messages, SignalMarkTable, type Store } from '../store/index.js';
import type { Disposable } from '../tmux/index.js';
import type { SignalDesk } from './desk.js';
import { isInMail, isLineOfMail } from './in-mail.js';
import type { NearMisses } from './near-misses.js';
import { whyNoMarker } from './no-marker.js';
import { statesOf } from './states.js';
import { Watch } from './watch.js';

export interface WatchesDeps {
  store: Store;
  registry: Pick<Registry, 'get' | 'list' | 'onEvent'>;
  desk: Pick<SignalDesk, 'report'>;
  misses: Pick<NearMisses, 'record'>;
  // When the daemon before this one was last known to watch.
  listenedUntil: number;
  config: Pick<Config, 'signalStates'>;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

// So much mail is looked through for a marker that an agent shows.
const LETTERS = 50;

export class Watches implements Disposable {
  readonly #watches = new Map<string, Watch>();
  // Since when nobody watches a session that was watched.
  readonly #leftAt = new Map<string, number>();
  // Sessions of which something is still on its way to the disk that was seen before they were left.
  readonly #settling = new Set<string>();
  #isOver = false;
  readonly #table: SignalMarkTable;
  readonly #messages: Messages;
  #listening: Disposable | undefined;

  constructor(readonly deps: WatchesDeps) {
    this.#table = new SignalMarkTable(deps.store);
    this.#messages = new Messages(deps.store);
  }

  start(): void {
    this.#listening = this.deps.registry.onEvent(({ type, session }) => {
      if (type === 'removed') this.#forget(session);
      else this.#follow(session);
    });
    for (const session of this.deps.registry.list()) this.#follow(session);
  }

  dispose(): void {
    this.#isOver = true;
    this.#listening?.dispose();
    for (const watch of this.#watches.values()) watch.dispose();
  }

  #follow(session: Session): void {
    const { id, tracker } = session;
    const before = this.#watches.get(id);
    if (before?.tracker === tracker) return;
    if (before) this.#leave(session, before);
    if (tracker && !this.#settling.has(id))
      this.#watches.set(id, new Watch(session, tracker, this.#depsOf(session)));
  }

  // The next one counts on from what is on disk: it begins once nothing of this one is on its way there.
  #leave(session: Session, watch: Watch): void {
    const { id } = session;
    this.#leftAt.set(id, this.deps.clock());
    this.#watches.delete(id);
    watch.dispose();
    if (watch.isSettled) return;
    this.#settling.add(id);
    void watch.settled().then(() => {
      this.#settling.delete(id);
      if (!this.#isOver && this.deps.registry.get(id) === session) this.#follow(session);
    });
  }

  // Resolves once what was seen so far is on disk.
  async settled(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.settled()));
  }

  #depsOf(session: Session): Watch['deps'] {
    const { store, desk, misses, config, clock, log } = this.deps;
    // Fetched once for all that a look, or a piece of the stream, shows.
    let fetched: MessageRow[] | undefined;
    const letters = (): MessageRow[] => {
      if (!fetched) queueMicrotask(() => (fetched = undefined));
      fetched ??= this.#messages.lately(session.id, LETTERS);
      return fetched;
    };
    return {
      table: this.#table,
      watchedUntil: this.#watchedUntil(session),
      isState: (word) => Object.hasOwn(statesOf(config), word),
      isMail: (sight) => isInMail(letters(), sight),
      prompt: () => session.composer.look?.left ?? '',
      clock,
      write: (steps) => store.write(steps),
      report: (report, beside) => desk.report(report, beside),
      missed: (text) => {
        if (isLineOfMail(letters(), text)) return;
        const reason = whyNoMarker(text, Object.keys(statesOf(config)));
        misses.record({ session: session.id, door: 'marker', text, reason });
      },
      log,
    };
  }

  // A session on another host may have been out of reach all the time that a daemon listened.
  #watchedUntil({ id, row }: Session): number {
    return this.#leftAt.get(id) ?? (isFar(row.socket) ? 0 : this.deps.listenedUntil);
  }

  #forget({ id }: Session): void {
    this.#leftAt.delete(id);
    this.#watches.get(id)?.dispose();
    this.#watches.delete(id);
    this.deps.store
      .write(dropSignalMarks(id))
      .catch((error: unknown) =>
        this.deps.log('markers not forgotten', { session: id, error: String(error) }),
      );
  }
}
