// Where the demo plays: a folder, a daemon and two tmux servers of its own. Closing it leaves nothing of them.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Home, locateHome } from '../../api/locate.js';
import type { Session, Status } from '../../api/types.js';
import { type Client, connect } from '../connect.js';
import { CliError, EXIT } from '../errors.js';
import { startDaemon } from '../start-daemon.js';
import type { AgentNote, AgentScript } from './agent.js';
import { Person } from './person.js';
import { PANE, PROFILE } from './script.js';

const run = promisify(execFile);
const AGENT = fileURLToPath(new URL('./agent.js', import.meta.url));
// A socket's path holds about 100 bytes.
const LONGEST_TEMP = 60;
// Processes that are not our children tell nobody when they end; looked at this often, for at most so long.
const LOOK_MS = 20;
const END_MS = 5000;

export class Stage {
  readonly folder: string;
  readonly client: Client;
  readonly tmux: string;
  readonly seat: string;
  readonly #home: Home;
  readonly #pids: number[] = [];
  readonly #begun: Promise<unknown>[] = [];
  #closed: Promise<void> | undefined;
  #gone = false;

  constructor() {
    const temp = os.tmpdir().length > LONGEST_TEMP ? '/tmp' : os.tmpdir();
    this.folder = mkdtempSync(path.join(temp, 'sm-demo-'));
    this.tmux = path.join(this.folder, 'tmux.sock');
    this.seat = path.join(this.folder, 'seat.sock');
    this.#home = locateHome({ SM_HOME: path.join(this.folder, 'home') });
    this.client = connect(this.#home);
  }

  open = (): Promise<Status> => this.#begin(() => this.#open());

  agent = (name: string, script: Omit<AgentScript, 'log'>): Promise<Session> =>
    this.#begin(() => this.#agent(name, script));

  // Somebody at the keys of a session's pane.
  person = ({ tmux_session }: Session, msPerKey: number): Promise<Person> =>
    this.#begin(() =>
      Person.attach(['-S', this.tmux], tmux_session, { msPerKey, socket: this.seat, ...PANE }),
    );

  // What is being started while the stage closes would be left behind.
  #begin<T>(start: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the demo is over'));
    const begun = start();
    this.#begun.push(begun);
    return begun;
  }

  async #open(): Promise<Status> {
    // Without the user's configuration, and without a status line that would take a row of the panes.
    const server = ['-S', this.tmux, '-f', '/dev/null', 'start-server'];
    const options = ['set', '-s', 'exit-empty', 'off', ';', 'set', '-g', 'status', 'off'];
    await run('tmux', [...server, ';', ...options]).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new CliError(
        'the demo needs tmux, which was not found',
        EXIT.failed,
        'install tmux 3.3 or newer',
      );
    });
    const profiles = path.join(this.#home.folder, 'agents');
    mkdirSync(profiles, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(profiles, `${PROFILE.name}.yaml`), PROFILE.yaml, { mode: 0o600 });
    // Any free port: the usual one may be the user's own daemon's.
    process.env.SM_PORT = '0';
    await startDaemon(this.#home);
    const status = await this.client.status();
    this.#pids.push(status.pid);
    return status;
  }

  async #agent(name: string, script: Omit<AgentScript, 'log'>): Promise<Session> {
    const words = JSON.stringify({ ...script, log: this.#log(name) } satisfies AgentScript);
    const command = [process.execPath, AGENT, words];
    const own = { command, name, agent: PROFILE.name, cwd: this.folder, socket: this.tmux };
    const session = await this.client.start({ ...own, ...PANE });
    if (session.program) this.#pids.push(session.program.pid);
    return session;
  }

  // What an agent wrote down about itself.
  notes(name: string): AgentNote[] {
    const lines = readFileSync(this.#log(name), 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as AgentNote);
  }

  #log = (name: string): string => path.join(this.folder, `${name}.jsonl`);

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#begun);
    // The agents first: an `sm` of theirs would start the daemon anew.
    for (const socket of [this.seat, this.tmux])
      await run('tmux', ['-S', socket, 'kill-server']).catch(() => {});
    await Promise.race([this.client.stop().catch(() => {}), delay(END_MS)]);
    for (const end = Date.now() + END_MS; this.#pids.some(isAlive) && Date.now() < end; )
      await delay(LOOK_MS);
    this.abandon();
  }

  // All at once and without waiting, for a process that is about to exit.
  abandon(): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const socket of [this.seat, this.tmux]) {
      try {
        execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
      } catch {
        // It has ended already.
      }
    }
    for (const pid of this.#pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: LOOK_MS });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // In a container without an init process, a process that has ended stays listed as a zombie.
    return !/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return process.platform !== 'linux';
  }
}
