// The conversation that the pane shows, and its chat file: a Gemini inside a tool of this one has hooks in the same pane too.
import type { DoorContext, Found, HookEvent } from '../door.js';
import { noteFacts } from '../facts.js';
import { findInChat } from './chat-file.js';
import { startOf } from './process-start.js';
import { text } from './text.js';

// Gemini tells of its own start within this time; who tells later was started inside it.
const STARTS_MS = 60_000;

type Context = Pick<DoorContext, 'facts' | 'saveFacts' | 'log' | 'clock' | 'program' | 'folder'>;

export class Conversation {
  #id: string | undefined;
  #chat: string | undefined;
  // It told of its own start, and it has been given a prompt: then another one that starts is inside it.
  #hasToldStart: boolean;
  #hasBegun: boolean;
  // Those that told of their start and are not the one.
  readonly #others = new Set<string>();
  readonly #startedAt: number | undefined;

  constructor(readonly context: Context) {
    this.#id = context.facts.conversation;
    this.#chat = context.facts.chat;
    this.#hasToldStart = this.#hasBegun = this.#id !== undefined;
    this.#startedAt = startOf(context.program.pid, context.clock());
  }

  // Undefined until a hook has named it.
  get id(): string | undefined {
    return this.#id;
  }

  // `canLeave`: nothing hangs on the present one. Its next hook may name another: then that is the one from then on.
  isSaidBy({ event, at, body }: HookEvent, canLeave: boolean): boolean {
    // Of a process that was in the pane before.
    if (this.#startedAt !== undefined && at < this.#startedAt) return false;
    const id = text(body.session_id);
    if (id === undefined) return false;
    const source = event === 'SessionStart' ? (text(body.source) ?? 'startup') : undefined;
    if (id !== this.#id && this.#isNow(id, { event, at, source }, canLeave)) {
      this.#id = id;
      this.#hasToldStart = source !== undefined;
      this.#hasBegun = false;
    }
    if (id !== this.#id) {
      if (source !== undefined) this.#others.add(id);
      return false;
    }
    this.#hasBegun ||= event === 'BeforeAgent';
    this.#chat = text(body.transcript_path) ?? this.#chat;
    // The next to speak is the one: this process ends, or the one that has ended was never that of the pane.
    if (event === 'SessionEnd') this.#id = undefined;
    this.#note();
    return true;
  }

  // As it is now; for a later look at the chat of this one, whichever is shown then.
  chat(): (id: string) => Promise<Found> {
    const file = this.#chat;
    return async (id) =>
      file === undefined ? { at: 'unknown', reason: 'its chat file is not known' } : findInChat(file, id);
  }

  #isNow(
    id: string,
    { event, at, source }: { event: string; at: number; source: string | undefined },
    canLeave: boolean,
  ): boolean {
    if (event === 'SessionEnd') return false;
    // The person has begun a new one; no other Gemini in this pane has a person.
    if (source === 'clear') return true;
    if (this.#id === undefined) return !this.#others.has(id) || source !== undefined;
    if (!canLeave) return false;
    if (source !== undefined) return this.#isStarting(at) && !(this.#hasToldStart && this.#hasBegun);
    // Chosen by the person from those of before, which no hook tells. One inside a tool has told of its start.
    return event === 'BeforeAgent' && !this.#others.has(id);
  }

  #isStarting(at: number): boolean {
    return this.#startedAt === undefined || at - this.#startedAt < STARTS_MS;
  }

  #note(): void {
    const facts = {
      folder: this.context.folder,
      ...(this.#id !== undefined && { conversation: this.#id }),
      ...(this.#chat !== undefined && { chat: this.#chat }),
    };
    noteFacts(this.context, facts);
  }
}
