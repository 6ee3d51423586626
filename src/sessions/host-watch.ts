// Finds the sessions of a host again whenever it is reached: after a start of ours, a lost connection, a night of sleep.
import { type Disposable, DisposableStore, disposable, HostDown, type SshHost } from '../tmux/index.js';
import { abandonStart, follow, passOverOurs } from './following.js';
import type { Hosts } from './hosts.js';
import { type ServerSnapshot, takeSnapshot } from './panes.js';
import type { Registry } from './registry.js';
import type { Session } from './session.js';
import { endFarClients } from './stale.js';

const LET_GO_MS = 60_000;

export class HostWatch implements Disposable {
  // By address of the server, as they were before any client of ours came.
  readonly #snapshots = new Map<string, ServerSnapshot>();
  readonly #following = new Set<string>();
  // Hosts that are up.
  readonly #reached = new Set<string>();
  readonly #own = new DisposableStore();

  constructor(
    readonly registry: Registry,
    readonly hosts: Hosts,
  ) {
    hosts.prepare = (host) => this.#prepare(host);
    hosts.isNeeded = (name) => this.#of(name).length > 0;
    this.#own.add(
      registry.onEvent(({ type, session }) => {
        if (type === 'removed' && session.host !== null) this.#letGo(session.host);
      }),
    );
    this.#own.add(
      hosts.onState(({ name, state }) => {
        const isUp = state.kind === 'up';
        const there = this.#of(name);
        // Each try is no news; that it is reached, or no more, is.
        if (isUp !== this.#reached.has(name)) for (const session of there) registry.touch(session);
        if (isUp) this.#reached.add(name);
        else this.#reached.delete(name);
        if (isUp) this.#up(name);
        // What waits for a session there is told so.
        else for (const session of there) registry.stir(session);
      }),
    );
  }

  // Once the sessions are known.
  start(): void {
    for (const session of this.registry.list()) {
      if (session.host === null) continue;
      if (session.row.state === 'starting') this.registry.unfinished.add(session.id);
      this.hosts.find(session.host)?.ssh.want();
    }
  }

  dispose(): void {
    this.#own.dispose();
  }

  // Its last session is gone: the connection stays a while for whatever has still to be ended there.
  #letGo(name: string): void {
    const timer = setTimeout(() => {
      if (!this.hosts.isNeeded(name)) this.hosts.find(name)?.ssh.dispose();
    }, LET_GO_MS);
    timer.unref();
    this.#own.add(disposable(() => clearTimeout(timer)));
  }

  #of(name: string): Session[] {
    return this.registry.list().filter(({ host }) => host === name);
  }

  async #prepare(host: SshHost): Promise<void> {
    const { servers } = this.registry.deps;
    for (const socket of new Set(this.#of(host.host).map(({ row }) => row.socket))) {
      const server = servers.at(socket);
      await endFarClients(server, host);
      this.#snapshots.set(socket, await takeSnapshot(server));
    }
  }

  #up(name: string): void {
    for (const session of this.#of(name))
      this.#find(session).catch((error: unknown) => {
        if (!(error instanceof HostDown))
          this.registry.deps.log('session not found again', { session: session.id, error: String(error) });
      });
  }

  async #find(session: Session): Promise<void> {
    const { id, tracker, row } = session;
    const snapshot = this.#snapshots.get(row.socket);
    if (row.state === 'starting') {
      if (!this.registry.unfinished.has(id)) return;
      await abandonStart(this.registry, session);
      this.registry.unfinished.delete(id);
      return;
    }
    if (tracker) {
      // Its link comes back by itself, and it looks at its program then.
      const place = snapshot?.panes.get(row.pane);
      await tracker.pane.link.ready();
      if (place && session.tracker === tracker)
        await passOverOurs(this.registry, session, tracker, place.activity);
      return;
    }
    // One that is still being followed gets on when its link does.
    if (this.#following.has(id)) return;
    this.#following.add(id);
    try {
      await follow(this.registry, session, snapshot);
    } finally {
      this.#following.delete(id);
    }
  }
}
