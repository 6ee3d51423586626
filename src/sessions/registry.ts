// All sessions: started, adopted, renamed, ended, and found again after a restart of the daemon.
import { baseName, findProfile, GENERIC, PROFILES, recognise } from '../agents/index.js';
import { type ComposerMemory, NEW_COMPOSER } from '../composer/index.js';
import {
  insertSession,
  type SessionRow,
  SessionTable,
  type Step,
  type Store,
  updateSession,
} from '../store/index.js';
import { Emitter, TmuxError } from '../tmux/index.js';
import { endProcessGroup } from './ending.js';
import { SessionError } from './errors.js';
import type { Verdict } from './judge.js';
import { launchCommands, prepareSession, processOf, requireFolder, requireProgram } from './launch.js';
import { learnEmptyBox, type Occasion } from './learning.js';
import { resolveRef, uniqueName } from './names.js';
import { listCandidates, type PaneCandidate } from './panes.js';
import { foregroundOf } from './process.js';
import type { Servers } from './servers.js';
import { Session } from './session.js';
import { Tracker, type TrackerEvent } from './tracker.js';

export interface StartOptions {
  command: string[];
  name?: string | undefined;
  cwd: string;
  agent?: string | undefined;
  socket?: string | undefined;
  env: Record<string, string>;
  width: number;
  height: number;
}

export interface AdoptOptions {
  target: string;
  name?: string | undefined;
  agent?: string | undefined;
  socket?: string | undefined;
  empty: boolean;
}

export interface RegistryDeps {
  store: Store;
  servers: Servers;
  clock: () => number;
  newId: () => string;
  // Variables that tell a program in a session who it is.
  sessionEnv: (id: string, env: Readonly<Record<string, string>>) => Record<string, string>;
  log: (message: string, details: Record<string, unknown>) => void;
}

export type RegistryEvent =
  | { type: 'changed'; session: Session }
  | { type: 'removed'; session: Session }
  // Something happened in its pane that may let waiting mail go.
  | { type: 'stirred'; session: Session };

export class Registry {
  readonly #sessions = new Map<string, Session>();
  readonly #event = new Emitter<RegistryEvent>();
  readonly onEvent = this.#event.event;

  constructor(readonly deps: RegistryDeps) {}

  list(): Session[] {
    return [...this.#sessions.values()];
  }

  // By id, by name, or by an unambiguous beginning of an id.
  resolve(ref: string): Session {
    return resolveRef(this.list(), ref);
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  inPane(socket: string, pane: string): Session | undefined {
    const path = this.deps.servers.pathOf(socket);
    return this.list().find(({ row }) => row.socket === path && row.pane === pane && row.state !== 'gone');
  }

  // Takes up where the last daemon left off: each session is found again in tmux, or shown as gone.
  async recover(): Promise<void> {
    const rows = new SessionTable(this.deps.store).present();
    for (const row of rows) this.#sessions.set(row.id, new Session(row));
    const identities = new Map<string, Promise<string | undefined>>();
    await Promise.all(
      this.list().map(async (session) => {
        const { socket, server } = session.row;
        let identity = identities.get(socket);
        if (!identity) {
          identity = this.#identity(socket);
          identities.set(socket, identity);
        }
        if (session.row.state === 'starting') await this.#abandonStart(session);
        else if ((await identity) !== server)
          await this.#change(session, { state: 'gone', state_reason: 'its tmux server has ended' });
        else await this.#follow(session);
      }),
    );
  }

  async start(options: StartOptions): Promise<Session> {
    const { deps } = this;
    requireFolder(options.cwd);
    requireProgram(options.command, options.cwd, options.env.PATH ?? process.env.PATH ?? '');
    const profile = this.#profile(options.agent, options.command);
    const name = uniqueName(
      this.list(),
      options.name,
      profile === GENERIC ? baseName(options.command[0] ?? '') : profile.name,
    );
    const id = deps.newId();
    const socket = deps.servers.pathOf(options.socket);
    const session = await this.#insert({
      ...this.#blankRow(id, name, profile.name, 'started', socket),
      command: JSON.stringify(options.command),
      cwd: options.cwd,
    });
    try {
      const server = deps.servers.prepare(socket);
      const launch = {
        ...options,
        env: deps.sessionEnv(id, options.env),
        tmuxName: name.replace(/[.:]/g, '_'),
      };
      const made = await prepareSession(server, launch);
      await this.#change(session, { tmux_session: made.tmuxSession, pane: made.pane, server: made.server });
      const tracker = await Tracker.follow(
        server,
        made.tmuxSession,
        made.pane,
        () => session.program,
        deps.clock,
      );
      session.tracker = tracker;
      const failed = (await tracker.pane.link.list(launchCommands(launch, made.pane))).find(
        (block) => !block.ok,
      );
      if (failed) throw new TmuxError('respawn-pane', failed.lines.join(' '));
      const pid = Number(await tracker.pane.format('#{pane_pid}'));
      const { started } = await processOf(pid);
      const composer: ComposerMemory = { ...NEW_COMPOSER, emptyAt: deps.clock() };
      session.composer = composer;
      const program = JSON.stringify({ pid, started, argv: options.command });
      await this.#change(session, { program, state: 'live', composer: JSON.stringify(composer) });
      this.#listen(session, tracker);
      return session;
    } catch (error) {
      await this.#abandonStart(session);
      throw error instanceof TmuxError
        ? new SessionError('tmux', `could not start "${options.command[0]}": ${error.detail}`)
        : error;
    }
  }

