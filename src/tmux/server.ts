// One tmux server, known by its socket: version, one-off commands, and the shared links to its sessions.
import { setTimeout as delay } from 'node:timers/promises';
import { ControlClient } from './control.js';
import { HostDown } from './errors.js';
import type { Disposable } from './events.js';
import { type ClientOpener, SessionLink } from './link.js';
import { LocalTransport, type Transport } from './transport.js';

// `-L name`, `-S path`, or the user's default server.
export type SocketAddress =
  | { kind: 'default' }
  | { kind: 'name'; name: string }
  | { kind: 'path'; path: string };

// A server that is replaced on the same socket has another pid or start time, and its panes are other panes.
export interface ServerIdentity {
  pid: number;
  startTime: number;
  socketPath: string;
  version: string;
}

export interface LinkLease extends Disposable {
  readonly link: SessionLink;
}

// How often a client that its machine has no room for asks again.
const NO_ROOM_MS = 1000;

export class TmuxServer {
  readonly #links = new Map<string, { link: SessionLink; users: number }>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly address: SocketAddress,
    readonly transport: Transport = new LocalTransport(),
  ) {}

  get socketArgs(): string[] {
    const { address } = this;
    if (address.kind === 'default') return [];
    return address.kind === 'name' ? ['-L', address.name] : ['-S', address.path];
  }

  // A forked tmux, for the few commands that have no session to go through.
  async fork(args: readonly string[]): Promise<string> {
    const stdout = await this.transport.run(['-u', ...this.socketArgs, ...args]);
    return stdout.replace(/\n$/, '');
  }

  async identity(): Promise<ServerIdentity> {
    const text = await this.fork([
      '-N',
      'display-message',
      '-p',
      '#{pid} #{start_time} #{version} #{socket_path}',
    ]);
    const [pid = '', startTime = '', version = '', ...path] = text.split(' ');
    return { pid: Number(pid), startTime: Number(startTime), version, socketPath: path.join(' ') };
  }

  // The link to a tmux session, shared by all that ask for it and closed when the last one lets go.
  lease(sessionId: string): LinkLease {
    let entry = this.#links.get(sessionId);
    if (!entry || entry.link.state.kind === 'gone') {
      const link = new SessionLink(this.#open(sessionId), sessionId, () => this.transport.skewS);
      entry = { link, users: 0 };
      this.#links.set(sessionId, entry);
    }
    const held = entry;
    held.users++;
    let released = false;
    return {
      link: held.link,
      dispose: () => {
        if (released) return;
        released = true;
        if (--held.users > 0) return;
        held.link.dispose();
        if (this.#links.get(sessionId) === held) this.#links.delete(sessionId);
      },
    };
  }

  // The process ids of our own control clients, which are no persons.
  get ownClientPids(): Set<number> {
    // With every look at a pane, so without lists in between.
    const pids = new Set<number>();
    for (const { link } of this.#links.values()) if (link.clientPid !== undefined) pids.add(link.clientPid);
    return pids;
  }

  // tmux up to 3.6 crashes when a session begins or ends, a client detaches or a mode changes in the moment in which a
  // control client has said what it is but has not been introduced to the end. So all of that, as far as it is our doing,
  // goes one after the other.
  alone<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #open(sessionId: string): ClientOpener {
    return {
      open: (take) => void this.#opened(sessionId, take).catch(() => {}),
      close: (client) => void this.alone(() => client.dispose()).catch(() => {}),
    };
  }

  async #opened(sessionId: string, take: Parameters<ClientOpener['open']>[0]): Promise<void> {
    for (;;) {
      await this.transport.ready();
      // Outside of its turn: others need none, and making some takes long.
      if (await this.transport.room().catch(noneIfLost)) {
        const isOpen = await this.alone(async () => {
          if (!this.transport.hasRoom) return false;
          const client = take(() => this.#attach(sessionId));
          await client?.introduced;
          return true;
        }).catch(noneIfLost);
        if (isOpen) return;
      } else await delay(NO_ROOM_MS, undefined, { ref: false });
    }
  }

  #attach(sessionId: string): ControlClient {
    // -N: attaching must never bring up an empty server where one has died.
    const args = [
      '-u',
      '-N',
      '-C',
      ...this.socketArgs,
      'attach-session',
      '-f',
      CLIENT_FLAGS,
      '-t',
      sessionId,
    ];
    return new ControlClient(
      () => this.transport.open(args),
      this.transport.host === undefined ? 'here' : 'far',
    );
  }
}

// A pane that floods us is paused after this many seconds instead of buffered. A control client that names no size never
// shapes a window; to be told to ignore it as well costs tmux, for each window and client, a look at all clients.
export const CLIENT_FLAGS = 'pause-after=1,!ignore-size';

// It was lost in that very moment.
function noneIfLost(error: unknown): false {
  if (error instanceof HostDown) return false;
  throw error;
}
