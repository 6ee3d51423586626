// Another machine, reached over ssh: connected while somebody needs it, again and again when the connection is lost, on as many
// connections as its clients need.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { HostDown, TmuxError } from './errors.js';
import { type Disposable, Emitter } from './events.js';
import type { ShellResult } from './far-shell.js';
import { type HostFacts, learnHost } from './host-facts.js';
import { type HostEvent, type HostState, nextHost } from './host-state.js';
import { shellLine } from './shell-words.js';
import { CHANNELS, SshConnection, type SshSettings } from './ssh-connection.js';
import { SshFailure } from './ssh-failure.js';
import type { Transport } from './transport.js';

export interface SshHostDeps {
  name: string;
  settings: SshSettings;
  // What tells our control clients there from those of others: the name of a terminal, which none of them has.
  mark: string;
  clock: () => number;
  // In [0, 1).
  chance: () => number;
  // Before any client is opened on a new connection.
  prepare: (host: SshHost) => Promise<void>;
  // Whether somebody does; one that nobody needs is not tried again when its connection is lost.
  isNeeded: () => boolean;
  log: (message: string, details: Record<string, unknown>) => void;
}

const ONE_CHANNEL =
  'its ssh server takes only one channel on a connection: MaxSessions must be 2 or more there';

// Timers stand still while the machine sleeps: one that comes so late tells of it. Then the answer must come soon.
const PULSE_MS = 5000;
const SLEPT_MS = 30_000;
const AWAKE_MS = 5000;

export class SshHost implements Transport, Disposable {
  readonly #state = new Emitter<HostState>();
  readonly onState = this.#state.event;
  #current: HostState = { kind: 'idle' };
  #connections: SshConnection[] = [];
  #facts: HostFacts | undefined;
  #retry: NodeJS.Timeout | undefined;
  #opening: Promise<boolean> | undefined;
  // How many channels its server takes on a connection, as far as is known.
  #capacity = CHANNELS;
  #pulse: NodeJS.Timeout | undefined;

  constructor(readonly deps: SshHostDeps) {}

  get host(): string {
    return this.deps.name;
  }

  get state(): HostState {
    return this.#current;
  }

  // Of the last time that it was reached.
  get facts(): HostFacts | undefined {
    return this.#facts;
  }

  get skewS(): number {
    return this.#facts?.skewS ?? 0;
  }

  get connections(): number {
    return this.#connections.length;
  }

  // Somebody needs it from now on.
  want(): void {
    this.#happened({ type: 'wanted' });
  }

  // Tries at once, whatever there is to wait for.
  hurry(): void {
    this.#happened({ type: 'wanted' });
    this.#happened({ type: 'due' });
  }

