// The tmux servers in use, one object a socket, all addressed by path so that a name and a path cannot mean two.
import fs from 'node:fs';
import path from 'node:path';
import { TmuxServer } from '../tmux/index.js';

export class Servers {
  readonly #servers = new Map<string, TmuxServer>();

  constructor(
    readonly program = 'tmux',
    readonly env: NodeJS.ProcessEnv = process.env,
  ) {}

  // A name is looked up where tmux keeps its sockets; a path stays as it is.
  pathOf(socket = 'default'): string {
    if (socket.includes('/')) return path.resolve(socket);
    return path.join(this.env.TMUX_TMPDIR || '/tmp', `tmux-${process.getuid?.() ?? 0}`, socket);
  }

  at(socketPath: string): TmuxServer {
    let server = this.#servers.get(socketPath);
    if (!server) {
      server = new TmuxServer({ kind: 'path', path: socketPath }, this.program, this.env);
      this.#servers.set(socketPath, server);
    }
    return server;
  }

  // tmux makes the folder itself only for names.
  prepare(socketPath: string): TmuxServer {
    fs.mkdirSync(path.dirname(socketPath), { recursive: true, mode: 0o700 });
    return this.at(socketPath);
  }

  // Resolves when all clients that were let go have ended.
  async settled(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.alone(async () => {})));
  }
}
