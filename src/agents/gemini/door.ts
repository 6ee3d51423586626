// Gemini's door: while a turn runs, one message waits for its end, where a hook makes it the next prompt.
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
import { Chat } from './chat-file.js';
import { TurnEndSlot } from './slot.js';
import { Turns } from './turns.js';

// Gemini tells at its start that it runs; one that was started before us is heard at its next prompt.
const FIRST_HOOK_MS = 20_000;
// The hook tells us of its event before it looks for a message; it is done within a few milliseconds.
const HOOK_MS = 500;
// The prompt that follows the hook was seen 80 ms later; one that has not come by then is left out.
const CONTINUES_MS = 10_000;
// Its chat file is up to half a second behind.
const CHAT_MS = 1500;

export class GeminiDoor implements Door {
  readonly name = 'turn-end hook';
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #slot: TurnEndSlot;
  readonly #chat: Chat;
  readonly #hooks: { dispose(): void } | undefined;
  #state: DoorState;
  #status: Status['state'] | undefined;
  readonly #turns = new Turns();
  // Brought by the hook into the turn that runs, which a person may have interrupted before: then nothing comes of it.
  #unproved: string | undefined;
  #conversation: string | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #wait: NodeJS.Timeout | undefined;

  constructor(
    readonly context: DoorContext,
    isKnownVersion: boolean,
  ) {
    this.#slot = new TurnEndSlot(context.folder);
    this.#chat = new Chat(context);
    this.#state = { kind: 'opening', since: context.clock() };
    if (!isKnownVersion) {
      this.#state = { kind: 'shut', reason: 'this version was never tried' };
      return;
    }
    this.#hooks = context.onHook((event) => this.#hook(event));
    this.#deadline = setTimeout(() => this.#noHook(), FIRST_HOOK_MS);
    this.#deadline.unref();
    // Whether the turn that it waited for still runs, nobody knows any more.
    if (this.#slot.takeBack()) queueMicrotask(() => this.#event.fire({ kind: 'changed' }));
    if (this.#slot.get().at === 'handed') this.#expectPrompt();
  }

  get state(): DoorState {
    return this.#state;
  }

  carries(_letter: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    const isRunning = this.#status === 'busy' || this.#status === 'waiting';
    if (!isRunning) return { kind: 'no', reason: 'no hook wakes an idle Gemini' };
    if (this.#slot.get().at === 'empty') return { kind: 'now' };
    return { kind: 'later', reason: 'another message waits for the end of its turn' };
  }

  async send(letter: DoorLetter): Promise<Sent> {
    if (this.carries(letter).kind !== 'now') return { outcome: 'refused', reason: 'its turn has ended' };
    this.#slot.put(letter.text);
    return { outcome: 'accepted', evidence: 'it waits for the end of the turn' };
  }

  async find(id: string): Promise<Found> {
    const slot = this.#slot.get();
    if (slot.at !== 'empty' && slot.id === id)
      return { at: 'queue', evidence: slot.at === 'waits' ? 'it waits for the hook' : 'the hook has it' };
    return (await this.#chat.find(id)) ?? { at: 'nowhere', evidence: 'the hook has not got it' };
  }

  async withdraw(id: string): Promise<boolean> {
    const slot = this.#slot.get();
    return slot.at === 'waits' && slot.id === id && this.#slot.takeBack();
  }

  dispose(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#wait);
    this.#hooks?.dispose();
  }

  #hook({ event, at, body }: HookEvent): void {
    if (!this.#isOurs(event, text(body.session_id), text(body.source))) return;
    this.#chat.isIn(text(body.transcript_path));
    this.#open();
    switch (event) {
      case 'SessionStart':
        this.#report('idle', at, null);
        break;
      case 'BeforeAgent':
        this.#begins(text(body.prompt) ?? '', at);
        break;
      case 'AfterTool':
        this.#prove('AfterTool hook');
        this.#report('busy', at, null);
        break;
      case 'Notification':
        if (text(body.notification_type) === 'ToolPermission') this.#report('waiting', at, 'permission');
        break;
      case 'AfterAgent':
        this.#ends(text(body.prompt_response) ?? '', body.stop_hook_active === true, at);
        break;
    }
  }

  // A Gemini that runs inside a tool of this one has the same pane and another conversation.
  #isOurs(event: string, conversation: string | undefined, source: string | undefined): boolean {
    const isNew = event === 'SessionStart' && source !== 'startup';
    if (this.#conversation === undefined || isNew) this.#conversation = conversation;
    return conversation === this.#conversation;
  }

  #begins(prompt: string, at: number): void {
    this.#event.fire({ kind: 'turn_started', turn: this.#turns.begin(at) });
    this.#report('busy', at, null);
    const slot = this.#slot.get();
    const brought = slot.at === 'handed' ? slot.id : undefined;
    const ids = idsIn(prompt);
    for (const id of ids) if (id !== brought) this.#received(id, 'BeforeAgent hook');
    if (brought === undefined) return;
    clearTimeout(this.#wait);
    // Another prompt came first: what the hook said was left out.
    if (ids.includes(brought)) this.#unproved = brought;
    else this.#leftOut(brought);
  }

  #ends(response: string, goesOn: boolean, at: number): void {
    const answer = this.#turns.answerIn(response, goesOn);
    if (answer !== '') this.#prove('AfterAgent hook');
    const turn = this.#turns.end();
    const how = this.#unproved === undefined ? 'completed' : 'interrupted';
    if (turn !== null)
      this.#event.fire({
        kind: 'turn_ended',
        turn,
        how,
        answer: answer || null,
        evidence: 'AfterAgent hook',
      });
    if (this.#unproved !== undefined) this.#after(CHAT_MS, () => void this.#lookUp(turn, at));
    else if (this.#slot.get().at === 'empty') this.#report('idle', at, null);
    else this.#after(HOOK_MS, () => this.#afterHook(at));
  }

  #afterHook(at: number): void {
    const slot = this.#slot.get();
    if (slot.at === 'waits' && this.#slot.takeBack())
      this.#returned(slot.id, 'the turn ended before the hook could take it');
    if (this.#slot.get().at === 'handed') this.#expectPrompt();
    else if (this.#turns.current === null) this.#report('idle', at, null);
  }

  #expectPrompt(): void {
    this.#after(CONTINUES_MS, () => {
      const slot = this.#slot.get();
      if (slot.at === 'handed') this.#leftOut(slot.id);
      if (this.#turns.current === null) this.#report('idle', this.context.clock(), null);
    });
  }

  // Its turn ended without a word: interrupted before it began, or after it had reached the model.
  async #lookUp(turn: string | null, at: number): Promise<void> {
    const id = this.#unproved;
    if (id === undefined) return;
    const found = await this.#chat.find(id);
    if (this.#unproved !== id) return;
    if (found?.at === 'nowhere') this.#leftOut(id);
    else {
      this.#settle();
      this.#event.fire({ kind: 'received', id, turn, evidence: 'BeforeAgent hook' });
    }
    if (this.#turns.current === null) this.#report('idle', at, null);
  }

  #prove(evidence: string): void {
    const id = this.#unproved;
    if (id === undefined) return;
    this.#settle();
    this.#received(id, `BeforeAgent hook, ${evidence}`);
  }

  #received(id: string, evidence: string): void {
    this.#event.fire({ kind: 'received', id, turn: this.#turns.current, evidence });
  }

  #after(ms: number, then: () => void): void {
    clearTimeout(this.#wait);
    this.#wait = setTimeout(then, ms);
    this.#wait.unref();
  }

  #leftOut(id: string): void {
    this.#settle();
    this.#returned(id, 'Gemini left out what the hook gave it');
  }

  #returned(id: string, reason: string): void {
    this.#event.fire({ kind: 'returned', id, reason });
  }

  #settle(): void {
    clearTimeout(this.#wait);
    this.#unproved = undefined;
    this.#slot.clear();
  }

  #open(): void {
    clearTimeout(this.#deadline);
    if (this.#state.kind === 'open') return;
    this.#state = { kind: 'open' };
    this.#event.fire({ kind: 'changed' });
  }

  #noHook(): void {
    if (this.#state.kind !== 'opening') return;
    const reason = 'Gemini takes hooks only from its own settings; "sm hooks install gemini" puts ours there';
    this.#state = { kind: 'shut', reason };
    this.#event.fire({ kind: 'changed' });
  }

  #report(state: Status['state'], since: number, detail: string | null): void {
    this.#status = state;
    this.#event.fire({ kind: 'status', status: { state, since, source: 'hook', detail } });
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
