// A private tmux server for one test file, with panes that run what a test needs; gone when the test file ends.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LinkLease, Pane, TmuxServer } from '../../src/tmux/index.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const program = (name: string): string => path.join(ROOT, 'test/programs', name);
export const fakeAgent = (name: string): string => path.join(ROOT, 'test/agents', `${name}.mjs`);

export class TestTmux {
  readonly name = `smt-${process.pid}-${randomBytes(3).toString('hex')}`;
  readonly server = new TmuxServer({ kind: 'name', name: this.name });
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smt-'));
  readonly #leases: LinkLease[] = [];

  // tmux from outside, as a person's shell would call it.
  run(...args: string[]): string {
    const env = { ...process.env };
    delete env.TMUX;
    return execFileSync('tmux', ['-L', this.name, '-f', '/dev/null', ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  get isRunning(): boolean {
    try {
      return this.run('-N', 'list-sessions') !== '';
    } catch {
      return false;
    }
  }

  // A new session whose only pane runs `command`; linked and ready.
  async pane(
    command: readonly string[],
    { width = 100, height = 30, options = [] as string[][] } = {},
  ): Promise<Pane> {
    const format = '#{session_id} #{pane_id}';
    const size = ['-x', String(width), '-y', String(height)];
    const made = this.run('new-session', '-d', ...size, '-P', '-F', format, '--', 'env', ...command);
    const [session = '', id = ''] = made.split(' ');
    for (const option of options) this.run('set-option', '-t', session, ...option);
    return this.link(session, id);
  }

  async link(session: string, id: string): Promise<Pane> {
    const lease = this.server.lease(session);
    this.#leases.push(lease);
    await lease.link.ready();
    return new Pane(lease.link, id);
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  // A pane with record.mjs, waiting at READY; `bytes()` is what has arrived there.
  async recorder(name: string, ...flags: string[]): Promise<{ pane: Pane; bytes(): Buffer }> {
    const file = this.file(name);
    fs.writeFileSync(file, '');
    const pane = await this.pane([process.execPath, program('record.mjs'), file, ...flags]);
    await sees(pane, 'READY');
    return { pane, bytes: () => fs.readFileSync(file) };
  }

  dispose(): void {
    for (const lease of this.#leases) lease.dispose();
    try {
      const pid = Number(this.run('display-message', '-p', '#{pid}'));
      this.run('kill-server');
      endProcess(pid);
    } catch {
      // Some tests end the server themselves.
    }
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

// tmux 3.3a may wait for ever for a client that is going: it is not waited for.
const END_MS = 1000;
const LOOK_MS = 20;

function endProcess(pid: number): void {
  for (let waited = 0; waited < END_MS; waited += LOOK_MS) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
  process.kill(pid, 'SIGKILL');
}

// Waits until a text stands on the pane's screen, rows joined.
export async function sees(pane: Pane, text: string, ms = 10_000): Promise<void> {
  const waited = await pane.waitUntil(
    async () => ((await pane.capture({ join: true })).includes(text) ? true : undefined),
    ms,
  );
  if (waited.outcome !== 'seen')
    throw new Error(`"${text}" not seen (${waited.outcome}) in:\n${await pane.capture()}`);
}

// Files and processes outside tmux have no event for a test to await: look at short intervals, with a deadline.
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  ms = 20_000,
): Promise<NonNullable<T>> {
  for (const end = Date.now() + ms; ; ) {
    const value = await look();
    if (value) return value as NonNullable<T>;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
