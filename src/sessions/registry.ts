// All sessions in memory and on disk: who they are, what changes about them, and who is told.
import { type DoorLaunch, goneStatus, type Profiles } from '../agents/index.js';
import { type ComposerMemory, freshComposer } from '../composer/index.js';
import {
  insertSession,
  type SessionRow,
  type Step,
  type StepResult,
  type Store,
  updateComposer,
  updateSession,
} from '../store/index.js';
import { Emitter, HostDown, type Pane, type TmuxServer, unfitWindow } from '../tmux/index.js';
import { type Ending, endProcessGroup } from './ending.js';
import { SessionError } from './errors.js';
import type { Verdict } from './judge.js';
import { resolveRef, uniqueName } from './names.js';
import { endPane } from './panes.js';
import { processesOf } from './processes.js';
import type { Servers } from './servers.js';
import { Session } from './session.js';
import { forgotten, kept } from './status.js';

export interface LaunchExtras {
  // Give its agent our MCP server.
  mcp: boolean;
  // Tell its agent how to signal.
  signals: boolean;
}

export interface RegistryDeps {
  store: Store;
  profiles: Profiles;
  servers: Servers;
  clock: () => number;
  newId: () => string;
  // Variables that tell a program in a session who it is.
  sessionEnv: (id: string, env: Readonly<Record<string, string>>) => Record<string, string>;
  // Before its program runs: its hooks may speak at once. The folder that is private to it.
  beforeLaunch: (session: Session, env: Readonly<Record<string, string>>) => string;
  // The command line with what its agent's door needs.
  prepareLaunch: (
    session: Session,
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    file: string,
    // What was asked for beside its door.
    extras: LaunchExtras,
  ) => Promise<DoorLaunch>;
  // The command line of one on another machine, with what its agent is told there.
  prepareFar: (session: Session, command: readonly string[], extras: LaunchExtras) => readonly string[];
  log: (message: string, details: Record<string, unknown>) => void;
}

export type RegistryEvent =
  | { type: 'changed'; session: Session }
  | { type: 'removed'; session: Session }
  // Something happened in its pane that may let waiting mail go.
  | { type: 'stirred'; session: Session };

export class Registry {
  readonly #sessions = new Map<string, Session>();
  readonly #endings: Ending[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  // Starts that were given up, of which something may be left on a host that could not be reached.
  readonly unfinished = new Set<string>();
  readonly #event = new Emitter<RegistryEvent>();
  readonly onEvent = this.#event.event;

  constructor(readonly deps: RegistryDeps) {}

