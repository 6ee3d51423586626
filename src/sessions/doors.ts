// The doors of the sessions: opened for the process that runs, told what its hooks say, closed when it is gone.
import { type Door, type DoorEvent, type HookEvent, readVersion } from '../agents/index.js';
import type { HookEntry, Taken } from '../spool/index.js';
import type { SessionRow } from '../store/index.js';
import { type Disposable, Emitter } from '../tmux/index.js';
import type { DoorFolders } from './door-folders.js';
import type { Program } from './judge.js';
import { LastWords } from './last-words.js';
import { begunAt, environmentOf } from './process.js';
import { programFile } from './program-file.js';
import type { Registry } from './registry.js';
import type { Session } from './session.js';
import { doubted, reported } from './status.js';
import { Unsaved } from './unsaved.js';

export interface DoorsDeps {
  registry: Registry;
  folders: DoorFolders;
  // The user wants them to be used.
  isOn: () => boolean;
  // Resolves when all that hooks have left is heard.
  hooksRead: () => Promise<void>;
  clock: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export interface SessionDoorEvent {
  session: Session;
  // Of the process that tells it.
  epoch: number;
  event: DoorEvent;
  // What must be on disk before the hook that told it may be forgotten.
  until: (work: Promise<unknown>) => void;
}

interface Opened extends Disposable {
  epoch: number;
  door: Door | undefined;
  hooks: Emitter<HookEvent>;
}

export class Doors implements Disposable {
  readonly #opened = new Map<string, Opened>();
  readonly #opening = new Map<string, Promise<void>>();
  readonly #event = new Emitter<SessionDoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #listening: Disposable;
  readonly #unsaved: Unsaved;
  readonly #lastWords: LastWords;
  readonly #given = new Map<string, Readonly<Record<string, string>>>();

