// Claude Code's door: a hook that wakes it with a message, and hooks, its registry and its transcript that show what it took.
import fs from 'node:fs';
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
import { bellsIn, textsIn } from '../mark.js';
import type { Status } from '../status.js';
import { ClaudeBell } from './bell.js';
import { Bells } from './bells.js';
import { Memory, runningOf } from './facts.js';
import { handOver } from './hand-over.js';
import { heard, text } from './heard.js';
import { Inbox } from './inbox.js';
import { Opening } from './opening.js';
import { type Registered, RegistryFile } from './registry-file.js';
import { configFolder, lives } from './running.js';
import { State } from './state.js';
import type { Taken } from './transcript.js';
import { findNow, TranscriptTail } from './transcript-file.js';
import { Turns } from './turns.js';
import { findAlive, LOST_MS } from './whereabouts.js';

export class ClaudeDoor implements Door {
  // Where it cannot be woken, its hooks still tell what it takes and does.
  readonly name: string;
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #inbox: Inbox;
  readonly #registry: RegistryFile;
  readonly #turns: Turns;
  readonly #opening: Opening;
  readonly #state = new State((status) => this.#event.fire({ kind: 'status', status }));
  readonly #memory: Memory;
  readonly bell: ClaudeBell;
  #conversation: string | undefined;
  #tail: TranscriptTail | undefined;
  #again: NodeJS.Timeout | undefined;
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
    this.#memory = new Memory(context);
    this.bell = new ClaudeBell(new Bells(folder), {
      isReady: () => this.state.kind === 'open' && !this.#state.isBusy,
      transcript: () => this.#transcript,
      onRung: () => this.#event.fire({ kind: 'changed' }),
    });
    this.#opening = new Opening(context, () => this.#event.fire({ kind: 'changed' }));
    this.#turns = new Turns((event) => this.#event.fire(event), runningOf(facts));
    // The registry knows better: there may have been a /clear since.
    if (facts.conversation) this.#bind(facts.conversation, facts.transcript);
    let isOpen = false;
    this.#registry = new RegistryFile(configFolder(env), program.pid, clock, (seen) =>
      this.#registered(seen, isOpen ? 'now' : 'at open'),
    );
    isOpen = true;
    // One that began while nobody listened, or was taken out of the queue without a hook.
    if (this.#state.isBusy) this.#turns.unsure();
    this.#hooks = context.onHook((event) => this.#hook(event));
    this.#inbox.ringAll();
    if (this.#conversation && this.#inbox.waiter(this.#conversation)) this.#opening.open();
  }

  get state(): DoorState {
    return this.#opening.state;
  }

  get status(): Status | undefined {
    return this.#state.status;
  }

  carries({ speaks, mode }: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    if (speaks === 'prompt')
      return {
        kind: 'no',
        reason: 'what the wake hook brings is a notice; a prompt goes through the input box',
      };
    if (!this.wakes) return { kind: 'no', reason: 'this version cannot be woken by a hook' };
    if (mode === 'sequential' && this.#state.isBusy) return { kind: 'later', reason: 'its turn is running' };
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

  async find(id: string): Promise<Found> {
    const agent = {
      transcript: this.#transcript,
      isArmed: this.#isArmed(),
      lives: lives(this.context.program.pid),
      status: this.#registry.read()?.status,
      now: this.context.clock(),
      lookAgain: (ms: number) => this.#lookAgain(ms),
    };
    return (await this.bell.find(agent, id)) ?? findAlive(this.#inbox, agent, id);
  }

  async withdraw(id: string): Promise<boolean> {
    return this.#inbox.takeBack(id);
  }

  dispose(): void {
    this.#opening.dispose();
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

  #hook(hook: HookEvent): void {
    const { event, body } = hook;
    this.#registry.watch();
    const conversation = text(body.session_id);
    if (conversation === undefined || !this.#isOurs(conversation, event, text(body.source))) return;
    this.#bind(conversation, text(body.transcript_path));
    this.#opening.open();
    this.bell.heard();
    this.#tail?.read();
    const isRunning = body.prompt_id !== undefined && body.prompt_id === this.#tail?.turn;
    const began = heard(hook, this.#state, this.#turns) && !isRunning;
    if (event === 'UserPromptSubmit') this.#prompted(text(body.prompt) ?? '', began);
    this.#remember();
  }

  // A prompt that came while a turn runs is queued, or was taken into it: the transcript tells which, now or later.
  #prompted(prompt: string, began: boolean): void {
    const turn = this.#turns.current;
    // A bell is not what it rings for: that the transcript alone shows.
    for (const id of bellsIn(prompt)) {
      const taken = this.#transcript && findNow(this.#transcript, id);
      if (taken) this.#taken(taken);
    }
    for (const id of textsIn(prompt)) {
      const taken = began ? undefined : this.#transcript && findNow(this.#transcript, id);
      if (began) this.#event.fire({ kind: 'received', id, turn, evidence: 'UserPromptSubmit hook' });
      else if (taken) this.#taken(taken);
      // It was typed whole in the end.
      this.bell.bells.forget(id);
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
    this.#state.set(status);
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
        () => this.#event.fire({ kind: 'changed' }),
      );
    }
    this.#tail?.watch();
    this.#remember();
  }

  // What the next daemon needs.
  #remember(): void {
    if (this.#conversation === undefined) return;
    this.#memory.keep({
      conversation: this.#conversation,
      transcript: this.#transcript,
      folder: this.context.folder,
      running: this.#turns.running,
    });
  }

  get #transcript(): string | undefined {
    return this.#tail?.file;
  }

  // Escape has no hook: where no registry tells, the transcript does.
  #interrupted(): void {
    if (this.#state.status?.source !== 'hook') return;
    this.#state.rest(this.context.clock());
    this.#turns.settle('transcript: interrupted');
    this.#remember();
  }

  #taken({ id, turn, evidence }: Taken): void {
    this.#event.fire({ kind: 'received', id, turn: turn ?? this.#turns.current, evidence });
    this.#lastShown = id;
    this.#inbox.forget(id);
    this.bell.bells.forget(id);
  }

  #isArmed(): boolean {
    return this.#conversation !== undefined && this.#inbox.waiter(this.#conversation) !== undefined;
  }
}
