// One ssh connection of ours: a shell on it, and channels for further programs beside that. It ends with us, however we end:
// its shell reads from a pipe that closes then.
import { type ChildProcess, spawn } from 'node:child_process';
import { Emitter } from './events.js';
import { FarShell } from './far-shell.js';
import { failureFrom, SshFailure } from './ssh-failure.js';
import { channelArgs, masterArgs, type SshPlace } from './ssh-options.js';

export interface SshSettings extends SshPlace {
  // Where the sockets of connections are: the working folder of ssh, so that no path is too long for a socket.
  folder: string;
  env: NodeJS.ProcessEnv;
}

// Servers allow ten channels on a connection where nobody has set another number: the shell, and one to spare.
export const CHANNELS = 8;
// From the first byte to the first answer of the shell, with all that may have to be asked of agents and proxies.
const OPEN_MS = 40_000;

export class SshConnection {
  readonly shell: FarShell;
  readonly #child: ChildProcess;
  readonly #end = new Emitter<SshFailure>();
  readonly onEnd = this.#end.event;
  #ended: SshFailure | undefined;
  #channels = 0;
  #capacity: number;

  private constructor(
    readonly settings: SshSettings,
    readonly socket: string,
    capacity: number,
  ) {
    this.#capacity = capacity;
    const { destination, folder, env } = settings;
    this.#child = spawn('ssh', masterArgs(settings, socket, 'exec sh'), {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.shell = new FarShell(this.#child, () =>
      this.#finish(new SshFailure('silent', `${destination} does not answer any more`)),
    );
    this.#child.on('error', ({ message }) =>
      this.#finish(new SshFailure('no_ssh', `ssh cannot be run here: ${message}`)),
    );
    this.#child.on('close', (code) => this.#finish(failureFrom(destination, this.shell.complaint, code)));
  }

  // Rejects with an SshFailure.
  static async open(settings: SshSettings, socket: string, capacity: number): Promise<SshConnection> {
    const connection = new SshConnection(settings, socket, capacity);
    try {
      await connection.shell.run(':', OPEN_MS);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  get ended(): SshFailure | undefined {
    return this.#ended;
  }

  get hasRoom(): boolean {
    return !this.#ended && this.#channels < this.#capacity;
  }

  // How many channels it takes beside the shell, as far as is known.
  get capacity(): number {
    return this.#capacity;
  }

  // A program beside the shell. One that the server does not let in teaches how many it takes.
  channel(command: string): ChildProcess {
    const { settings, socket } = this;
    const child = spawn('ssh', channelArgs(settings, socket, command), {
      cwd: settings.folder,
      env: settings.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const others = this.#channels++;
    let isRefused = false;
    child.stderr?.on('data', (chunk: Buffer) => {
      isRefused ||= /open refused|refused by peer|open failed/i.test(chunk.toString('latin1'));
    });
    child.on('close', () => {
      this.#channels--;
      if (isRefused) this.#capacity = Math.min(this.#capacity, others);
    });
    // Without it nobody would hear that it could not be run.
    child.on('error', () => {});
    return child;
  }

  #finish(failure: SshFailure): void {
    if (this.#ended) return;
    this.#ended = failure;
    this.shell.end(failure);
    this.#child.kill();
    this.#end.fire(failure);
  }

  close(): void {
    this.#finish(new SshFailure('lost', 'closed'));
  }
}
