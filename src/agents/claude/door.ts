// Claude Code's door: a hook that wakes it with a message, and hooks, its registry and its transcript that show what it took.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Emitter } from '../../tmux/index.js';
import type {
  Carries,
  Door,
  DoorContext,
  DoorEvent,
  DoorLetter,
  DoorState,
  Found,
  HookEvent,
  Sent,
} from '../door.js';
import { idsIn } from '../mark.js';
import type { Status } from '../status.js';
import { Asked } from './asked.js';
import { factsOf, runningOf } from './facts.js';
import { handOver } from './hand-over.js';
import { Inbox } from './inbox.js';
import { type Registered, RegistryFile } from './registry-file.js';
import { findNow, type Taken, TranscriptTail } from './transcript.js';
import { Turns } from './turns.js';
import { findAlive, LOST_MS } from './whereabouts.js';

// A hook that has not come by then is turned off by policy, or was never given.
const FIRST_HOOK_MS = 20_000;

export class ClaudeDoor implements Door {
  // Where it cannot be woken, its hooks still tell what it takes and does.
  readonly name: string;
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #inbox: Inbox;
  readonly #registry: RegistryFile;
  readonly #turns: Turns;
  readonly #asked = new Asked();
  #state: DoorState;
  #conversation: string | undefined;
  #tail: TranscriptTail | undefined;
  #status: Status | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #saved = '';
  #lastShown: string | undefined;
  readonly #hooks: { dispose(): void };

  constructor(
    readonly context: DoorContext,
    readonly wakes: boolean,
  ) {
    const { folder, env, program, clock, facts } = context;
    this.name = wakes ? 'wake hook' : 'hooks only';
    this.#inbox = new Inbox(folder);
    this.#inbox.prepare();
    if (wakes) fs.writeFileSync(path.join(folder, `wakes.${program.pid}`), '', { mode: 0o600 });
    this.#state = { kind: 'opening', since: clock() };
    this.#turns = new Turns((event) => this.#event.fire(event), runningOf(facts));
    // The registry knows better: there may have been a /clear since.
    if (facts.conversation) this.#bind(facts.conversation, facts.transcript);
    let isOpen = false;
    this.#registry = new RegistryFile(configFolder(env), program.pid, clock, (seen) =>
      this.#registered(seen, isOpen ? 'now' : 'at open'),
    );
    isOpen = true;
    // One that began while nobody listened, or was taken out of the queue without a hook.
    if (this.#isBusy) this.#turns.unsure();
    this.#hooks = context.onHook((event) => this.#hook(event));
    this.#inbox.ringAll();
    if (this.#conversation && this.#inbox.waiter(this.#conversation)) this.#open();
    else this.#deadline = setTimeout(() => this.#noHook(), FIRST_HOOK_MS);
    this.#deadline?.unref();
  }

  get state(): DoorState {
    return this.#state;
  }

  get status(): Status | undefined {
    return this.#status;
  }

  carries({ speaks, mode }: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    if (speaks === 'prompt')
      return {
        kind: 'no',
        reason: 'what the wake hook brings is a notice; a prompt goes through the input box',
      };
    if (!this.wakes) return { kind: 'no', reason: 'this version cannot be woken by a hook' };
    if (mode === 'sequential' && this.#isBusy) return { kind: 'later', reason: 'its turn is running' };
    return { kind: 'now' };
  }

  async send(letter: DoorLetter): Promise<Sent> {
    const receiver = {
      armed: () => (this.#isArmed() ? this.#conversation : undefined),
      hasShown: (id: string) => this.#lastShown === id,
    };
    const sent = await handOver(this.#inbox, receiver, letter);
    if (sent.outcome === 'accepted') this.#lookAgain(LOST_MS);
    return sent;
  }

  find(id: string): Promise<Found> {
    const agent = {
      transcript: this.#transcript,
      isArmed: this.#isArmed(),
      lives: this.#lives(),
      status: this.#registry.read()?.status,
      now: this.context.clock(),
      lookAgain: (ms: number) => this.#lookAgain(ms),
    };
    return findAlive(this.#inbox, agent, id);
  }

  async withdraw(id: string): Promise<boolean> {
    return this.#inbox.takeBack(id);
  }

  dispose(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#again);
    this.#hooks.dispose();
    this.#registry.dispose();
    this.#tail?.dispose();
    this.#turns.dispose();
    this.#inbox.ringAll();
  }

  // Whoever waits for a message asks for it again after that time.
  #lookAgain(ms: number): void {
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      this.#event.fire({ kind: 'changed' });
    }, ms + 1).unref();
  }

  #hook({ event, at, body }: HookEvent): void {
    this.#registry.watch();
    const conversation = text(body.session_id);
    if (conversation === undefined || !this.#isOurs(conversation, event, text(body.source))) return;
    this.#bind(conversation, text(body.transcript_path));
    this.#open();
    this.#tail?.read();
    const turn = text(body.prompt_id) ?? null;
    switch (event) {
      case 'SessionStart':
        // It also comes in the middle of a turn, when the conversation was made shorter.
        if (text(body.source) === 'compact') break;
        this.#asked.clear();
        this.#report('idle', at, null);
        this.#turns.idle();
        break;
      case 'UserPromptSubmit':
        // A person at a dialog cannot submit one; what a hook or a task brings comes also there.
        if (!this.#asked.isOpen) this.#report('busy', at, null);
        this.#prompted(turn, idsIn(text(body.prompt) ?? ''));
        break;
      case 'PostToolUse':
        this.#asked.ran(body);
        if (!this.#asked.isOpen) this.#report('busy', at, null);
        break;
      case 'PermissionRequest':
        this.#asked.ask(body);
        this.#report('waiting', at, text(body.tool_name) ?? 'permission');
        break;
      case 'Notification':
        if (text(body.notification_type) === 'permission_prompt') this.#report('waiting', at, 'permission');
        break;
      case 'Stop':
        this.#asked.clear();
        this.#report('idle', at, null);
        this.#turns.stopped(turn, text(body.last_assistant_message) ?? null, this.#status?.state === 'busy');
        break;
      case 'SessionEnd':
        this.#turns.settle();
        break;
    }
    this.#remember();
  }

  // A prompt that came while a turn runs is queued, or was taken into it: the transcript tells which, now or later.
  #prompted(turn: string | null, ids: readonly string[]): void {
    const isRunning = turn !== null && turn === this.#tail?.turn;
    const began = this.#turns.begin(turn) && !isRunning;
    for (const id of ids) {
      const taken = began ? undefined : this.#transcript && findNow(this.#transcript, id);
      if (began) this.#event.fire({ kind: 'received', id, turn, evidence: 'UserPromptSubmit hook' });
      else if (taken) this.#taken(taken);
    }
  }

  // A Claude Code that runs inside a tool of this one has the same pane and another conversation.
  #isOurs(conversation: string, event: string, source: string | undefined): boolean {
    const registered = this.#registry.read()?.conversation;
    if (registered !== undefined) return registered === conversation;
    if (this.#conversation === undefined || this.#conversation === conversation) return true;
    return event === 'SessionStart' && source !== 'startup';
  }

  #registered({ conversation, status }: Registered, when: 'now' | 'at open'): void {
    if (conversation !== this.#conversation) this.#bind(conversation, undefined);
    if (!status) return;
    this.#setStatus(status);
    if (status.state === 'idle') this.#turns.idle(when);
    this.#remember();
  }

  #bind(conversation: string, transcript: string | undefined): void {
    this.#conversation = conversation;
    if (transcript !== undefined && transcript !== this.#tail?.file) {
      this.#tail?.dispose();
      this.#tail = new TranscriptTail(
        transcript,
        (taken) => this.#taken(taken),
        () => this.#interrupted(),
      );
    }
    this.#tail?.watch();
    this.#remember();
  }

  // What the next daemon needs; a turn that runs is one of these, for what is said in it.
  #remember(): void {
    if (this.#conversation === undefined) return;
    const facts = factsOf({
      conversation: this.#conversation,
      transcript: this.#transcript,
      folder: this.context.folder,
      running: this.#turns.running,
    });
    const text = JSON.stringify(facts);
    if (text === this.#saved) return;
    this.#saved = text;
    void this.context.saveFacts(facts).catch((error: unknown) => {
      this.#saved = '';
      this.context.log('door facts not saved', { error: String(error) });
    });
  }

  get #isBusy(): boolean {
    return this.#status?.state === 'busy' || this.#status?.state === 'waiting';
  }

  get #transcript(): string | undefined {
    return this.#tail?.file;
  }

