// The tmux servers in use, one object a socket, all addressed by path so that a name and a path cannot mean two.
import fs from 'node:fs';
import path from 'node:path';
import { TmuxServer } from '../tmux/index.js';
import { SessionError } from './errors.js';

export class Servers {
  readonly #servers = new Map<string, TmuxServer>();
  readonly env: NodeJS.ProcessEnv;

  constructor(
    readonly program = 'tmux',
    env: NodeJS.ProcessEnv = process.env,
  ) {
    this.env = withoutOurs(env);
  }

  // A name is looked up where tmux keeps its sockets; a path stays as it is.
  pathOf(socket = 'default'): string {
    if (socket.includes('/')) return path.resolve(socket);
    return path.join(this.#namedFolder, socket);
  }

  get #namedFolder(): string {
    return path.join(this.env.TMUX_TMPDIR || '/tmp', `tmux-${process.getuid?.() ?? 0}`);
  }

  at(socketPath: string): TmuxServer {
    let server = this.#servers.get(socketPath);
    if (!server) {
      server = new TmuxServer({ kind: 'path', path: socketPath }, this.program, this.env);
      this.#servers.set(socketPath, server);
    }
    return server;
  }

  // tmux makes the folder of named sockets itself, but only if it is asked by name. Any other must be there.
  prepare(socketPath: string): TmuxServer {
    const folder = path.dirname(socketPath);
    if (folder === this.#namedFolder) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    else if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new SessionError('invalid', `there is no folder ${folder}`, {
        field: 'socket',
        value: socketPath,
        expected: 'a name, or a path in a folder that exists',
      });
    return this.at(socketPath);
  }

  // Resolves when all clients that were let go have ended.
  async settled(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.alone(async () => {})));
  }
}

// A tmux server keeps the environment of whoever started it and hands it to every pane: with ours in it, every `sm` there
// would take this home for its own. A session's program is given what it needs.
const OURS = ['HOME', 'CONFIG', 'PORT', 'SESSION', 'SWAP', 'SIGNALS', 'EDITOR', 'DOOR'].map(
  (name) => `SM_${name}`,
);

const withoutOurs = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.includes(name)));
