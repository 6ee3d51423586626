// How Codex is started so that its conversation can be known: its TUI keeps a record for us. One start after another.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { DoorLaunch, LaunchContext } from '../door.js';

const RECORD = 'CODEX_TUI_SESSION_LOG_PATH';
const RECORDS = 'CODEX_TUI_RECORD_SESSION';

const NOT_A_SESSION = new Set(['--version', '-V', '--help', '-h']);
// Those that open the TUI are left out.
const SUBCOMMANDS = new Set([
  'agents',
  'app-server',
  'apply',
  'a',
  'archive',
  'cloud',
  'completion',
  'debug',
  'delete',
  'doctor',
  'e',
  'exec',
  'exec-server',
  'features',
  'help',
  'login',
  'logout',
  'mcp',
  'migrate-nfs-db',
  'migrate-rollouts',
  'plugin',
  'queue',
  'remote-control',
  'review',
  'sandbox',
  'unarchive',
  'update',
]);
// With one of these the TUI talks to a server that is not the shared one.
const OWN_SERVER = /^(?:-[cp].*|--(?:config|profile|remote)(?:=.*)?|--no-daemon|--search)$/s;

// A start that has not come to its conversation by then waits for a person, or has failed.
const START_MS = 8000;

type Environment = Readonly<Record<string, string | undefined>>;

const codexHome = (env: Environment): string =>
  env.CODEX_HOME || path.join(env.HOME || os.homedir(), '.codex');

export const socketIn = (home: string): string =>
  path.join(home, 'app-server-control', 'app-server-control.sock');

export function ownServerOption(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).find((arg) => OWN_SERVER.test(arg));
}

export function isSession(args: readonly string[]): boolean {
  return !args.some((arg) => NOT_A_SESSION.has(arg) || SUBCOMMANDS.has(arg));
}

// Two that begin at the same moment could not be told apart: the second one waits for the first.
export class Starts {
  readonly #last = new Map<string, Promise<void>>();
  readonly #under = new Map<string, () => void>();

  async begin(home: string, session: string): Promise<void> {
    const before = this.#last.get(home) ?? Promise.resolve();
    const own = before.then(() => this.#until(session));
    this.#last.set(home, own);
    await before;
  }

  done(session: string): void {
    this.#under.get(session)?.();
  }

  #until(session: string): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#under.delete(session);
        resolve();
      };
      const timer = setTimeout(finish, START_MS);
      timer.unref();
      this.#under.set(session, finish);
    });
  }
}

export async function launchCodex(context: LaunchContext, starts: Starts): Promise<DoorLaunch> {
  const { command, env, folder, session } = context;
  const [, ...args] = command;
  if (!isSession(args) || ownServerOption(args) !== undefined) return { command, env: {} };
  const home = codexHome({ ...process.env, ...env });
  await starts.begin(home, session);
  // A person who records for themselves keeps their own file; it tells us as much.
  const record = env[RECORD] || path.join(folder, 'tui.jsonl');
  if (!env[RECORD]) fs.rmSync(record, { force: true });
  const launch: Launch = { home, record };
  fs.writeFileSync(launchFile(folder), JSON.stringify(launch), { mode: 0o600 });
  return { command, env: { [RECORDS]: '1', [RECORD]: record } };
}

const Launch = z.object({ home: z.string(), record: z.string() });
export type Launch = z.infer<typeof Launch>;

const launchFile = (folder: string): string => path.join(folder, 'launch.json');

// Where the record of the process is. Its environment knows best, but shows only what we gave once it runs its program.
export function launchOf(folder: string, env: Environment): Launch | undefined {
  if (env[RECORD]) return { home: codexHome(env), record: env[RECORD] };
  try {
    return Launch.parse(JSON.parse(fs.readFileSync(launchFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
}