  async adopt(options: AdoptOptions): Promise<Session> {
    const { deps } = this;
    const socket = deps.servers.pathOf(options.socket);
    const server = deps.servers.at(socket);
    const [candidate] = await listCandidates(server, options.target).catch((error: TmuxError) => {
      throw badTarget(options.target, error.detail);
    });
    if (!candidate) throw badTarget(options.target, 'no such pane');
    const known = this.inPane(socket, candidate.pane);
    const identity = await this.#identity(socket);
    const session = known ?? (await this.#insertAdopted(options, candidate, socket, identity ?? ''));
    if (!known) await this.#follow(session);
    await this.#readopt(session, options.empty ? 'said' : candidate.everAttached ? 'adopted' : 'unseen');
    return session;
  }

  async #insertAdopted(
    options: AdoptOptions,
    candidate: PaneCandidate,
    socket: string,
    server: string,
  ): Promise<Session> {
    const pid = Number(
      await this.deps.servers
        .at(socket)
        .fork(['-N', 'display-message', '-p', '-t', candidate.pane, '#{pane_pid}']),
    );
    const foreground = await foregroundOf(pid);
    if (!foreground)
      throw new SessionError(
        'conflict',
        `the program in ${candidate.pane} has ended: there is nothing to adopt`,
      );
    const profile = this.#profile(options.agent, foreground.argv);
    return this.#insert({
      ...this.#blankRow(
        this.deps.newId(),
        uniqueName(
          this.list(),
          options.name,
          profile === GENERIC ? baseName(candidate.program) : profile.name,
        ),
        profile.name,
        'adopted',
        socket,
      ),
      server,
      tmux_session: candidate.tmuxSession,
      pane: candidate.pane,
      command: JSON.stringify(foreground.argv),
      cwd: candidate.cwd,
      program: JSON.stringify({ pid: foreground.pid, started: foreground.started, argv: foreground.argv }),
      state: 'live',
    });
  }

  // Looks at its input box anew; with `empty` the person says that it is empty as it looks now.
  async #readopt(session: Session, occasion: Occasion): Promise<void> {
    if (!session.tracker || session.row.state !== 'live') return;
    await learnEmptyBox(this, session, session.tracker, occasion);
    this.#event.fire({ type: 'stirred', session });
  }

  async rename(session: Session, name: string): Promise<void> {
    await this.#change(session, {
      name: uniqueName(
        this.list().filter((other) => other !== session),
        name,
        name,
      ),
    });
  }

  async setPaused(session: Session, paused: boolean): Promise<void> {
    await this.#change(session, { paused: paused ? 1 : 0 });
    this.#event.fire({ type: 'stirred', session });
  }

  // `steps` are written together with the removal. The pane is ended only once the row says so.
  async remove(session: Session, steps: readonly Step[], { keepPane }: { keepPane: boolean }): Promise<void> {
    const { store, clock } = this.deps;
    await store.write([...steps, updateSession(session.id, { removed_at: clock() })]);
    this.#sessions.delete(session.id);
    const { tracker, program, row } = session;
    session.tracker = undefined;
    if (!keepPane && tracker && row.state !== 'gone') {
      await tracker.pane.link.command(`kill-pane -t ${row.pane}`).catch(() => {});
      if (program) endProcessGroup(program);
    }
    tracker?.dispose();
    this.#event.fire({ type: 'removed', session });
  }

  // The step that remembers how the box looks, for whoever writes it together with something else.
  composerStep(session: Session, composer: ComposerMemory): Step {
    session.composer = composer;
    return updateSession(session.id, { composer: JSON.stringify(composer) });
  }

  // What a fresh look at its process means for the session.
  async applyVerdict(session: Session, verdict: Verdict): Promise<void> {
    const { state } = session.row;
    if (verdict.kind === 'ended' && state === 'live')
      await this.#change(session, { state: 'ended', state_reason: verdict.reason });
    if (verdict.kind === 'same' && state === 'ended')
      await this.#change(session, { state: 'live', state_reason: null });
    if (verdict.kind !== 'replaced') return;
    const composer: ComposerMemory = { ...NEW_COMPOSER, emptyAt: this.deps.clock() };
    session.composer = composer;
    await this.#change(session, {
      state: 'live',
      state_reason: null,
      epoch: session.row.epoch + 1,
      program: JSON.stringify(verdict.program),
      composer: JSON.stringify(composer),
    });
  }

  dispose(): void {
    for (const session of this.#sessions.values()) session.tracker?.dispose();
  }

  #listen(session: Session, tracker: Tracker): void {
    tracker.onEvent((event) => {
      if (session.tracker === tracker) this.#tracked(session, tracker, event);
    });
  }

  #tracked(session: Session, tracker: Tracker, event: TrackerEvent): void {
    const report = (error: unknown): void =>
      this.deps.log('session event failed', { session: session.id, error: String(error) });
    switch (event.type) {
      case 'stirred':
        this.#event.fire({ type: 'stirred', session });
        break;
      case 'rest':
        learnEmptyBox(this, session, tracker, 'rest').then(
          () => this.#event.fire({ type: 'stirred', session }),
          report,
        );
        break;
      case 'verdict':
        this.applyVerdict(session, event.verdict).catch(report);
        break;
      case 'gone':
        tracker.dispose();
        session.tracker = undefined;
        this.#follow(session).catch(report);
    }
  }

  // Links to wherever the pane is now; shows the session as gone when it is nowhere.
  async #follow(session: Session): Promise<void> {
    const { servers, clock } = this.deps;
    const { socket, server: identity, pane } = session.row;
    const server = servers.at(socket);
    const where = (await this.#identity(socket)) === identity ? await locate(server, pane) : undefined;
    try {
      if (!where) throw new TmuxError('follow', `can't find pane ${pane}`);
      const tracker = await Tracker.follow(server, where, pane, () => session.program, clock);
      session.tracker = tracker;
      if (where !== session.row.tmux_session) await this.#change(session, { tmux_session: where });
      await this.applyVerdict(session, await tracker.assess());
      if (session.row.state === 'gone') await this.#change(session, { state: 'live', state_reason: null });
      this.#listen(session, tracker);
      this.#event.fire({ type: 'stirred', session });
    } catch (error) {
      session.tracker?.dispose();
      session.tracker = undefined;
      const reason =
        (await this.#identity(socket)) === identity ? 'its pane was closed' : 'its tmux server has ended';
      this.deps.log('session gone', { session: session.id, reason, error: String(error) });
      await this.#change(session, { state: 'gone', state_reason: reason });
    }
  }

  async #identity(socket: string): Promise<string | undefined> {
    try {
      const { pid, startTime } = await this.deps.servers.at(socket).identity();
      return `${pid}:${startTime}`;
    } catch {
      return undefined;
    }
  }

  // A start that never came to an end leaves nothing behind.
  async #abandonStart(session: Session): Promise<void> {
    const { socket, server, pane } = session.row;
    const sameServer = pane !== '' && (await this.#identity(socket)) === server;
    if (sameServer)
      await this.deps.servers
        .at(socket)
        .fork(['-N', 'kill-pane', '-t', pane])
        .catch(() => {});
    await this.remove(session, [], { keepPane: true });
  }

  #profile(name: string | undefined, argv: readonly string[]) {
    if (name === undefined) return recognise(argv) ?? GENERIC;
    const profile = findProfile(name);
    if (profile) return profile;
    const expected = `one of: ${[GENERIC, ...PROFILES].map((known) => known.name).join(', ')}`;
    throw new SessionError('invalid', `no such agent: ${name}`, { field: 'agent', value: name, expected });
  }

  #blankRow(
    id: string,
    name: string,
    agent: string,
    origin: SessionRow['origin'],
    socket: string,
  ): SessionRow {
    return {
      id,
      name,
      agent,
      origin,
      socket,
      server: '',
      tmux_session: '',
      pane: '',
      command: '[]',
      cwd: '',
      program: null,
      epoch: 1,
      state: 'starting',
      state_reason: null,
      paused: 0,
      composer: null,
      created_at: this.deps.clock(),
      removed_at: null,
    };
  }

  async #insert(row: SessionRow): Promise<Session> {
    const session = new Session(row);
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

  async #change(session: Session, change: Partial<SessionRow>): Promise<void> {
    session.row = { ...session.row, ...change };
    if (!this.#sessions.has(session.id)) return;
    await this.deps.store.write([updateSession(session.id, change)]);
    this.#event.fire({ type: 'changed', session });
  }
}

async function locate(server: ReturnType<Servers['at']>, pane: string): Promise<string | undefined> {
  const text = await server
    .fork(['-N', 'list-panes', '-a', '-F', '#{pane_id} #{session_id}'])
    .catch(() => '');
  return text
    .split('\n')
    .find((line) => line.startsWith(`${pane} `))
    ?.split(' ')[1];
}

const badTarget = (target: string, detail: string): SessionError =>
  new SessionError('invalid', `no such pane: ${target} (${detail})`, {
    field: 'target',
    value: target,
    expected: 'a tmux target such as %12, main:1.0 or main; "sm adopt" lists the panes',
  });
