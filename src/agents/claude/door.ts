// Claude Code's door: a hook that wakes it with a message, and hooks, its registry and its transcript that show what it took.
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
import { idsIn, textsIn } from '../mark.js';
import type { Status } from '../status.js';
import { ClaudeBell } from './bell.js';
import { Bells } from './bells.js';
import { answerOf, Memory, offsetOf, runningOf } from './facts.js';
import { HandOver } from './hand-over.js';
import { heard, ourConversation, text } from './heard.js';
import { Inbox } from './inbox.js';
import { Opening } from './opening.js';
import { Patience } from './patience.js';
import { type Registered, RegistryFile } from './registry-file.js';
import { configFolder, lives } from './running.js';
import { State } from './state.js';
import { TranscriptTail } from './tail.js';
import type { Taken } from './transcript.js';
import { findNow } from './transcript-file.js';
import { Turns } from './turns.js';
import { findAlive, LOST_MS } from './whereabouts.js';

// The time for one line in a file.
const WRITTEN_MS = 500;

export class ClaudeDoor implements Door {
  // Where it cannot be woken, its hooks still tell what it takes and does.
  readonly name: string;
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #changed = (): void => this.#event.fire({ kind: 'changed' });
  readonly #inbox: Inbox;
  readonly #registry: RegistryFile;
  readonly #turns: Turns;
  readonly #opening: Opening;
  readonly #state = new State((status) => this.#event.fire({ kind: 'status', status }));
  readonly #memory: Memory;
  readonly bell: ClaudeBell;
  #conversation: string | undefined;
  #tail: TranscriptTail | undefined;
  readonly #patience: Patience;
  readonly #handOver: HandOver;
  readonly #catchUp: NodeJS.Immediate | undefined;
  readonly #hooks: { dispose(): void };

