// Gemini's door against hooks that a test plays.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import type { DoorContext, DoorEvent, HookEvent } from '../../src/agents/door.js';
import { GeminiDoor } from '../../src/agents/gemini/door.js';
import { Emitter } from '../../src/tmux/index.js';

export const ID = '0123456789ab';
export const TEXT = `[Input from: a (b) via sm send] #${ID}\ntext`;
export const letter = { id: ID, text: TEXT, mode: 'sequential', speaks: 'prompt' } as const;
// As its chat file shows it.
export const PROMPT = JSON.stringify({ id: 'x', type: 'user', content: [{ text: TEXT }] });
export const MINUTES = 10 * 60_000;
// Files are dated by the system's clock, which is a few milliseconds behind.
export const now = (): number => vi.getRealSystemTime();

type Body = Record<string, unknown>;

export class HookedGemini {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-gemini-'));
  readonly chat = path.join(this.folder, 'chat.jsonl');
  #hooks = new Emitter<HookEvent>();
  events: DoorEvent[] = [];
  facts: Record<string, string> = {};
  // When its pane printed last: all the time, unless told otherwise.
  printedAt: number | 'now' = 'now';
  door: GeminiDoor;

  constructor() {
    vi.useFakeTimers();
    fs.writeFileSync(this.chat, '');
    this.door = this.#open({});
  }

  get context(): DoorContext {
    return {
      session: { id: 's', name: 's', cwd: '/', origin: 'started' },
      program: { pid: process.pid, argv: [] },
      env: {},
      version: null,
      folder: this.folder,
      facts: {},
      saveFacts: async (saved) => {
        this.facts = saved;
      },
      onHook: this.#hooks.event,
      printedAt: () => (this.printedAt === 'now' ? Date.now() : this.printedAt),
      clock: Date.now,
      log: () => {},
    };
  }

  #open(more: Partial<DoorContext>): GeminiDoor {
    const opened = new GeminiDoor({ ...this.context, ...more }, true);
    opened.onEvent((event) => this.events.push(event));
    return opened;
  }

  reopen(more: Partial<DoorContext>): void {
    this.door.dispose();
    this.door = this.#open(more);
  }

  // The daemon was killed, and another runs.
  restart(more: Partial<DoorContext> = {}): void {
    this.#hooks = new Emitter<HookEvent>();
    this.events = [];
    this.reopen({ onHook: this.#hooks.event, facts: this.facts, ...more });
  }

  hookAt(at: number, event: string, body: Body = {}): void {
    this.#hooks.fire({ event, at, body: { session_id: 'one', transcript_path: this.chat, ...body } });
  }

  hook(event: string, body: Body = {}): void {
    this.hookAt(now() + 20, event, body);
  }

  kinds(): string[] {
    return this.events.flatMap((event) => (event.kind === 'status' ? [event.status.state] : [event.kind]));
  }

  // As hook.sh does it: it tells, then it takes.
  handAtEnd(): void {
    this.hookAt(now() - 100, 'AfterAgent', { prompt_response: 'one ' });
    fs.renameSync(path.join(this.folder, 'AfterAgent.say'), path.join(this.folder, 'AfterAgent.said'));
  }

  close(): void {
    this.door.dispose();
    vi.useRealTimers();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
