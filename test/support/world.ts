// A whole Suremail for one test: a daemon in a home of its own, a tmux server of its own, and fake agents in it.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../../src/api/client.js';
import { locateHome } from '../../src/api/locate.js';
import type { Message, Session } from '../../src/api/types.js';
import { Person, type PersonOptions } from '../../src/cli/demo/person.js';
import { type AgentLog, agentLog } from './agent-log.js';
import { fakeAgent, ROOT, until } from './tmux.js';

export type { AgentDraft, AgentEvent } from './agent-log.js';

const run = promisify(execFile);
const DAEMON = path.join(ROOT, 'dist/daemon/main.js');
const CLI = path.join(ROOT, 'dist/cli/main.js');

export interface TestAgent extends AgentLog {
  session: Session;
}

export class World {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smw-'));
  readonly home = path.join(this.folder, 'home');
  readonly socket = path.join(this.folder, 'tmux.sock');
  readonly env: NodeJS.ProcessEnv;
  readonly client: Client;
  #daemon: ChildProcess | undefined;
  #other: number | undefined;
  readonly #people: Person[] = [];
  #agents = 0;

  constructor(extra: NodeJS.ProcessEnv = {}) {
    this.env = { ...process.env, SM_HOME: this.home, SM_PORT: '0', TMUX_TMPDIR: this.folder, ...extra };
    for (const name of ['TMUX', 'TMUX_PANE', 'SM_SESSION', 'SM_CONFIG']) delete this.env[name];
    this.client = new Client({ socket: locateHome(this.env).socket });
  }

  static async start(extra: NodeJS.ProcessEnv = {}): Promise<World> {
    const world = new World(extra);
    await world.begin();
    return world;
  }

  // A server that outlives its sessions, without the configuration of whoever runs the tests; and the daemon.
  async begin(): Promise<void> {
    this.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keep', 'cat');
    await this.startDaemon();
  }