  constructor(
    readonly context: DoorContext,
    readonly wakes: boolean,
  ) {
    const { folder, env, program, clock, facts } = context;
    this.name = wakes ? 'wake hook' : 'hooks only';
    this.#inbox = new Inbox(folder);
    this.#inbox.prepare();
    this.#handOver = new HandOver(this.#inbox, () => this.#armed(), clock);
    if (wakes) this.#inbox.allow(program.pid);
    this.#memory = new Memory(context);
    this.bell = new ClaudeBell(new Bells(folder), {
      isReady: () => this.state.kind === 'open' && !this.#state.isBusy,
      transcript: () => this.#tail?.file,
      onRung: this.#changed,
    });
    this.#opening = new Opening(context, this.#changed);
    this.#patience = new Patience(program.pid, clock, this.#changed);
    const events = { tell: (event: DoorEvent) => this.#tell(event), unshown: () => this.#unshown() };
    this.#turns = new Turns(events, runningOf(facts), answerOf(facts));
    // The registry knows better: there may have been a /clear since.
    if (facts.conversation) this.#bind(facts.conversation, facts.transcript, offsetOf(facts));
    this.#registry = new RegistryFile(configFolder(env), program.pid, clock, (seen) =>
      this.#registered(seen, this.#catchUp ? 'now' : 'at open'),
    );
    this.#hooks = context.onHook((event) => this.#hook(event));
    this.#inbox.ringAll();
    if (this.#armed()) this.#opening.open();
    // What was written while no daemon ran, as soon as somebody listens.
    this.#catchUp = setImmediate(() => this.#tail?.read());
  }

  get state(): DoorState {
    return this.#opening.state;
  }

  get status(): Status | undefined {
    return this.#state.status;
  }

  carries({ speaks, mode }: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    const reason = 'what the wake hook brings is a notice; a prompt goes through the input box';
    if (speaks === 'prompt') return { kind: 'no', reason };
    if (!this.wakes) return { kind: 'no', reason: 'this version cannot be woken by a hook' };
    if (mode !== 'sequential') return { kind: 'now' };
    if (this.#state.isBusy) return { kind: 'later', reason: 'its turn is running' };
    // What was handed over begins a turn: the next one is to come after that.
    const ms = this.#handOver.waits(this.#state.status?.since ?? 0);
    if (ms <= 0) return { kind: 'now' };
    this.#patience.lookAgain(ms);
    return { kind: 'later', reason: 'it has not shown yet what was handed over last' };
  }

  async send(letter: DoorLetter): Promise<Sent> {
    const sent = await this.#handOver.send(letter);
    if (sent.outcome === 'accepted') this.#patience.lookAgain(LOST_MS);
    return sent;
  }

  async find(id: string): Promise<Found> {
    const agent = {
      transcript: this.#tail?.file,
      isArmed: this.#armed() !== undefined,
      lives: lives(this.context.program.pid),
      status: this.#registry.read()?.status,
      completed: this.#turns.completed,
      awakeSince: this.#patience.awakeSince(),
      begunAt: this.context.program.begunAt,
      now: this.context.clock(),
      lookAgain: (ms: number) => this.#patience.lookAgain(ms),
    };
    const found = (await this.bell.find(agent, id)) ?? (await findAlive(this.#inbox, agent, id));
    // Told as the tail would have told it: its turn may have ended already.
    if (found.at === 'received') this.#taken({ ...found, id });
    // Whoever asked writes it down first: it is to be sent again before anything else is.
    if (found.at === 'nowhere' && this.#handOver.giveUp(id)) this.#patience.lookAgain(WRITTEN_MS);
    return found;
  }

  async withdraw(id: string): Promise<boolean> {
    return this.#inbox.takeBack(id);
  }

  dispose(): void {
    this.#opening.dispose();
    this.#patience.dispose();
    clearImmediate(this.#catchUp);
    this.#hooks.dispose();
    this.#registry.dispose();
    this.#tail?.dispose();
    this.#turns.dispose();
    this.#inbox.ringAll();
  }

  #hook(hook: HookEvent): void {
    const { event, body, at } = hook;
    this.#registry.watch();
    const known = { registered: this.#registry.read()?.conversation, last: this.#conversation };
    const conversation = ourConversation(hook, { ...this.context.program, ...known });
    if (conversation === undefined) return;
    this.#bind(conversation, text(body.transcript_path));
    this.#opening.open();
    this.bell.heard();
    this.#tail?.read();
    heard(hook, this.#state, this.#turns);
    if (event === 'UserPromptSubmit') this.#prompted(text(body.prompt) ?? '', at);
    this.#remember();
  }

  // A hook of the user's may stop the prompt, or it is queued: the transcript alone tells that it was taken. It does so after
  // the hook, in what the tail reads, or has left unread if it began later.
  #prompted(prompt: string, at: number): void {
    const tail = this.#tail;
    if (tail && at <= tail.unreadUntil)
      for (const taken of findNow(tail.file, idsIn(prompt))) this.#taken(taken);
    // It was typed whole in the end.
    for (const id of textsIn(prompt)) this.bell.bells.forget(id);
  }

  // A turn may also end because nothing is heard of it any more.
  #tell(event: DoorEvent): void {
    this.#event.fire(event);
    if (event.kind === 'turn_ended') this.#remember();
  }

  // Nothing shows the prompt that a hook told of: a hook of the user's has stopped it.
  #unshown(): void {
    this.#tail?.read();
    if (!this.#turns.drop()) return;
    this.#state.rest(this.context.clock());
    this.#remember();
  }

  #shown(turn: string | null): void {
    if (this.#turns.show(turn)) this.#state.work(this.context.clock());
    this.#remember();
  }

  #registered({ conversation, status }: Registered, when: 'now' | 'at open'): void {
    if (conversation !== this.#conversation) this.#bind(conversation, undefined);
    if (!status) return;
    this.#state.set(status);
    if (status.state === 'idle') this.#turns.idle(when);
    this.#remember();
  }

  #bind(conversation: string, transcript: string | undefined, offset?: number): void {
    this.#conversation = conversation;
    if (transcript !== undefined && transcript !== this.#tail?.file) {
      this.#tail?.read();
      this.#tail?.dispose();
      const events = {
        prompt: (turn: string | null) => this.#shown(turn),
        taken: (taken: Taken) => this.#taken(taken),
        ended: (evidence: string) => this.#ended(evidence),
        missed: this.#changed,
      };
      this.#tail = new TranscriptTail(transcript, events, this.context.clock(), offset);
    }
    this.#tail?.watch();
    this.#remember();
  }

  // What the next daemon needs.
  #remember(): void {
    if (this.#conversation === undefined) return;
    this.#memory.keep({
      conversation: this.#conversation,
      transcript: this.#tail,
      folder: this.context.folder,
      running: this.#turns.running,
      answer: this.#turns.answer,
    });
  }

  // Escape has no hook, nor has an error: where no registry tells, the transcript does.
  #ended(evidence: string): void {
    if (this.#state.status?.source === 'registry') return;
    this.#state.rest(this.context.clock());
    this.#turns.settle(evidence);
    this.#remember();
  }

  #taken({ id, turn, evidence }: Taken): void {
    const taker = turn ?? this.#turns.current;
    this.#event.fire({ kind: 'received', id, turn: taker, evidence });
    // Its Stop hook may be heard before the transcript is written.
    const end = taker === null ? this.#turns.late : this.#turns.endOf(taker);
    if (end) this.#event.fire(end);
    this.#inbox.forget(id);
    this.bell.bells.forget(id);
    if (!this.#handOver.shown(id)) return;
    // It works on it by now: the next one has to wait for that.
    this.#registry.look();
    this.#changed();
  }

  // The conversation in which a waiter waits now.
  #armed(): string | undefined {
    return this.#conversation && this.#inbox.waiter(this.#conversation) ? this.#conversation : undefined;
  }
}
