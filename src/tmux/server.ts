// One tmux server, known by its socket: version, one-off commands, and the shared links to its sessions.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ControlClient } from './control.js';
import { TmuxError } from './errors.js';
import type { Disposable } from './events.js';
import { type ClientOpener, SessionLink } from './link.js';

const run = promisify(execFile);

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

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export class TmuxServer {
  readonly #links = new Map<string, { link: SessionLink; users: number }>();
  readonly #env: NodeJS.ProcessEnv;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly address: SocketAddress,
    readonly program = 'tmux',
    env: NodeJS.ProcessEnv = process.env,
  ) {
    // Started inside a pane, tmux would act on that pane's server.
    this.#env = { ...env };
    delete this.#env.TMUX;
    delete this.#env.TMUX_PANE;
  }

  get socketArgs(): string[] {
    const { address } = this;
    if (address.kind === 'default') return [];
    return address.kind === 'name' ? ['-L', address.name] : ['-S', address.path];
  }

  // A forked tmux, for the few commands that have no session to go through.
  async fork(args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await run(this.program, ['-u', ...this.socketArgs, ...args], {
        env: this.#env,
        maxBuffer: MAX_REPLY_BYTES,
      });
      return stdout.replace(/\n$/, '');
    } catch (error) {
      const { stderr, message, code } = error as { stderr?: string; message: string; code?: unknown };
      const missing = code === 'ENOENT' ? `the program "${this.program}" was not found` : undefined;
      throw new TmuxError(args.join(' '), missing ?? (stderr?.trim() || message));
    }
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
      entry = { link: new SessionLink(this.#open(sessionId), sessionId), users: 0 };
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
    return new Set([...this.#links.values()].flatMap(({ link }) => link.clientPid ?? []));
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
      open: (take) =>
        void this.alone(async () => {
          const client = take(() => this.#attach(sessionId));
          await client?.introduced;
        }).catch(() => {}),
      close: (client) => void this.alone(() => client.dispose()).catch(() => {}),
    };
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
    return new ControlClient(this.program, args, this.#env);
  }
}

// A pane that floods us is paused after this many seconds instead of buffered. A control client that names no size never
// shapes a window; to be told to ignore it as well costs tmux, for each window and client, a look at all clients.
export const CLIENT_FLAGS = 'pause-after=1,!ignore-size';
