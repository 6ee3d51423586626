// How tmux is run: here, or on another machine.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { TmuxError } from './errors.js';

export interface Transport {
  // The name of the machine; undefined for this one.
  readonly host: string | undefined;
  // How many seconds its clock is ahead of ours.
  readonly skewS: number;
  // Resolves once the machine can be reached.
  ready(): Promise<void>;
  // Whether one client more can be opened now; makes room where it can be made.
  room(): Promise<boolean>;
  // A tmux that lives on and takes commands on its input.
  open(args: readonly string[]): ChildProcess;
  // One tmux command; what it printed. Rejects with a TmuxError in tmux's own words.
  run(args: readonly string[]): Promise<string>;
}

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const execute = promisify(execFile);

export class LocalTransport implements Transport {
  readonly host = undefined;
  readonly skewS: number = 0;
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
