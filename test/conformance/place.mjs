// A place of its own for one agent: a HOME, a tmux server, a Suremail daemon. Nothing that runs in it outlives it.
import { execFile, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { soon } from './wait.mjs';

const run = promisify(execFile);
const END_MS = 3000;
// tmux before 3.5 waits half a second after an Escape; people who use it with such programs set it lower.
const ESCAPE_MS = '10';

const open = new Set();
export const closeAll = () => Promise.all([...open].map((place) => place.close()));

export class Place {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smc-'));
  home = path.join(this.folder, 'home');
  cwd = path.join(this.folder, 'work');
  tmuxSocket = path.join(this.folder, 'tmux');
  // Where the person's terminal runs.
  personSocket = path.join(this.folder, 'person');
  #daemon;
  #closed = false;

  // `build`: what copyBuild() gave. `env(place)`: what the person's shell exports there (their editor, say). `files`: in SM_HOME.
  static async open(build, { env = () => ({}), paths = [], files = {} } = {}) {
    const place = new Place();
    open.add(place);
    const load = (file) => import(pathToFileURL(path.join(build.folder, 'dist', file)));
    place.cli = path.join(build.folder, 'dist/cli/main.js');
    place.daemonScript = path.join(build.folder, 'dist/daemon/main.js');
    for (const folder of [place.home, place.cwd]) fs.mkdirSync(folder);
    const searched = [...paths, path.dirname(process.execPath), ...(process.env.PATH ?? '').split(':')];
    // Nothing of whoever runs this: no keys, no configuration, no surrounding session.
    place.env = {
      PATH: searched.join(':'),
      HOME: place.home,
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SM_HOME: path.join(place.folder, 'sm'),
      SM_PORT: '0',
      SM_CONFORMANCE: place.folder,
      ...env(place),
    };
    const [{ Client }, { locateHome }] = await Promise.all([load('api/client.js'), load('api/locate.js')]);
    place.locations = locateHome(place.env);
    place.client = new Client({ socket: place.locations.socket });
    // The pane outlives every session, so that the server does too.
    const size = ['-x', '120', '-y', '40'];
    place.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'keep', ...size, 'cat');
    place.tmux('set-option', '-s', 'escape-time', ESCAPE_MS);
    fs.mkdirSync(place.env.SM_HOME, { mode: 0o700 });
    place.write(place.env.SM_HOME, files);
    await place.startDaemon();
    return place;
  }

  get daemonPid() {
    return this.#daemon?.pid;
  }

  async startDaemon() {
    const log = fs.openSync(this.locations.log, 'a', 0o600);
    const child = spawn(process.execPath, [this.daemonScript], {
      env: this.env,
      cwd: this.folder,
      stdio: ['ignore', log, log, 'pipe'],
    });
    fs.closeSync(log);
    const line = await new Promise((resolve, reject) => {
      child.stdio[3].once('data', (chunk) => resolve(chunk.toString().trim()));
      child.once('exit', (code) => reject(new Error(`the daemon ended with ${code}`)));
      child.once('error', reject);
    });
    if (!line.startsWith('ready')) throw new Error(`no daemon: ${line}`);
    this.#daemon = child;
  }

  // As a power cut would.
  async killDaemon() {
    const child = this.#daemon;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  tmux(...args) {
    return execFileSync('tmux', ['-S', this.tmuxSocket, ...args], {
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  // The command line as the person's shell runs it.
  async sm(args) {
    try {
      const { stdout } = await run(process.execPath, [this.cli, ...args], { env: this.env });
      return stdout;
    } catch (error) {
      throw new Error(`sm ${args[0]}: ${error.stderr || error.message}`);
    }
  }

  write(root, files) {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(root, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
  }

  async close() {
    if (this.#closed) return;
    this.#closed = true;
    await this.killDaemon();
    for (const socket of [this.personSocket, this.tmuxSocket])
      await run('tmux', ['-S', socket, 'kill-server']).catch(() => {});
    await this.#endProcesses();
    await soon(() => removed(this.folder), END_MS);
    open.delete(this);
  }

  // Agents leave servers of their own behind. They are known by a variable that only they inherit (where /proc shows it).
  async #endProcesses() {
    const mark = `SM_CONFORMANCE=${this.folder}`;
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      for (const pid of processesWith(mark)) signalTo(pid, signal);
      if (await soon(() => processesWith(mark).length === 0, END_MS, 50)) return;
    }
  }
}

function processesWith(assignment) {
  if (!fs.existsSync('/proc/self/environ')) return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(assignment);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function signalTo(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

function removed(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}