  // Escape has no hook: where no registry tells, the transcript does.
  #interrupted(): void {
    if (this.#status?.source !== 'hook') return;
    this.#asked.clear();
    this.#report('idle', this.context.clock(), null);
    this.#turns.settle('transcript: interrupted');
    this.#remember();
  }

  #taken({ id, turn, evidence }: Taken): void {
    this.#event.fire({ kind: 'received', id, turn: turn ?? this.#turns.current, evidence });
    this.#lastShown = id;
    this.#inbox.forget(id);
  }

  #open(): void {
    clearTimeout(this.#deadline);
    if (this.#state.kind === 'open') return;
    this.#state = { kind: 'open' };
    this.#event.fire({ kind: 'changed' });
  }

  #noHook(): void {
    if (this.#state.kind !== 'opening') return;
    const how =
      this.context.session.origin === 'adopted'
        ? 'it was not started by sm; "sm hooks install claude" gives it its hooks'
        : 'no hook has come: its settings or a policy turn hooks off';
    this.#state = { kind: 'shut', reason: how };
    this.#event.fire({ kind: 'changed' });
  }

  // The registry is the better witness, where there is one.
  #report(state: Status['state'], since: number, detail: string | null): void {
    this.#setStatus({ state, since, source: 'hook', detail });
  }

  #setStatus(status: Status): void {
    if (status.source === 'hook' && this.#status?.source === 'registry') return;
    this.#status = status;
    this.#event.fire({ kind: 'status', status });
  }

  #isArmed(): boolean {
    return this.#conversation !== undefined && this.#inbox.waiter(this.#conversation) !== undefined;
  }

  #lives(): boolean {
    return fs.existsSync(`/proc/${this.context.program.pid}`) || isAlive(this.context.program.pid);
  }
}

export const configFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env.CLAUDE_CONFIG_DIR ?? path.join(env.HOME ?? os.homedir(), '.claude');

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