  list(): Session[] {
    return [...this.#sessions.values()];
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  // By id, by name, or by an unambiguous beginning of an id.
  resolve(ref: string): Session {
    return resolveRef(this.list(), ref);
  }

  inPane(socket: string, pane: string): Session | undefined {
    const path = this.deps.servers.pathOf(socket);
    return this.list().find(({ row }) => row.socket === path && row.pane === pane && row.state !== 'gone');
  }

  // A row that is on disk already.
  load(row: SessionRow): void {
    this.#sessions.set(row.id, this.#session(row));
  }

  #session(row: SessionRow): Session {
    return new Session(row, this.deps.profiles, async (session, keyed_at) => {
      await this.deps.store.write([updateSession(session.id, { keyed_at })]);
      session.row = { ...session.row, keyed_at };
    });
  }

  async insert(row: SessionRow): Promise<Session> {
    const session = this.#session(row);
    // It may have been removed while the session was prepared.
    if (session.host !== null) this.deps.servers.hostOf(session.host);
    // Taken at once, so that two starts cannot choose the same name.
    this.#sessions.set(row.id, session);
    try {
      await this.deps.store.write([insertSession(row)]);
    } catch (error) {
      this.#sessions.delete(row.id);
      throw error;
    }
    return session;
  }

  async change(session: Session, change: Partial<SessionRow>): Promise<void> {
    session.row = { ...session.row, ...change };
    if (!this.#sessions.has(session.id)) return;
    await this.deps.store.write([updateSession(session.id, change)]);
    this.#event.fire({ type: 'changed', session });
  }

  // On disk, together with `steps`, before anybody sees it. What became of the steps.
  async record(
    session: Session,
    change: Partial<SessionRow>,
    steps: readonly Step[],
  ): Promise<readonly StepResult[]> {
    const results = await this.deps.store.write([...steps, updateSession(session.id, change)]);
    session.row = { ...session.row, ...change };
    if (this.#sessions.has(session.id)) this.#event.fire({ type: 'changed', session });
    return results;
  }

  // What is shown of it has changed, and nothing on disk.
  touch(session: Session): void {
    this.#event.fire({ type: 'changed', session });
  }

  stir(session: Session): void {
    this.#event.fire({ type: 'stirred', session });
  }

  async rename(session: Session, name: string): Promise<void> {
    const others = this.list().filter((other) => other !== session);
    await this.change(session, { name: uniqueName(others, name, name) });
  }

  async setPaused(session: Session, paused: boolean): Promise<void> {
    await this.change(session, { paused: paused ? 1 : 0 });
  }

  async setGroups(session: Session, groups: readonly string[]): Promise<void> {
    await this.change(session, { groups: JSON.stringify([...new Set(groups)]) });
  }

  // By its agent's own word: `true`, or with what it is busy. Since when is kept.
  async setBusy(session: Session, busy: boolean | string): Promise<void> {
    const { busy_since } = session.row;
    const change =
      busy === false
        ? { busy_since: null, busy_reason: null }
        : {
            busy_since: busy_since ?? this.deps.clock(),
            busy_reason: typeof busy === 'string' ? busy : null,
          };
    await this.change(session, change);
  }

  // `steps` are written together with the removal. The pane is ended only once the row says so.
  async remove(session: Session, steps: readonly Step[], { keepPane }: { keepPane: boolean }): Promise<void> {
    const { store, clock } = this.deps;
    await store.write([...steps, updateSession(session.id, { removed_at: clock() })]);
    this.#sessions.delete(session.id);
    const { tracker, program, row } = session;
    session.tracker = undefined;
    try {
      // Nobody follows it any more who could give it back the size that it had.
      if (keepPane && tracker) await unfitWindow(tracker.pane).catch(() => {});
      if (!keepPane && row.state !== 'gone') {
        const server = this.deps.servers.at(row.socket);
        const isEnded = tracker && (await endByLink(server, tracker.pane));
        if (!isEnded) await endPane(server, row.server, row.pane).catch(notEnded(session));
        if (program) this.#endings.push(endProcessGroup(program, processesOf(server)));
      }
    } finally {
      tracker?.dispose();
      this.#event.fire({ type: 'removed', session });
    }
  }

  // Once, after a pause, unless all has ended by then.
  later(ms: number, act: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act().catch((error: unknown) => this.deps.log('what was put off failed', { error: String(error) }));
    }, ms);
    this.#timers.add(timer.unref());
  }

  // The step that remembers how the box looks, for whoever writes it together with something else.
  composerStep(session: Session, composer: ComposerMemory): Step {
    session.composer = composer;
    // Together: a box that is known to be empty up to a moment is not so once somebody has typed after it.
    const { keyedAt } = session.typing;
    session.row = { ...session.row, keyed_at: keyedAt };
    return updateComposer(session.id, JSON.stringify(composer), keyedAt);
  }

  // What a fresh look at its process means for the session.
  async applyVerdict(session: Session, verdict: Verdict): Promise<void> {
    const { state } = session.row;
    if (verdict.kind === 'ended' && state === 'live') {
      await this.leave(session, 'ended', verdict.reason);
    }
    if (verdict.kind === 'same' && state === 'ended') await this.comeBack(session);
    if (verdict.kind !== 'replaced' || !session.tracker) return;
    const { pane, server } = session.tracker;
    const isForgotten = session.typing.forget(this.deps.clock());
    const composer = freshComposer(await pane.view(), server.ownClientPids, this.deps.clock());
    session.composer = composer;
    await this.change(session, {
      state: 'live',
      state_reason: null,
      epoch: session.row.epoch + 1,
      program: JSON.stringify(verdict.program),
      composer: JSON.stringify(composer),
      keyed_at: isForgotten ? null : session.typing.keyedAt,
      // That was the word of the process before.
      busy_since: null,
      busy_reason: null,
    });
  }

  // Its program has ended, or its pane is gone: since when is kept with it. That it was busy was the word of that program.
  async leave(session: Session, state: 'ended' | 'gone', reason: string): Promise<void> {
    const { status: known } = session;
    const since = known?.state === 'gone' ? known.since : this.deps.clock();
    const { status } = kept(session, goneStatus(since, reason));
    await this.change(session, { state, state_reason: reason, status, busy_since: null, busy_reason: null });
  }

  // What it does now is not known yet.
  comeBack(session: Session): Promise<void> {
    return this.change(session, { state: 'live', state_reason: null, ...forgotten(session) });
  }

  // What was to be ended is, and no pane is followed any more.
  async dispose(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#endings.map((ending) => ending.hurry()));
    for (const session of this.#sessions.values()) session.tracker?.dispose();
  }
}

const notEnded =
  ({ name, host, row }: Session) =>
  (error: unknown): never => {
    if (!(error instanceof HostDown)) throw error;
    throw new SessionError(
      'conflict',
      `${name} is forgotten, but host ${host} was lost before its pane ${row.pane} could be ended`,
    );
  };

// Whether tmux says that it did.
async function endByLink(server: TmuxServer, { link, id }: Pane): Promise<boolean> {
  if (link.state.kind !== 'up') return false;
  return server
    .alone(() => link.command(`kill-pane -t ${id}`))
    .then(
      () => true,
      () => false,
    );
}
