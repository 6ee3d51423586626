// Everything that hears an agent's signals, as one: what hooks tell, what was left on disk, files, and what panes show.
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Config, PostOffice } from '../mail/index.js';
import type { Doors, Registry, Session } from '../sessions/index.js';
import {
  AgentSignals,
  isLeftSignal,
  LeftSignals,
  Listening,
  NearMisses,
  type SignalDesk,
  SignalFiles,
  Watches,
} from '../signals/index.js';
import type { HookEntry, Taken } from '../spool/index.js';
import type { Store } from '../store/index.js';
import type { Disposable } from '../tmux/index.js';

const SETTLED_MS = 8000;

export interface SignalSideDeps {
  home: string;
  store: Store;
  registry: Registry;
  doors: Doors;
  office: PostOffice;
  desk: SignalDesk;
  config: Config;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export class SignalSide implements Disposable {
  readonly misses: NearMisses;
  readonly #files: SignalFiles;
  readonly #agents: AgentSignals;
  readonly #left: LeftSignals;
  readonly #watches: Watches;
  readonly #hearing: Listening;

  constructor(readonly deps: SignalSideDeps) {
    const { home, clock, log } = deps;
    this.misses = new NearMisses({ clock, log });
    this.#hearing = new Listening(deps);
    const heard = { ...deps, misses: this.misses, listenedUntil: this.#hearing.until };
    this.#files = new SignalFiles({ ...heard, folder: path.join(home, 'signals') });
    this.#agents = new AgentSignals(heard);
    this.#left = new LeftSignals(heard);
    this.#watches = new Watches(heard);
  }

  // The file in which the agent of a session may write its signals.
  fileOf(session: string): string {
    return this.#files.fileOf(session);
  }

  prepare(session: Session): void {
    this.#files.prepare(session);
  }

  // An entry of the spool: a signal that was left there, or what a hook has to say.
  async take(entry: HookEntry): Promise<Taken> {
    if (isLeftSignal(entry)) return this.#left.take(entry);
    const taken = await this.deps.doors.take(entry);
    if (taken === 'taken') await this.#agents.heard(entry);
    return taken;
  }

  // Once the spool was read.
  async start(): Promise<void> {
    this.#agents.start();
    await this.#files.start();
    // After what was left for us: that may say the same, with better times.
    this.#watches.start();
    this.#hearing.start();
  }

  // Panes are no longer watched; what is still said is found at the next start. A burst that waits for the disk has a moment.
  async stopListening(): Promise<void> {
    await this.#hearing.stop();
    const over = new AbortController();
    const isLate = await Promise.race([
      this.#watches.settled().then(() => false),
      setTimeout(SETTLED_MS, true, { signal: over.signal }).catch(() => true),
    ]);
    over.abort();
    if (isLate) this.deps.log('not all markers that were printed are written', {});
    this.#watches.dispose();
  }

  dispose(): void {
    this.#files.dispose();
    this.#agents.dispose();
  }
}
