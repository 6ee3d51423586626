// Another machine for a test: a real OpenSSH server of its own on loopback, with its own keys, and a tmux of its own behind it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Message } from '../../src/api/types.js';
import { Person, type PersonOptions } from '../../src/cli/demo/person.js';
import { agentLog } from './agent-log.js';
import { fakeAgent, until } from './tmux.js';
import type { TestAgent, World } from './world.js';

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((file) => fs.existsSync(file));

// Said once by each file that cannot run.
export const NO_SSHD =
  SSHD === undefined
    ? 'skipped: there is no OpenSSH server here (Debian: apt-get install openssh-server)'
    : undefined;
if (NO_SSHD) console.log(NO_SSHD);

export class Far {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smf-'));
  // The client's configuration: `far` is the machine; `stranger` the same one by a name that no key is known for.
  readonly config = path.join(this.folder, 'ssh.conf');
  readonly #known = path.join(this.folder, 'known');
  #port = 0;
  #sshd: ChildProcess | undefined;
  readonly #people: Person[] = [];
  readonly #frozen: number[] = [];
  #agents = 0;

  constructor(readonly more: { maxSessions?: number; env?: Record<string, string> } = {}) {
    fs.mkdirSync(this.file('tmux'), { mode: 0o700 });
    for (const name of ['host', 'user', 'other']) this.#makeKey(name);
    fs.copyFileSync(this.file('user.pub'), this.file('authorized'));
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  #makeKey(name: string): void {
    fs.rmSync(this.file(name), { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', this.file(name)]);
  }

  async start(): Promise<void> {
    this.#port ||= await freePort();
    const env = { TMUX_TMPDIR: this.file('tmux'), ...this.more.env };
    const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    fs.writeFileSync(
      this.file('sshd.conf'),
      [
        `Port ${this.#port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${this.file('host')}`,
        `AuthorizedKeysFile ${this.file('authorized')}`,
        'StrictModes no',
        'UsePAM no',
        'PasswordAuthentication no',
        'KbdInteractiveAuthentication no',
        'PermitRootLogin yes',
        'PidFile none',
        'MaxStartups 100',
        `MaxSessions ${this.more.maxSessions ?? 10}`,
        `SetEnv ${set.join(' ')}`,
        '',
      ].join('\n'),
    );
    const [, ...key] = fs.readFileSync(this.file('host.pub'), 'utf8').split(' ').reverse();
    fs.writeFileSync(this.#known, `[127.0.0.1]:${this.#port} ${key.reverse().join(' ')}\n`);
    this.configure();
    if (process.getuid?.() === 0) fs.mkdirSync('/run/sshd', { recursive: true });
    await this.listen();
  }

  // What the client knows; other keys than the right ones on demand.
  configure({ user = 'user', known = this.#known }: { user?: string; known?: string } = {}): void {
    fs.writeFileSync(
      this.config,
      [
        'Host far',
        '  HostName 127.0.0.1',
        `  Port ${this.#port}`,
        `  User ${os.userInfo().username}`,
        `  IdentityFile ${this.file(user)}`,
        '  IdentitiesOnly yes',
        '  IdentityAgent none',
        `  UserKnownHostsFile ${known}`,
        '  GlobalKnownHostsFile /dev/null',
        '',
      ].join('\n'),
    );
  }

  // Another machine at the same address.
  async changeHostKey(): Promise<void> {
    this.#makeKey('host');
    await this.stop();
    await this.listen();
  }

  async listen(): Promise<void> {
    const child = spawn(SSHD as string, ['-D', '-e', '-f', this.file('sshd.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#sshd = child;
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said = (said + chunk).slice(-10_000);
    });
    await until(() => {
      if (child.exitCode !== null) throw new Error(`sshd ended: ${said}`);
      return said.includes('Server listening');
    }, 'sshd to listen');
  }

  // As when the machine loses its network: nobody says goodbye.
  cut(): void {
    for (const pid of this.#connections()) killHard(pid);
  }

  // As when one of the two sleeps: the connections that there are stand, and nothing comes through them any more.
  freeze(): void {
    for (const pid of this.#connections()) {
      process.kill(pid, 'SIGSTOP');
      this.#frozen.push(pid);
    }
  }

  // No new connection either.
  async stop(): Promise<void> {
    const child = this.#sshd;
    this.#sshd = undefined;
    if (!child) return;
    const connections = childrenOf(child.pid as number);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    for (const pid of connections) killHard(pid);
  }

  get connections(): number {
    return this.#connections().length;
  }

  #connections(): number[] {
    return this.#sshd?.pid === undefined ? [] : childrenOf(this.#sshd.pid);
  }

  // The tmux of that machine, as somebody there would call it.
  tmux(...args: string[]): string {
    const env: NodeJS.ProcessEnv = { ...process.env, TMUX_TMPDIR: this.file('tmux') };
    delete env.TMUX;
    return execFileSync('tmux', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  }

  get socket(): string {
    return path.join(this.file('tmux'), `tmux-${process.getuid?.() ?? 0}`, 'default');
  }

  // A fake agent as a session there.
  async agent(
    world: World,
    program: string,
    args: string[] = [],
    { name = undefined as string | undefined, agent = undefined as string | undefined, ready = true } = {},
  ): Promise<TestAgent> {
    const log = agentLog(this.file(`${name ?? `${program}-${++this.#agents}`}.jsonl`));
    const session = await world.client.start({
      host: 'box',
      ...(name && { name }),
      ...(agent && { agent }),
      cwd: this.folder,
      command: [process.execPath, fakeAgent(program), ...args],
      env: { FAKE_LOG: log.log },
      width: 100,
      height: 30,
    });
    const started = { session, ...log };
    if (ready)
      await until(() => log.events().some(({ ev }) => ev === 'ready'), `${session.name} to be ready`);
    return started;
  }

  // A person at the terminal of that machine.
  async person(agent: TestAgent, options: PersonOptions = {}): Promise<Person> {
    const place = ['-S', this.socket];
    const person = await Person.attach(place, agent.session.tmux_session, { msPerKey: 40, ...options });
    this.#people.push(person);
    return person;
  }

  // What tmux there recorded with the last key of an attempt.
  stepOf({ session }: TestAgent, { id }: Message): string | undefined {
    const entries = this.tmux('show-environment', '-g', '-h').split('\n');
    const entry = entries.find((one) => one.startsWith(`SM_AT_${session.pane.slice(1)}=`)) ?? '';
    return entry.includes(`.${id}.`) ? entry.split('.').at(-1) : undefined;
  }

  // Keys wait at some pane there.
  get holds(): boolean {
    return this.tmux('show-environment', '-g', '-h').includes('SMHOLD_');
  }

  async dispose(): Promise<void> {
    for (const person of this.#people) await person.leave();
    try {
      const pid = Number(this.tmux('display-message', '-p', '#{pid}'));
      this.tmux('kill-server');
      await until(() => !isAlive(pid), 'the far tmux server to end', 1000).catch(() => killHard(pid));
    } catch {
      // There was none.
    }
    await this.stop();
    for (const pid of this.#frozen) killHard(pid);
    await until(() => {
      try {
        fs.rmSync(this.folder, { recursive: true, force: true });
        return true;
      } catch {
        return false;
      }
    }, `${this.folder} to be removed`);
  }
}

const childrenOf = (pid: number): number[] => {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
};

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
