// Another machine for a unit test: this one, behind a connection that is made and cut when the test says so.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Disposable, Listener } from '../../src/tmux/events.js';
import { Emitter, HostDown, LocalTransport, type SshHost } from '../../src/tmux/index.js';

export class Box extends LocalTransport {
  override readonly host: string = 'box';
  override skewS = 0;
  readonly deps = { mark: 'sm-000000000000' };
  readonly #up = new Emitter<void>();
  readonly #lost = new Emitter<HostDown>();
  #clients: ChildProcess[] = [];
  #isUp = true;

  get state(): { kind: 'up' } | { kind: 'down'; reason: string } {
    return this.#isUp ? { kind: 'up' } : { kind: 'down', reason: 'it was cut' };
  }

  get ssh(): SshHost {
    return this as unknown as SshHost;
  }

  override async ready(): Promise<void> {
    if (!this.#isUp) await new Promise<void>((resolve) => this.#up.event(resolve));
  }

  override onLost(listener: Listener<HostDown>): Disposable {
    return this.#lost.event(listener);
  }

  override open(args: readonly string[]): ChildProcess {
    const client = super.open(args);
    this.#clients.push(client);
    return client;
  }

  // Nobody says goodbye, neither there nor here.
  async cut(): Promise<void> {
    this.#isUp = false;
    const ended = this.#clients
      .splice(0)
      .filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null);
    const closed = ended.map((client) => once(client, 'close'));
    for (const client of ended) client.kill('SIGKILL');
    await Promise.all(closed);
    this.#lost.fire(new HostDown(this.host, 'it was cut', 'wait'));
  }

  restore(): void {
    this.#isUp = true;
    this.#up.fire();
  }
}
