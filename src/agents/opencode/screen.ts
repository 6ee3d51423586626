// The conversation that OpenCode's screen shows, followed for as long as it runs and noted for a later daemon.
import type { DoorContext } from '../door.js';
import { noteFacts } from '../facts.js';
import type { Client } from './client.js';
import { databaseOf } from './database.js';
import { ourIdIn } from './ids.js';
import { begin, begunSince, isOnItsOwn, newest, type Shown, shownAtStart } from './shown.js';
import type { Info } from './wire.js';

export class Screen {
  #shown: Shown;
  // Every event since its start was heard: a conversation that a person begins cannot be missed.
  #heardAll: boolean;
  // When its process began.
  readonly begun: number;
  readonly #subagents = new Set<string>();

  constructor(
    readonly context: DoorContext,
    readonly onChanged: () => void,
  ) {
    const { facts, program, clock } = context;
    this.#shown = shownAtStart(context);
    this.#heardAll = facts.opened === undefined;
    this.begun = Number(facts.opened ?? program.begunAt ?? clock());
  }

  get kind(): Shown['kind'] {
    return this.#shown.kind;
  }

  get id(): string | undefined {
    return this.#shown.kind === 'known' ? this.#shown.id : undefined;
  }

  show(id: string): void {
    this.#shown = { kind: 'known', id };
    this.onChanged();
    this.note();
  }

  // Nobody listened for a while.
  missed(): void {
    this.#heardAll = false;
  }

  // What only its server can tell: where the command line leaves it to OpenCode, and once its start screen was left.
  // Resolves with the conversations of which nobody can say whether one of them is shown.
  async lookUp(client: Client, ours: ReadonlySet<string>): Promise<readonly string[]> {
    if (this.#shown.kind === 'unknown' && this.#heardAll) {
      const id = await newest(client, this.context.program.argv, this.begun);
      if (id) this.show(id);
    }
    if (this.#shown.kind !== 'fresh') return [];
    const { shown, conversations } = await begunSince(client, this.begun, ours);
    if (shown.kind === 'known') this.show(shown.id);
    else this.#shown = shown;
    return shown.kind === 'unknown' ? conversations : [];
  }

  // The one that mail goes into; on its start screen one is begun. Rejects when nobody can say which.
  async forMail(client: Client): Promise<string> {
    if (this.#shown.kind === 'fresh') {
      const id = await begin(client).catch((error: unknown) => {
        // One may have been begun that is not on its screen.
        this.#shown = { kind: 'unknown' };
        this.note();
        throw error;
      });
      this.show(id);
    }
    if (this.#shown.kind !== 'known') throw new Error('which conversation is on its screen is not known');
    return this.#shown.id;
  }

  // A person wrote in another conversation: that is the one on the screen.
  async isLeftFor(client: Client, { role, id, sessionID }: Info): Promise<boolean> {
    if (role !== 'user' || ourIdIn(id) || this.#subagents.has(sessionID)) return false;
    const isOwn = await isOnItsOwn(client, sessionID);
    if (!isOwn) this.#subagents.add(sessionID);
    return isOwn && this.id !== sessionID;
  }

  note(): void {
    const { context, id } = this;
    noteFacts(context, {
      opened: String(this.begun),
      database: databaseOf(context.env),
      ...(id === undefined ? {} : { conversation: id }),
    });
  }
}
