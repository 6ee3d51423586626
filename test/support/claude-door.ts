// Claude Code's door without a Claude Code: its hooks are said, and its registry and transcript written, by the test.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ClaudeDoor } from '../../src/agents/claude/door.js';
import type { DoorContext, DoorEvent, HookEvent } from '../../src/agents/door.js';
import { Emitter } from '../../src/tmux/index.js';

export const ID = '0123456789ab';
export const TEXT = `[Input from: a (0a1b2c3d) via sm send] #${ID}\nhello`;
export const CONVERSATION = 'c1';

export class DoorRig {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-claude-'));
  readonly transcript = path.join(this.folder, 'projects', `${CONVERSATION}.jsonl`);
  now = Date.now();
  facts: Record<string, string> = {};
  told: DoorEvent[] = [];
  #hooks = new Emitter<HookEvent>();
  #door: ClaudeDoor | undefined;

  constructor() {
    for (const name of ['sessions', 'projects', 'inbox']) fs.mkdirSync(path.join(this.folder, name));
  }

  // As a daemon does when it begins: with the facts that the one before has kept.
  open(program: Partial<DoorContext['program']> = {}): ClaudeDoor {
    this.close();
    this.#hooks = new Emitter();
    this.#door = new ClaudeDoor(
      {
        session: { id: 's', name: 's', cwd: this.folder, origin: 'started' },
        program: { pid: process.pid, argv: [], ...program },
        env: { CLAUDE_CONFIG_DIR: this.folder },
        version: '2.1.325',
        folder: this.folder,
        facts: this.facts,
        saveFacts: async (given) => {
          this.facts = given;
        },
        onHook: this.#hooks.event,
        clock: () => this.now,
        log: () => {},
      },
      true,
    );
    this.#door.onEvent((event) => this.told.push(event));
    return this.#door;
  }

  close(): void {
    this.#door?.dispose();
  }

  dispose(): void {
    this.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  get state(): string | undefined {
    return this.#door?.status?.state;
  }

  registry(status: string, since = this.now): void {
    fs.writeFileSync(
      path.join(this.folder, 'sessions', `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: CONVERSATION, status, statusUpdatedAt: since }),
    );
  }

  hook(event: string, fields: Record<string, unknown> = {}): HookEvent {
    const body = { session_id: CONVERSATION, transcript_path: this.transcript, ...fields };
    return { event, at: this.now, body };
  }

  say(event: string, fields?: Record<string, unknown>): void {
    this.#hooks.fire(this.hook(event, fields));
  }

  write(line: unknown, to = this.transcript): void {
    fs.appendFileSync(to, `${JSON.stringify(line)}\n`);
  }

  // A prompt in the transcript.
  prompt(turn: string, content = TEXT, to = this.transcript): void {
    const message = { content };
    this.write({ type: 'user', promptSource: 'queued', promptId: turn, message }, to);
  }

  // A file of the wake hook.
  file(ending: string, id = ID): string {
    return path.join(this.folder, 'inbox', `${id}.${ending}`);
  }

  received(): unknown[] {
    return this.told.flatMap((event) =>
      event.kind === 'received' ? [[event.id, event.turn, event.evidence]] : [],
    );
  }

  ended(): unknown[] {
    return this.told.flatMap((event) =>
      event.kind === 'turn_ended' ? [[event.turn, event.how, event.answer]] : [],
    );
  }
}
