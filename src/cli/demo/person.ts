// A simulated person: a real tmux client on a real pty (a pane of another tmux server), typing with human rhythm.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const KEYS: Record<string, string> = {
  Enter: '\r',
  Escape: '\x1b',
  Tab: '\t',
  BSpace: '\x7f',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  Home: '\x1b[H',
  End: '\x1b[F',
  'C-a': '\x01',
  'C-b': '\x02',
  'C-c': '\x03',
  'C-d': '\x04',
  'C-e': '\x05',
  'C-j': '\n',
  'C-k': '\x0b',
  'C-u': '\x15',
};

export interface PersonOptions {
  // Mean time between two keys; single gaps vary between half and one and a half of it.
  msPerKey?: number;
  width?: number;
  height?: number;
  random?: () => number;
  // Where the person's own tmux server listens; otherwise it gets a name of its own.
  socket?: string;
}

// tmux has no event for "a client has attached" that an outsider could await; looked at this often, for at most so long.
const ATTACH_LOOK_MS = 10;
const ATTACH_DEADLINE_MS = 10_000;

export class Person {
  readonly #random: () => number;
  readonly #msPerKey: number;

  // Attaches to the session that shows `target`, on the server that `socketArgs` (`-L name`) names.
  static async attach(
    socketArgs: readonly string[],
    target: string,
    options: PersonOptions = {},
  ): Promise<Person> {
    const name = `sm-person-${process.pid}-${randomBytes(3).toString('hex')}`;
    const seat = options.socket === undefined ? ['-L', name] : ['-S', options.socket];
    const env = { ...process.env, TERM: 'xterm-256color' } as NodeJS.ProcessEnv;
    delete env.TMUX;
    const before = await clients(socketArgs);
    const size = ['-x', String(options.width ?? 100), '-y', String(options.height ?? 30)];
    const attach = ['env', '-u', 'TMUX', 'tmux', '-u', ...socketArgs, 'attach-session', '-t', target];
    const seatArgs = [...seat, '-f', '/dev/null'];
    await run('tmux', [...seatArgs, 'new-session', '-d', ...size, '--', ...attach], { env });
    // The person's keys, the prefix key included, belong to the tmux they look at.
    await run('tmux', [
      ...seatArgs,
      'set',
      '-g',
      'prefix',
      'None',
      ';',
      'set',
      '-g',
      'status',
      'off',
      ';',
      'set',
      '-s',
      'escape-time',
      '0',
    ]);
    for (const end = Date.now() + ATTACH_DEADLINE_MS; (await clients(socketArgs)).length <= before.length; ) {
      if (Date.now() > end) throw new Error(`the person could not attach to ${target}`);
      await delay(ATTACH_LOOK_MS);
    }
    return new Person(seat, options);
  }

  readonly #keys: ChildProcess;

  private constructor(
    readonly seat: readonly string[],
    options: PersonOptions,
  ) {
    this.#random = options.random ?? Math.random;
    this.#msPerKey = options.msPerKey ?? 80;
    this.#keys = spawn('tmux', [...seat, '-C', 'attach-session', '-f', 'ignore-size,no-output'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, TMUX: '' },
    });
    this.#keys.stdin?.on('error', () => {});
  }

  // Sends bytes as the person's terminal would, all at once.
  send(bytes: string): void {
    const hex = Buffer.from(bytes).toString('hex').replace(/../g, ' $&');
    this.#keys.stdin?.write(`send-keys -H${hex}\n`);
  }

  async type(text: string): Promise<void> {
    for (const char of text) {
      this.send(char === '\n' ? '\n' : char);
      await delay(this.#msPerKey * (0.5 + this.#random()));
    }
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.send(KEYS[key] ?? key);
      await delay(this.#msPerKey * (0.5 + this.#random()));
    }
  }

  paste(text: string): void {
    this.send(`\x1b[200~${text}\x1b[201~`);
  }

  // What the person sees on their terminal.
  screen(): string {
    return execFileSync('tmux', [...this.seat, 'capture-pane', '-p'], { encoding: 'utf8' });
  }

  async leave(): Promise<void> {
    await run('tmux', [...this.seat, 'kill-server']).catch(() => {});
  }
}

async function clients(socketArgs: readonly string[]): Promise<string[]> {
  const { stdout } = await run('tmux', [...socketArgs, 'list-clients', '-F', '#{client_tty}']);
  return stdout.split('\n').filter(Boolean);
}
