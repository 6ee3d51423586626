// The file in which a running Claude Code says what it does: ~/.claude/sessions/PID.json.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Disposable } from '../../tmux/index.js';
import type { Status } from '../status.js';

const File = z.object({
  pid: z.number(),
  sessionId: z.string(),
  // Not in versions before 2.1.150.
  status: z.string().optional(),
  waitingFor: z.string().optional(),
  statusUpdatedAt: z.number().optional(),
});

export interface Registered {
  conversation: string;
  status: Status | undefined;
}

const STATES: Readonly<Record<string, Status['state']>> = {
  idle: 'idle',
  busy: 'busy',
  shell: 'busy',
  waiting: 'waiting',
};

export function parseRegistered(text: string, now: number): Registered | undefined {
  try {
    const { sessionId, status, waitingFor, statusUpdatedAt } = File.parse(JSON.parse(text));
    const state = status === undefined ? undefined : STATES[status];
    return {
      conversation: sessionId,
      status: state && {
        state,
        since: statusUpdatedAt ?? now,
        source: 'registry',
        detail: waitingFor ?? null,
      },
    };
  } catch {
    // Not there, or written at this moment.
    return undefined;
  }
}

export class RegistryFile implements Disposable {
  readonly #folder: string;
  readonly #name: string;
  #watcher: fs.FSWatcher | undefined;

  constructor(
    configFolder: string,
    pid: number,
    readonly clock: () => number,
    readonly onChange: (registered: Registered) => void,
  ) {
    this.#folder = path.join(configFolder, 'sessions');
    this.#name = `${pid}.json`;
    this.watch();
  }

  // Again whenever the agent has said something: it may have made the folder only now.
  watch(): void {
    if (this.#watcher || !fs.existsSync(this.#folder)) return;
    this.#watcher = fs.watch(this.#folder, (_event, changed) => {
      if (changed === null || changed.startsWith(this.#name)) this.look();
    });
    this.#watcher.on('error', () => this.dispose());
    // What was written before anybody watched.
    this.look();
  }

  // For whoever cannot wait for the system to tell of a change.
  look(): void {
    const registered = this.read();
    if (registered) this.onChange(registered);
  }

  read(): Registered | undefined {
    try {
      return parseRegistered(fs.readFileSync(path.join(this.#folder, this.#name), 'utf8'), this.clock());
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
