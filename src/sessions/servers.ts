// The tmux servers in use, one object a socket, all addressed by path so that a name and a path cannot mean two.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalTransport, type SshHost, shellWord, TmuxServer } from '../tmux/index.js';
import { SessionError } from './errors.js';
import { formatAddress, parseAddress } from './server-address.js';

// Finds the connection to a host; rejects what there is none for.
export type HostFinder = (name: string) => SshHost;

// How long clients on other machines may take to go: one whose connection hangs does not keep us.
const FAR_MS = 2000;

export class Servers {
  readonly #servers = new Map<string, TmuxServer>();
  readonly env: NodeJS.ProcessEnv;

  constructor(
    readonly program = 'tmux',
    env: NodeJS.ProcessEnv = process.env,
    readonly hostOf: HostFinder = (name) => {
      throw new SessionError('not_found', `no such host: ${name}`);
    },
  ) {
    this.env = withoutOurs(env);
  }

  // A name is looked up where tmux keeps its sockets; a path, and an address, stay as they are.
  pathOf(socket = 'default'): string {
    if (parseAddress(socket).host !== null) return socket;
    if (socket.includes('/')) return path.resolve(socket);
    return path.join(this.#namedFolder, socket);
  }

  // The same on another machine, which has to be reached for it.
  async locate(host: string | null | undefined, socket = 'default'): Promise<string> {
    if (host === null || host === undefined) return this.pathOf(socket);
    const { socketFolder } = await this.hostOf(host).reach();
    if (socket.includes('/') && !socket.startsWith('/'))
      throw new SessionError('invalid', `no path of a socket on ${host}: ${socket}`, {
        field: 'socket',
        value: socket,
        expected: 'a name, or a whole path on that machine',
      });
    const file = socket.startsWith('/')
      ? path.posix.normalize(socket)
      : path.posix.join(socketFolder, socket);
    return formatAddress({ host, path: file });
  }

  get #namedFolder(): string {
    return path.join(this.env.TMUX_TMPDIR || '/tmp', `tmux-${process.getuid?.() ?? 0}`);
  }

  at(address: string): TmuxServer {
    let server = this.#servers.get(address);
    if (!server) {
      const { host, path: socketPath } = parseAddress(address);
      const transport = host === null ? new LocalTransport(this.program, this.env) : this.hostOf(host);
      server = new TmuxServer({ kind: 'path', path: socketPath }, transport);
      this.#servers.set(address, server);
    }
    return server;
  }

  // tmux makes the folder of named sockets itself, but only if it is asked by name. Any other must be there.
  async prepare(address: string): Promise<TmuxServer> {
    const { host, path: socketPath } = parseAddress(address);
    const folder = path.dirname(socketPath);
    const isThere = host === null ? this.#hasFolder(folder) : await hasFarFolder(this.hostOf(host), folder);
    if (!isThere)
      throw new SessionError('invalid', `there is no folder ${folder}`, {
        field: 'socket',
        value: socketPath,
        expected: 'a name, or a path in a folder that exists',
      });
    return this.at(address);
  }

  #hasFolder(folder: string): boolean {
    if (folder === this.#namedFolder) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  }

  // A host is no more.
  forget(host: string): void {
    for (const address of this.#servers.keys())
      if (parseAddress(address).host === host) this.#servers.delete(address);
  }

  // Resolves when all clients that were let go have ended.
  async settled(): Promise<void> {
    await Promise.all(
      [...this.#servers.values()].map((server) => {
        const turn = server.alone(async () => {});
        return server.transport.host === undefined ? turn : Promise.race([turn, patience()]);
      }),
    );
  }
}

const patience = (): Promise<void> => delay(FAR_MS, undefined, { ref: false });

async function hasFarFolder(host: SshHost, folder: string): Promise<boolean> {
  const word = shellWord(folder);
  const make = folder === host.facts?.socketFolder ? `mkdir -p -m 700 ${word}; ` : '';
  return (await host.script(`${make}[ -d ${word} ]`)).code === 0;
}

// A tmux server keeps the environment of whoever started it and hands it to every pane: with ours in it, every `sm` there
// would take this home for its own. A session's program is given what it needs.
const OURS = ['HOME', 'CONFIG', 'PORT', 'SESSION', 'SWAP', 'SIGNALS', 'EDITOR', 'DOOR'].map(
  (name) => `SM_${name}`,
);

const withoutOurs = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.includes(name)));