  constructor(readonly deps: DoorsDeps) {
    this.#unsaved = new Unsaved((error) =>
      deps.log('what a door told is not saved', { error: String(error) }),
    );
    this.#lastWords = new LastWords({
      hooksRead: deps.hooksRead,
      tell: (session, epoch, event) => {
        this.#tell(session, epoch, event);
        return this.#unsaved.saved(session);
      },
    });
    this.#listening = deps.registry.onEvent(({ type, session }) => {
      if (type === 'removed') this.#forget(session);
      else this.#keep(session);
    });
  }

  // What its agent can be reached by now; undefined for agents that have none.
  of(session: Session): Door | undefined {
    const opened = this.#opened.get(session.id);
    return opened?.epoch === session.row.epoch ? opened.door : undefined;
  }

  // The process has only just been found: whether it has a door is not known yet. Its row may tell of it before its event does.
  isComing(session: Session): boolean {
    const { epoch, state } = session.row;
    const isNew = state === 'live' && this.#opened.get(session.id)?.epoch !== epoch;
    return this.#opening.has(session.id) || (isNew && this.#wantsDoor(session));
  }

  // What that process takes and does may become known: it is listened to, or will be, or its last words are being read.
  mayTell(session: Session, epoch: number | undefined): boolean {
    if (epoch === undefined) return false;
    const opened = this.#opened.get(session.id);
    const isOpen = opened?.epoch === epoch && opened.door && opened.door.state.kind !== 'shut';
    const isComing = session.row.epoch === epoch && this.isComing(session);
    return isOpen || isComing || this.#lastWords.areAwaited(session, epoch);
  }

  // Resolves once the doors of all sessions that run have been tried.
  async openAll(): Promise<void> {
    for (const session of this.deps.registry.list()) this.#keep(session);
    await Promise.all(this.#opening.values());
  }

  // A hook's event goes to the session in whose pane it was run.
  async take({ event, at, body, ...whose }: HookEntry): Promise<Taken> {
    const session = this.sessionOf(whose);
    if (!session) return 'unknown';
    if (session.row.state === 'starting') return 'later';
    await this.#opening.get(session.id);
    const opened = this.#opened.get(session.id);
    const hook = { event, at, body };
    if (opened?.door) opened.hooks.fire(hook);
    // Kept for whoever looks for the cause, where a door should have heard it.
    else if (opened && this.#wantsDoor(session)) return 'unknown';
    else if (!opened && !this.#hearLast(session, hook)) return 'unknown';
    await this.#unsaved.saved(session);
    return 'taken';
  }

  dispose(): void {
    this.#listening.dispose();
    for (const opened of this.#opened.values()) opened.dispose();
  }

  // Its process ended before anybody read what its hooks had said.
  #hearLast(session: Session, hook: HookEvent): boolean {
    const { doorFacts, profile, row } = session;
    if (!this.deps.isOn()) return true;
    const events = profile.door?.hearLast?.(doorFacts, hook);
    for (const event of events ?? []) this.#tell(session, row.epoch, event);
    return events !== undefined;
  }

  // Whose hook it is.
  sessionOf({ session, pane }: Pick<HookEntry, 'session' | 'pane'>): Session | undefined {
    const { registry } = this.deps;
    // The variable is inherited by whatever is started from there, in other panes too.
    if (!pane) return session === undefined ? undefined : registry.get(session);
    const inPane = registry.inPane(pane.socket, pane.pane);
    return inPane?.row.server.startsWith(`${pane.server}:`) ? inPane : undefined;
  }

  #keep(session: Session): void {
    const { epoch, state } = session.row;
    const opened = this.#opened.get(session.id);
    if (state === 'live' && opened?.epoch !== epoch && !this.#opening.has(session.id)) {
      const opening = this.#open(session)
        .catch((error: unknown) =>
          this.deps.log('door not opened', { session: session.id, error: String(error) }),
        )
        .finally(() => {
          this.#opening.delete(session.id);
          this.deps.registry.stir(session);
        });
      this.#opening.set(session.id, opening);
    }
    if (state !== 'live' && opened) this.#close(session, opened);
  }

  // Its process has ended. One that was not listened to may have done what nobody was told.
  #close(session: Session, opened: Opened): void {
    const { door, epoch } = opened;
    const isHeard = door?.state.kind === 'open' && !session.profile.door?.hasServer;
    opened.dispose();
    this.#opened.delete(session.id);
    if (!isHeard) return;
    this.#lastWords
      .hear(session, epoch)
      .catch((error: unknown) =>
        this.deps.log('the end of its turn is not saved', { session: session.id, error: String(error) }),
      )
      .finally(() => this.deps.registry.stir(session));
  }

  async #open(session: Session): Promise<void> {
    const { program, profile } = session;
    const { epoch } = session.row;
    const before = this.#opened.get(session.id);
    if (before) this.#close(session, before);
    const hooks = new Emitter<HookEvent>();
    const opened: Opened = { epoch, door: undefined, hooks, dispose: () => opened.door?.dispose() };
    this.#opened.set(session.id, opened);
    if (!program || !profile.door || !this.#wantsDoor(session))
      return this.#note(session, doubted(session, undefined));
    const folder = this.deps.folders.link(session);
    // A process that was just started may still be the one that sets its variables.
    const env = {
      ...(await environmentOf(program.pid)),
      ...(epoch === 1 && this.#given.get(session.id)),
    };
    const version = await this.#versionOf(session, program);
    // Its session may have ended meanwhile: nobody would close it again.
    if (this.#opened.get(session.id) !== opened) return;
    const door = profile.door.open({
      session: { id: session.id, name: session.name, cwd: session.row.cwd, origin: session.row.origin },
      program: { ...program, begunAt: begunAt(program.started, this.deps.clock()) },
      env,
      version,
      folder,
      facts: session.doorFacts,
      saveFacts: (facts, when) => this.#saveFacts(session, epoch, facts, when),
      onHook: hooks.event,
      status: session.status,
      printedAt: () => session.tracker?.lastOutputAt,
      clock: this.deps.clock,
      log: (message, details) => this.deps.log(message, { session: session.id, ...details }),
    });
    opened.door = door;
    door.onEvent((event) => this.#heard(session, opened, event));
    this.#note(session, door.status ? reported(session, door.status) : doubted(session, door));
  }

  // All that a door is made of (files, sockets, hooks) is on the machine of its agent.
  #wantsDoor({ program, profile, host }: Session): boolean {
    return host === null && program !== null && profile.door !== undefined && this.deps.isOn();
  }

  async #versionOf(session: Session, program: Program): Promise<string | null> {
    const isFirst = session.row.origin === 'started' && session.row.epoch === 1;
    const known = isFirst ? this.deps.folders.recallVersion(session.id) : undefined;
    return known ?? readVersion(session.profile, await programFile(program));
  }

  // Called before its program runs; tells the folder of the session.
  expect(session: Session, env: Readonly<Record<string, string>>): string {
    this.#given.set(session.id, env);
    return this.deps.folders.link(session);
  }

  #saveFacts(
    session: Session,
    epoch: number,
    facts: Record<string, string>,
    when: 'now' | 'told' = 'now',
  ): Promise<void> {
    const change = async (): Promise<void> => {
      if (session.row.epoch !== epoch) return;
      const door = session.withDoorFacts(facts);
      if (session.row.door !== door) await this.deps.registry.change(session, { door });
    };
    const work = when === 'told' ? this.#unsaved.saved(session).then(change) : change();
    this.#unsaved.add(session, work);
    return work;
  }

  #heard(session: Session, opened: Opened, event: DoorEvent): void {
    if (this.#opened.get(session.id) !== opened) return;
    if (event.kind === 'status') this.#note(session, reported(session, event.status));
    this.#tell(session, opened.epoch, event);
    if (event.kind !== 'received') this.deps.registry.stir(session);
  }

  #tell(session: Session, epoch: number, event: DoorEvent): void {
    this.#event.fire({ session, epoch, event, until: (work) => this.#unsaved.add(session, work) });
  }

  #note(session: Session, change: Pick<SessionRow, 'status'> | undefined): void {
    if (change) this.#unsaved.add(session, this.deps.registry.change(session, change));
  }

  #forget(session: Session): void {
    this.#opened.get(session.id)?.dispose();
    this.#opened.delete(session.id);
    this.#given.delete(session.id);
    this.deps.folders.remove(session.id);
  }
}
