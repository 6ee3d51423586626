// Tries the hold on a private tmux server, with a real client that presses keys, and leaves nothing behind.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  HOLD_WATCH,
  type HoldPlan,
  type HoldStart,
  holdKeys,
  LocalTransport,
  Pane,
  TmuxServer,
} from '../tmux/index.js';

export interface HoldTrial {
  state: 'works' | 'fails' | 'untried';
  detail: string;
  // How long the keys waited.
  ms: number | null;
}

export interface HoldTrialDeps {
  program?: string;
  env?: NodeJS.ProcessEnv;
  hold?: (plan: HoldPlan) => Promise<HoldStart>;
}

// Files and clients of other processes have no event to await; looked at this often, for at most so long.
const LOOK_MS = 10;
const DEADLINE_MS = 5000;
// A key needs a few milliseconds through two servers. Only where the hold does not work does one arrive in this time.
const KEYS_PASS_MS = 150;
const MAX_HOLD_MS = 3000;
// The user's configuration may start anything (a plugin that brings back sessions, say), so none is read.
const NO_CONFIG = ['-f', '/dev/null'];

export async function tryHold({
  program = 'tmux',
  env = process.env,
  hold = holdKeys,
}: HoldTrialDeps = {}): Promise<HoldTrial> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smhold-'));
  const stage = new Stage(folder, program, env);
  try {
    return await stage.play(hold);
  } catch (error) {
    return { state: 'fails', detail: (error as Error).message, ms: null };
  } finally {
    await stage.clear();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

class Stage {
  readonly #held: TmuxServer;
  // Where the person sits: the terminal of their client is a pane of this one.
  readonly #seat: TmuxServer;
  readonly #bytes: string;
  readonly #ready: string;
  readonly #program: string;
  readonly #socket: string;

  constructor(folder: string, program: string, env: NodeJS.ProcessEnv) {
    this.#program = program;
    this.#socket = path.join(folder, 'held');
    const transport = new LocalTransport(program, env);
    this.#held = new TmuxServer({ kind: 'path', path: this.#socket }, transport);
    this.#seat = new TmuxServer({ kind: 'path', path: path.join(folder, 'seat') }, transport);
    this.#bytes = path.join(folder, 'bytes');
    this.#ready = path.join(folder, 'ready');
  }

  async play(hold: (plan: HoldPlan) => Promise<HoldStart>): Promise<HoldTrial> {
    const recorder = `stty raw -echo; : > '${this.#bytes}'; : > '${this.#ready}'; exec cat >> '${this.#bytes}'`;
    const made = await this.#start(this.#held, ['sh', '-c', recorder]);
    const [session = '', paneId = ''] = made.split(' ');
    await until(() => fs.existsSync(this.#ready), 'its recorder did not start');
    await this.#start(this.#seat, ['env', '-u', 'TMUX', this.#program, '-S', this.#socket, 'attach-session']);
    await until(async () => (await this.#held.fork(['list-clients'])) !== '', 'no client could attach');
    const lease = this.#held.lease(session);
    try {
      await lease.link.ready();
      return await this.#hold(new Pane(lease.link, paneId), hold);
    } finally {
      lease.dispose();
    }
  }

  async #hold(pane: Pane, hold: (plan: HoldPlan) => Promise<HoldStart>): Promise<HoldTrial> {
    await this.#press('a');
    await this.#arrived('a', 'a key did not arrive before the hold');
    const start = await hold({
      pane,
      token: randomBytes(5).toString('hex'),
      ownClients: this.#held.ownClientPids,
      pace: { stepMs: 2, enterMs: 5 },
      maxMs: MAX_HOLD_MS,
      watch: { script: HOLD_WATCH, rescue: [], tmux: this.#program },
    });
    if (start.outcome === 'refused') throw new Error(`it was refused (${start.reason}): ${start.detail}`);
    await this.#press('b', 'c', 'd');
    await delay(KEYS_PASS_MS);
    await pane.type('X');
    await this.#arrived('aX', 'keys went through it');
    const { heldMs } = await start.hold.release();
    await this.#arrived('aXbcd', 'keys that had waited did not come out in order');
    await this.#press('e');
    await this.#arrived('aXbcde', 'a key did not arrive after the hold');
    return { state: 'works', detail: "a person's keys wait, and come out in order", ms: heldMs };
  }

  #start(server: TmuxServer, command: readonly string[]): Promise<string> {
    const format = '#{session_id} #{pane_id}';
    return server.fork([
      ...NO_CONFIG,
      'new-session',
      '-d',
      '-P',
      '-F',
      format,
      '-x',
      '80',
      '-y',
      '24',
      ...command,
    ]);
  }

  async #press(...keys: string[]): Promise<void> {
    await this.#seat.fork(['send-keys', ...keys]);
  }

  async #arrived(expected: string, problem: string): Promise<void> {
    const bytes = (): string => fs.readFileSync(this.#bytes, 'latin1');
    const wrong = (): Error =>
      new Error(`${problem} (${JSON.stringify(bytes())} instead of ${JSON.stringify(expected)})`);
    const look = (): boolean => {
      if (!expected.startsWith(bytes())) throw wrong();
      return bytes() === expected;
    };
    await until(look, problem).catch(() => {
      throw wrong();
    });
  }

  async clear(): Promise<void> {
    for (const server of [this.#seat, this.#held]) await server.fork(['-N', 'kill-server']).catch(() => {});
  }
}

async function until(look: () => boolean | Promise<boolean>, problem: string): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; !(await look()); ) {
    if (Date.now() > end) throw new Error(problem);
    await delay(LOOK_MS);
  }
}