  // Resolves when it is up; rejects with the reason when it is down, after it was tried once more.
  async reach(): Promise<HostFacts> {
    this.hurry();
    for (;;) {
      const { state } = this;
      if (state.kind === 'up' && this.#facts) return this.#facts;
      if (state.kind !== 'connecting') throw this.#down('reach');
      await this.#changed();
    }
  }

  async ready(): Promise<void> {
    this.want();
    while (this.#current.kind !== 'up') await this.#changed();
  }

  // Never more than one is opened at a time: the second of two that found no room may find it on the first one's.
  async room(): Promise<boolean> {
    for (;;) {
      if (this.#current.kind !== 'up') return false;
      this.#capacity = Math.min(this.#capacity, ...this.#connections.map(({ capacity }) => capacity));
      if (this.#capacity < 1) {
        this.#failed(new SshFailure('no_channel', ONE_CHANNEL));
        return false;
      }
      if (this.#connections.some(({ hasRoom }) => hasRoom)) return true;
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined;
      });
      if (!(await this.#opening)) return false;
    }
  }

  open(args: readonly string[]): ChildProcess {
    const connection = this.#connections.find(({ hasRoom }) => hasRoom) ?? this.#connections[0];
    if (!connection) throw this.#down(args.join(' '));
    const { tmux } = this.#facts as HostFacts;
    return connection.channel(`exec ${shellLine(['env', `TERM=${this.deps.mark}`, tmux, ...args])}`);
  }

  async run(args: readonly string[]): Promise<string> {
    const { tmux } = this.#facts ?? { tmux: 'tmux' };
    const { code, stdout, stderr } = await this.script(shellLine([tmux, ...args]));
    if (code === 0) return stdout;
    throw new TmuxError(args.join(' '), stderr.trim() || `ended with ${code}`);
  }

  // A script of POSIX sh; rejects with HostDown.
  async script(text: string): Promise<ShellResult> {
    // Also while it is being prepared.
    const [connection] = this.#connections;
    if (!connection) throw this.#down(text);
    return connection.shell.run(text).catch((error: Error) => {
      throw new HostDown(this.host, error.message, text);
    });
  }

  // A command line of the login shell there, on a channel of its own: what it printed. It may take its time.
  async execute(line: string, deadlineMs: number): Promise<string> {
    if (!(await this.room())) throw this.#down(line);
    const connection = this.#connections.find(({ hasRoom }) => hasRoom);
    if (!connection) throw this.#down(line);
    const child = connection.channel(line);
    const deadline = setTimeout(() => child.kill(), deadlineMs);
    child.stdin?.end();
    let stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    return new Promise((resolve, reject) => {
      child.on('close', (code) => {
        clearTimeout(deadline);
        // 255 is ssh's own.
        if (code === null || code === 255) reject(this.#down(line));
        else resolve(stdout);
      });
    });
  }

  // Nobody needs it any more.
  dispose(): void {
    this.#happened({ type: 'unwanted' });
  }

  #down(command: string): HostDown {
    const { state } = this;
    const reason = state.kind === 'down' ? state.reason : `it is ${state.kind}`;
    return new HostDown(this.host, reason, command);
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const wait = this.onState(() => {
        wait.dispose();
        resolve();
      });
    });
  }

  #happened(event: HostEvent): void {
    const before = this.#current;
    const { clock, chance } = this.deps;
    const state = nextHost(before, event, clock(), chance());
    if (state === before) return;
    this.#current = state;
    clearTimeout(this.#retry);
    clearInterval(this.#pulse);
    if (state.kind === 'up') this.#pulse = this.#watchSleep();
    if (state.kind === 'idle' || state.kind === 'down')
      for (const connection of this.#connections.splice(0)) connection.close();
    if (state.kind === 'connecting') void this.#connect();
    if (state.kind === 'down')
      this.#retry = setTimeout(() => {
        this.#happened({ type: this.deps.isNeeded() ? 'due' : 'unwanted' });
      }, state.retryAt - clock()).unref();
    const reason = 'reason' in state ? { reason: state.reason } : {};
    this.deps.log(`host ${state.kind}`, { host: this.host, ...reason });
    this.#state.fire(state);
  }

  // A machine that has slept finds its connections dead, and ssh only after its own patience: they are asked at once.
  #watchSleep(): NodeJS.Timeout {
    const { clock } = this.deps;
    let last = clock();
    const pulse = setInterval(() => {
      const slept = clock() - last > SLEPT_MS;
      last = clock();
      if (slept) void this.#connections[0]?.shell.run(':', AWAKE_MS).catch(() => {});
    }, PULSE_MS);
    return pulse.unref();
  }

  async #connect(): Promise<void> {
    try {
      const connection = await this.#newConnection();
      // It may have been set up anew.
      this.#capacity = CHANNELS;
      this.#facts = await learnHost(connection.shell, this.deps);
      await this.deps.prepare(this);
      if (connection.ended) throw connection.ended;
      this.#happened({ type: 'connected' });
    } catch (error) {
      this.#failed(error);
    }
  }

  async #open(): Promise<boolean> {
    try {
      await this.#newConnection();
      return true;
    } catch (error) {
      this.deps.log('no further connection', { host: this.host, error: String(error) });
      return false;
    }
  }

  async #newConnection(): Promise<SshConnection> {
    const { settings } = this.deps;
    const connection = await SshConnection.open(
      settings,
      `c${randomBytes(6).toString('hex')}`,
      this.#capacity,
    );
    if (this.#current.kind === 'idle' || this.#current.kind === 'down') {
      connection.close();
      throw new SshFailure('lost', 'nobody needs it any more');
    }
    this.#connections.push(connection);
    connection.onEnd((failure) => this.#lost(connection, failure));
    return connection;
  }

  // Its clients come back on another one. Without the first the machine counts as lost.
  #lost(connection: SshConnection, failure: SshFailure): void {
    const isFirst = this.#connections[0] === connection;
    this.#connections = this.#connections.filter((one) => one !== connection);
    if (isFirst) this.#failed(new SshFailure(failure.problem, `the connection was lost: ${failure.message}`));
  }

  #failed(error: unknown): void {
    const problem = error instanceof SshFailure ? error.problem : 'lost';
    this.#happened({ type: 'failed', problem, reason: (error as Error).message });
  }
}
