// The hosts that the user has added: on disk by name and destination, connected while a session or a request needs them.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { deleteHost, type HostRow, insertHost, listHosts, type Store } from '../store/index.js';
import { Emitter, exitArgs, type HostState, SshHost } from '../tmux/index.js';
import { SessionError } from './errors.js';
import { HOST_NAME } from './server-address.js';

export interface HostsDeps {
  store: Store;
  env: NodeJS.ProcessEnv;
  // $SM_HOME/ssh, where the sockets of our connections are.
  folder: string;
  // What tells our control clients from those of others.
  mark: string;
  clock: () => number;
  chance: () => number;
  log: (message: string, details: Record<string, unknown>) => void;
}

export interface Host {
  row: HostRow;
  ssh: SshHost;
}

const DESTINATION = 'a destination as ssh takes it, such as user@machine or a name of your ssh configuration';
const run = promisify(execFile);

export class Hosts {
  readonly #hosts = new Map<string, Host>();
  readonly #state = new Emitter<{ name: string; state: HostState }>();
  readonly onState = this.#state.event;
  // Before any client is opened on a new connection; set by whoever follows sessions there.
  prepare: (host: SshHost) => Promise<void> = async () => {};
  // Whether there are sessions on it.
  isNeeded: (name: string) => boolean = () => true;

  constructor(readonly deps: HostsDeps) {
    fs.mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
    for (const row of listHosts(deps.store)) this.#take(row);
  }

  list(): Host[] {
    return [...this.#hosts.values()];
  }

  find(name: string): Host | undefined {
    return this.#hosts.get(name);
  }

  get(name: string): Host {
    const host = this.find(name);
    if (host) return host;
    const names = this.list().map(({ row }) => row.name);
    throw new SessionError('not_found', `no such host: ${name}`, {
      field: 'host',
      value: name,
      expected: names.length
        ? `one of: ${names.join(', ')}`
        : 'a host that "sm host add" has added: there are none',
    });
  }

  async add(name: string, destination: string): Promise<Host> {
    if (!HOST_NAME.test(name))
      throw new SessionError('invalid', `no name for a host: ${name}`, {
        field: 'name',
        value: name,
        expected: 'letters, digits, ".", "_" or "-", starting with a letter or digit, at most 64',
      });
    // ssh would take the first for an option, and the others for something else than a name.
    if (/^-|^$|[\s\p{Cc}]/u.test(destination))
      throw new SessionError('invalid', `no destination for ssh: ${JSON.stringify(destination)}`, {
        field: 'destination',
        value: destination,
        expected: DESTINATION,
      });
    // The rest of it would be a part of the machine's name.
    const [, machine, port] = /^([^:]+):(\d+)$/.exec(destination) ?? [];
    if (machine !== undefined)
      throw new SessionError('invalid', `no destination for ssh: ${JSON.stringify(destination)}`, {
        field: 'destination',
        value: destination,
        expected: `with a port it is ssh://${machine}:${port}`,
      });
    const known = this.find(name);
    if (known)
      throw new SessionError('name_taken', `a host named "${name}" exists: ${known.row.destination}`, {
        field: 'name',
        value: name,
        expected: 'a name that no host has',
      });
    const row = { name, destination, created_at: this.deps.clock() };
    await this.deps.store.write([insertHost(row)]);
    return this.#take(row);
  }

  async remove(name: string): Promise<void> {
    const host = this.get(name);
    this.#hosts.delete(name);
    try {
      await this.deps.store.write([deleteHost(name)]);
    } catch (error) {
      this.#hosts.set(name, host);
      throw error;
    }
    host.ssh.dispose();
  }

  // Connections that a daemon which was killed left behind end by themselves; one that hangs does not.
  async endLeftBehind(): Promise<void> {
    const { folder, env } = this.deps;
    const sockets = fs.readdirSync(folder).filter((name) => /^c[0-9a-f]{12}/.test(name));
    await Promise.all(
      sockets.map(async (socket) => {
        await run('ssh', exitArgs(socket), { cwd: folder, env, timeout: EXIT_MS }).catch(() => {});
        fs.rmSync(path.join(folder, socket), { force: true });
      }),
    );
  }

  dispose(): void {
    for (const { ssh } of this.#hosts.values()) ssh.dispose();
  }

  #take(row: HostRow): Host {
    const { env, folder, mark, clock, chance, log } = this.deps;
    const config = env.SM_SSH_CONFIG;
    const ssh = new SshHost({
      name: row.name,
      settings: { destination: row.destination, config, folder, env },
      mark,
      clock,
      chance,
      prepare: (host) => this.prepare(host),
      isNeeded: () => this.isNeeded(row.name),
      log,
    });
    const host = { row, ssh };
    this.#hosts.set(row.name, host);
    ssh.onState((state) => this.#state.fire({ name: row.name, state }));
    return host;
  }
}

const EXIT_MS = 2000;
