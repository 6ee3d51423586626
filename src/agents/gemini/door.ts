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
import { Conversation } from './conversation.js';
import { HandOver, type Look } from './hand-over.js';
import { Rest } from './rest.js';
import { text } from './text.js';
import { Turns } from './turns.js';

// Gemini tells at its start that it runs; one that was started before us is heard at its next prompt.
const FIRST_HOOK_MS = 20_000;
// The hook tells us of its event before it looks for a message; it is done within a few milliseconds.
const HOOK_MS = 500;
// Gemini goes on when all hooks of the turn's end are done, and gives each 60 s where the user sets nothing else. Only what it
// does is judged by that; where the message is, a later hook or the chat file tells.
const HOOKS_MS = 65_000;

export class GeminiDoor implements Door {
  readonly name = 'turn-end hook';
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #mail: HandOver;
  readonly #conversation: Conversation;
  readonly #hooks: { dispose(): void } | undefined;
  #state: DoorState;
  #status: Status['state'] | undefined;
  readonly #turns = new Turns();
  readonly #rest: Rest;
  #deadline: NodeJS.Timeout | undefined;

  constructor(
    readonly context: DoorContext,
    isKnownVersion: boolean,
  ) {
    this.#mail = new HandOver(context, (event) => this.#event.fire(event));
    this.#conversation = new Conversation(context);
    this.#rest = new Rest(context, () => this.#cutShort());
    this.#state = { kind: 'opening', since: context.clock() };
    if (!isKnownVersion) {
      this.#state = { kind: 'shut', reason: 'this version was never tried' };
      return;
    }
    this.#hooks = context.onHook((event) => this.#hook(event));
    this.#deadline = setTimeout(() => this.#noHook(), FIRST_HOOK_MS);
    this.#deadline.unref();
    // Whether the turn that it waited for still runs, nobody knows any more.
    if (this.#mail.takeBack()) queueMicrotask(() => this.#event.fire({ kind: 'changed' }));
    // Of a process that is gone: its own chat file tells.
    if (this.#conversation.id === undefined) this.#mail.forget();
    if (this.#mail.slot.at === 'handed') this.#expectPrompt();
    const before = context.status?.state;
    if (before === 'busy' || before === 'waiting') this.#rest.watch(before);
  }

  get state(): DoorState {
    return this.#state;
  }

  carries(_letter: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    const isRunning = this.#status === 'busy' || this.#status === 'waiting';
    if (!isRunning || this.#conversation.id === undefined)
      return { kind: 'no', reason: 'no hook wakes an idle Gemini' };
    if (this.#mail.slot.at === 'empty') return { kind: 'now' };
    return { kind: 'later', reason: 'another message waits for the end of its turn' };
  }

  async send(letter: DoorLetter): Promise<Sent> {
    const { id } = this.#conversation;
    if (this.carries(letter).kind !== 'now' || id === undefined)
      return { outcome: 'refused', reason: 'its turn has ended' };
    this.#mail.put(letter.text, id);
    return { outcome: 'accepted', evidence: 'it waits for the end of the turn' };
  }

  async find(id: string): Promise<Found> {
    return this.#mail.find(id) ?? this.#conversation.chat()(id);
  }

  async withdraw(id: string): Promise<boolean> {
    const { slot } = this.#mail;
    return slot.at === 'waits' && slot.id === id && this.#mail.takeBack();
  }

  dispose(): void {
    clearTimeout(this.#deadline);
    this.#rest.stop();
    this.#mail.dispose();
    this.#hooks?.dispose();
  }

  #hook(hook: HookEvent): void {
    const { event, at, body } = hook;
    const before = { id: this.#conversation.id, chat: this.#conversation.chat() };
    if (!this.#conversation.isSaidBy(hook, this.#mail.slot.at !== 'handed')) return;
    if (before.id !== undefined && before.id !== this.#conversation.id) this.#left(before.chat, at);
    this.#open();
    switch (event) {
      case 'SessionStart':
        this.#report('idle', at, null);
        break;
      case 'BeforeAgent':
        this.#begins(text(body.prompt) ?? '', at);
        break;
      case 'AfterTool':
        this.#mail.prove(this.#turns.current, 'AfterTool hook');
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

  // The hook of that conversation will not come for it any more.
  #left(chat: Look, at: number): void {
    this.#turns.end();
    this.#mail.giveBack('its conversation was left');
    const { slot } = this.#mail;
    if (slot.at === 'handed') this.#lookBack(slot.id, chat, at);
  }

  #begins(prompt: string, at: number): void {
    const turn = this.#turns.begin(at);
    this.#event.fire({ kind: 'turn_started', turn });
    this.#report('busy', at, null);
    const { slot } = this.#mail;
    // A prompt from before it was handed over says nothing of it.
    const brought = slot.at === 'handed' && at > slot.since ? slot.id : undefined;
    const ids = idsIn(prompt);
    const isBrought = brought !== undefined && ids.includes(brought);
    // What came along with it is proved with it.
    for (const id of isBrought ? [] : ids)
      this.#event.fire({ kind: 'received', id, turn, evidence: 'BeforeAgent hook' });
    if (brought === undefined) return;
    if (isBrought) this.#mail.begins(brought);
    // Another prompt came first: it was left out, or taken while nobody listened.
    else if (!this.#mail.isLookedUp) this.#lookBack(brought, this.#conversation.chat(), at);
  }

  #ends(response: string, goesOn: boolean, at: number): void {
    const answer = this.#turns.answerIn(response, goesOn);
    if (answer !== '') this.#mail.prove(this.#turns.current, 'AfterAgent hook');
    const { isUnproved, isLookedUp, slot } = this.#mail;
    const ended: DoorEvent & { kind: 'turn_ended' } = {
      kind: 'turn_ended',
      turn: this.#turns.end(),
      how: isUnproved ? 'interrupted' : 'completed',
      answer: answer || null,
      evidence: 'AfterAgent hook',
    };
    // Of a later turn than the one at whose end it was handed over.
    if (slot.at === 'handed' && !isLookedUp && (isUnproved || at > slot.since))
      this.#mail.lookUpSoon(slot.id, this.#conversation.chat(), ended.turn, () => {
        this.#event.fire(ended);
        this.#rests(at);
      });
    else {
      this.#event.fire(ended);
      if (slot.at === 'empty' || isLookedUp) this.#report('idle', at, null);
      else this.#mail.after(HOOK_MS, () => this.#afterHook(at));
    }
  }

  // What was taken while nobody listened: its turn is over, and its answer is not known.
  #lookBack(id: string, chat: Look, at: number): void {
    const turn = `before ${at}`;
    this.#mail.lookUpSoon(id, chat, turn, (found) => {
      if (found.at === 'received')
        this.#event.fire({
          kind: 'turn_ended',
          turn,
          how: 'completed',
          answer: null,
          evidence: found.evidence,
        });
    });
  }

  #afterHook(at: number): void {
    this.#mail.giveBack('the turn ended before the hook could take it');
    if (this.#mail.slot.at === 'handed') this.#expectPrompt();
    else this.#rests(at);
  }

  // It stays where it is: a hook of the user's may still run, and Gemini goes on after that.
  #expectPrompt(): void {
    this.#mail.after(HOOKS_MS, () => this.#rests(this.context.clock()));
  }

  #rests(at: number): void {
    if (this.#turns.current === null) this.#report('idle', at, null);
  }

  // What it does now is not known, and no hook will come for what waits. Should a turn run after all, its hooks tell.
  #cutShort(): void {
    this.#report('unknown', this.context.clock(), null);
    this.#mail.giveBack('nothing moves in its pane: its turn was cut short');
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
    if (state === 'busy' || state === 'waiting') this.#rest.watch(state);
    else this.#rest.stop();
    this.#event.fire({ kind: 'status', status: { state, since, source: 'hook', detail } });
  }
}
