// How tmux is run: here, or on another machine.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { type HostDown, TmuxError } from './errors.js';
import { type Disposable, disposable, type Listener } from './events.js';

export interface Transport {
  // The name of the machine; undefined for this one.
  readonly host: string | undefined;
  // How many seconds its clock is ahead of ours.
  readonly skewS: number;
  // Resolves once the machine can be reached.
  ready(): Promise<void>;
  // Told when the connection to the machine is lost or given up; at once where there is none.
  onLost(listener: Listener<HostDown>): Disposable;
  // Whether one client more can be opened now.
  readonly hasRoom: boolean;
  // The same, and makes room where it can be made.
  room(): Promise<boolean>;
  // A tmux that lives on and takes commands on its input.
  open(args: readonly string[]): ChildProcess;
  // One tmux command; what it printed. Rejects with a TmuxError in tmux's own words.
  run(args: readonly string[]): Promise<string>;
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const execute = promisify(execFile);

export class LocalTransport implements Transport {
  readonly host: string | undefined = undefined;
  readonly skewS: number = 0;
  readonly hasRoom = true;
  readonly #env: NodeJS.ProcessEnv;

  constructor(
    readonly program = 'tmux',
    env: NodeJS.ProcessEnv = process.env,
  ) {
    // Started inside a pane, tmux would act on that pane's server.
    this.#env = { ...env };
    delete this.#env.TMUX;
    delete this.#env.TMUX_PANE;
  }

  async ready(): Promise<void> {}

  onLost(_listener: Listener<HostDown>): Disposable {
    return disposable(() => {});
  }

  async room(): Promise<boolean> {
    return true;
  }

  open(args: readonly string[]): ChildProcess {
    return spawn(this.program, args, { env: this.#env, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  async run(args: readonly string[]): Promise<string> {
    try {
      const { stdout } = await execute(this.program, args, { env: this.#env, maxBuffer: MAX_REPLY_BYTES });
      return stdout;
    } catch (error) {
      const { stderr, message, code } = error as { stderr?: string; message: string; code?: unknown };
      const missing = code === 'ENOENT' ? `the program "${this.program}" was not found` : undefined;
      throw new TmuxError(args.join(' '), missing ?? (stderr?.trim() || message));
    }
  }
}

// Rejects with HostDown as soon as the machine is lost, or where it is: when it is back, what was known of it before may be wrong.
export function unlessLost<T>(transport: Transport, act: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const lost = transport.onLost(reject);
    act.then(resolve, reject).finally(() => lost.dispose());
  });
}
