// A place of its own for one figure: a temporary folder, a tmux server and, if asked for, a daemon. Nothing outlives it.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '../../dist/api/client.js';
import { locateHome } from '../../dist/api/locate.js';
import { TmuxServer } from '../../dist/tmux/index.js';
import { until, within } from './wait.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BOX = path.join(ROOT, 'test/agents/box.mjs');
export const CLI = path.join(ROOT, 'dist/cli/main.js');

const READY_MS = 15_000;
const STOP_MS = 5000;
// Variables by which a process would take the surrounding session for its own, or run otherwise than a user's.
const FOREIGN = ['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'SM_SESSION', 'NODE_OPTIONS'];

const open = new Set();
export const closeAll = () => Promise.all([...open].map((place) => place.close()));
// For what else must not outlive a figure; close() may be called more than once.
export const closeLater = (closeable) => open.add(closeable);

export class Place {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-bench-'));
  tmuxSocket = path.join(this.folder, 'tmux');
  server = new TmuxServer({ kind: 'path', path: this.tmuxSocket });
  #daemons = [];
  #clients = [];
  #closing;

  constructor() {
    open.add(this);
  }

  // With the figure's work inside, so that whatever happens the place is left as it was found.
  static async use(work) {
    const place = new Place();
    try {
      return await work(place);
    } finally {
      await place.close();
    }
  }

  environment(home) {
    const env = { ...process.env, SM_HOME: home, SM_PORT: '0' };
    for (const name of FOREIGN) delete env[name];
    return env;
  }

  tmux(...args) {
    const all = ['-S', this.tmuxSocket, '-f', '/dev/null', ...args];
    const env = this.environment(this.folder);
    return execFileSync('tmux', all, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  }

  // A pane that no daemon knows of. The first one brings the tmux server up, without anyone's tmux.conf.
  pane(command) {
    const size = ['-x', '120', '-y', '40'];
    const format = '#{session_id} #{pane_id}';
    const made = this.tmux('new-session', '-d', ...size, '-P', '-F', format, '--', 'env', ...command);
    const [session, pane] = made.split(' ');
    return { session, pane };
  }

  // A control client of a session, of which nobody but the caller knows.
  control(session) {
    const args = ['-S', this.tmuxSocket, '-C', 'attach', '-t', session];
    const env = this.environment(this.folder);
    const client = spawn('tmux', args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#clients.push(client);
    return client;
  }

  // A daemon in a home of its own below the folder, with these files in it.
  async daemon(name = 'home', files = {}) {
    const folder = path.join(this.folder, name);
    const env = this.environment(folder);
    const home = locateHome(env);
    fs.mkdirSync(folder, { mode: 0o700, recursive: true });
    for (const [file, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true, mode: 0o700 });
      fs.writeFileSync(path.join(folder, file), content);
    }
    const log = fs.openSync(home.log, 'a', 0o600);
    const script = path.join(ROOT, 'dist/daemon/main.js');
    const options = { cwd: folder, env, stdio: ['ignore', log, log, 'pipe'] };
    const child = spawn(process.execPath, [...daemonFlags(), script], options);
    fs.closeSync(log);
    const daemon = { child, pid: child.pid, env, home, client: new Client({ socket: home.socket }) };
    this.#daemons.push(daemon);
    const line = await within(firstLine(child), READY_MS, 'the daemon is ready');
    if (!line.startsWith('ready '))
      throw new Error(`no daemon: ${line || fs.readFileSync(home.log, 'utf8').slice(-2000)}`);
    return daemon;
  }

  // Another may be started in its home then.
  stop(daemon) {
    return stop(daemon);
  }

  close() {
    this.#closing ??= (async () => {
      await Promise.all(this.#daemons.map(stop));
      for (const client of this.#clients) client.kill();
      await this.#endTmux();
      fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
      open.delete(this);
    })();
    return this.#closing;
  }

  // The server and all that runs in its panes, which may write to the folder while it ends.
  async #endTmux() {
    let pids = [];
    try {
      const all = this.tmux('list-panes', '-a', '-F', '#{pid}\n#{pane_pid}').split('\n').map(Number);
      pids = [...new Set(all)];
      this.tmux('kill-server');
    } catch {
      // It was never started, or has ended with its last pane.
    }
    const gone = () => !pids.some(isAlive);
    await until(gone, 'tmux has ended', STOP_MS).catch(() => {
      // tmux 3.3a can wait for ever for a control client whose reader has gone.
      for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    });
  }
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

// For finding out where time goes: BENCH_DAEMON_FLAGS="--cpu-prof --cpu-prof-dir=/tmp/prof" npm run bench delivery
const daemonFlags = () => process.env.BENCH_DAEMON_FLAGS?.split(' ').filter(Boolean) ?? [];

async function stop({ child, client }) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await client.stop().catch(() => child.kill('SIGTERM'));
  await within(ended, STOP_MS, 'the daemon has stopped').catch(() => child.kill('SIGKILL'));
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    const pipe = child.stdio[3];
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    pipe.on('end', () => resolve(text));
    child.on('error', reject);
  });
}