  // A profile of data alone, as a user adds one; before the daemon starts.
  profile(name: string, yaml: string): void {
    const folder = path.join(this.home, 'agents');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(folder, `${name}.yaml`), yaml);
  }

  configure(yaml: string): void {
    fs.mkdirSync(this.home, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(this.home, 'config.yaml'), yaml, { mode: 0o600 });
  }

  // Never 0, which would signal whoever runs the tests.
  get pid(): number {
    const pid = this.#daemon?.pid ?? this.#other;
    if (pid === undefined) throw new Error('no daemon is running');
    return pid;
  }

  // Resolves with the daemon's first word: ready, running or failed.
  async startDaemon(extra: NodeJS.ProcessEnv = {}): Promise<string> {
    const child = spawn(process.execPath, [DAEMON], {
      env: { ...this.env, ...extra },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const line = await new Promise<string>((resolve, reject) => {
      child.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      child.once('exit', (code) => reject(new Error(`the daemon ended with ${code}: ${stderr}`)));
    });
    if (line.startsWith('ready')) this.#daemon = child;
    // One that somebody else started, as the watchdog of held keys does.
    else if (line.startsWith('running')) this.#other = await until(() => this.#writtenPid(), 'its pid');
    return line;
  }

  // A server with clients that no longer read (those of killed daemons) outlives its kill-server.
  async #endServer(): Promise<void> {
    try {
      const pid = Number(this.tmux('display-message', '-p', '#{pid}'));
      this.tmux('kill-server');
      await until(() => !isAlive(pid), 'the tmux server to end', 1000).catch(() =>
        process.kill(pid, 'SIGKILL'),
      );
    } catch {
      // Some tests end the server themselves.
    }
  }

  #writtenPid(): number | undefined {
    try {
      const file = path.join(this.home, 'daemon.json');
      const { pid } = JSON.parse(fs.readFileSync(file, 'utf8')) as { pid: number };
      return isAlive(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  // Resolves once the daemon that this started has ended by itself.
  async ended(): Promise<void> {
    const child = this.#daemon;
    await until(() => child?.exitCode !== null || child.signalCode !== null, 'the daemon to end');
  }

  // As a power cut would.
  async kill9(): Promise<void> {
    if (this.#other !== undefined) {
      const pid = this.#other;
      this.#other = undefined;
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      await until(() => !isAlive(pid), `daemon ${pid} to end`);
    }
    const child = this.#daemon;
    this.#daemon = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  tmux(...args: string[]): string {
    return execFileSync('tmux', ['-S', this.socket, ...args], {
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  // The command line as a person's shell runs it; never throws.
  async sm(
    args: string[],
    { env = {}, input }: { env?: NodeJS.ProcessEnv; input?: string } = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const running = run(process.execPath, [CLI, ...args], {
      env: { ...this.env, ...env },
      maxBuffer: 1 << 26,
    });
    if (input !== undefined) running.child.stdin?.end(input);
    try {
      return { code: 0, ...(await running) };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  }

  agentLog(name: string): AgentLog {
    return agentLog(path.join(this.folder, `${name}.jsonl`));
  }

  // A fake agent as a session; returns before it is ready unless asked to wait.
  async agent(
    program: string,
    args: string[] = [],
    {
      // No other has its log.
      name = `${program.split('/')[0]}-${++this.#agents}x`,
      ready = true,
      env = {} as Record<string, string>,
      agent: profile = undefined as string | undefined,
    } = {},
  ): Promise<TestAgent> {
    const log = this.agentLog(name);
    const session = await this.client.start({
      name,
      ...(profile && { agent: profile }),
      socket: this.socket,
      cwd: this.folder,
      command: [process.execPath, fakeAgent(program), ...args],
      env: { ...env, FAKE_LOG: log.log },
      width: 100,
      height: 30,
    });
    const agent = { session, ...log };
    if (ready) await until(() => agent.events().some(({ ev }) => ev === 'ready'), `${name} to be ready`);
    return agent;
  }

  async send(
    to: TestAgent | Session | string,
    text: string,
    options: { command?: boolean; past_draft?: 'auto' | 'now' | 'stale' | 'never' } = {},
  ): Promise<Message> {
    const ref = typeof to === 'string' ? to : 'session' in to ? to.session.id : to.id;
    const { messages } = await this.client.send({ to: [ref], text, ...options });
    return messages[0] as Message;
  }

  // The message once it is submitted or can no longer be; its whole life goes to the log when it is not.
  async submitted(message: Message, timeout = 20): Promise<Message> {
    const after = await this.client.wait(message.id, { for: 'submitted', timeout });
    if (!['submitted', 'received', 'done'].includes(after.receipt))
      console.log(JSON.stringify(await this.client.message(message.id), null, 1));
    return after;
  }

  // Waits until a message is held for a reason.
  async held(message: Message, reason: string): Promise<Message> {
    let seen: Message | undefined;
    await until(async () => {
      seen = await this.client.message(message.id);
      return seen.held === reason;
    }, `#${message.id} to be held: ${reason} (is: ${seen?.held})`).catch((error) => {
      throw new Error(`${(error as Error).message}; it is ${JSON.stringify(seen)}`);
    });
    return seen as Message;
  }

  async person(agent: TestAgent, options: PersonOptions = {}): Promise<Person> {
    const person = await Person.attach(['-S', this.socket], agent.session.tmux_session, {
      msPerKey: 40,
      ...options,
    });
    this.#people.push(person);
    return person;
  }

  async dispose(): Promise<void> {
    for (const person of this.#people) await person.leave();
    // First the server: with it go the watchdogs of held keys, which would start another daemon.
    await this.#endServer();
    await this.kill9();
    this.#other = this.#writtenPid();
    await this.kill9();
    // Fake agents still write their last line while their terminal closes.
    await until(() => removed(this.folder), `${this.folder} to be removed`);
  }
}

// What an agent must have been given for a message.
export const delivered = (message: Message, sender = 'user'): string =>
  `[Input from: ${sender} via sm send] #${message.id}\n${message.text}`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function removed(folder: string): boolean {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
