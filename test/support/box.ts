// Another machine for a unit test: this one, behind a connection that is made and cut when the test says so.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Disposable, Listener } from '../../src/tmux/events.js';
import type { ShellResult } from '../../src/tmux/far-shell.js';
import { Emitter, HostDown, LocalTransport, type SshHost } from '../../src/tmux/index.js';

export class Box extends LocalTransport {
  override readonly host: string = 'box';
  override skewS = 0;
  readonly deps = { mark: 'sm-000000000000' };
  readonly #up = new Emitter<void>();
  readonly #lost = new Emitter<HostDown>();
  #clients: ChildProcess[] = [];
  #isUp = true;
  #isShut = false;

  get state(): { kind: 'up' } | { kind: 'down'; reason: string } {
    return this.#isUp ? { kind: 'up' } : { kind: 'down', reason: 'it was cut' };
  }

  get ssh(): SshHost {
    return this as unknown as SshHost;
  }

  get facts(): { socketFolder: string } {
    return { socketFolder: '/nowhere' };
  }

  async reach(): Promise<{ socketFolder: string }> {
    return this.facts;
  }

  // Also while it is cut: only its clients wait.
  async script(text: string): Promise<ShellResult> {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', text], { encoding: 'utf8' });
    return { code: status ?? 255, stdout, stderr };
  }

  execute(text: string): Promise<ShellResult> {
    return this.script(text);
  }

  override async ready(): Promise<void> {
    if (this.#isUp && !this.#isShut) return;
    await new Promise<void>((resolve) => {
      const wait = this.#up.event(() => {
        wait.dispose();
        resolve();
      });
    });
  }

  // No further client gets there until it is restored, though it is not lost.
  shut(): void {
    this.#isShut = true;
  }

  // How many clients wait for it.
  get awaited(): number {
    return this.#up.size;
  }

  override onLost(listener: Listener<HostDown>): Disposable {
    if (!this.#isUp) listener(this.#down);
    return this.#lost.event(listener);
  }

  get #down(): HostDown {
    return new HostDown(this.host, 'it was cut', 'wait');
  }

  override open(args: readonly string[]): ChildProcess {
    const client = super.open(args);
    this.#clients.push(client);
    return client;
  }

  // Nobody says goodbye, neither there nor here.
  async cut(): Promise<void> {
    this.#isUp = false;
    await this.endClients();
    this.#lost.fire(this.#down);
  }

  async endClients(): Promise<void> {
    const ended = this.#clients
      .splice(0)
      .filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null);
    const closed = ended.map((client) => once(client, 'close'));
    for (const client of ended) client.kill('SIGKILL');
    await Promise.all(closed);
  }

  restore(clients: 'come' | 'wait' = 'come'): void {
    this.#isUp = true;
    this.#isShut = clients === 'wait';
    if (clients === 'come') this.#up.fire();
  }
}
