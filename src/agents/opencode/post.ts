// Handing messages to OpenCode, and following each until the model was given it or it is known not to be.
import type { Disposable } from '../../tmux/index.js';
import type { DoorEvent, Found, Sent as Outcome } from '../door.js';
import { askIsIdle, askMessage, askMessages } from './ask.js';
import type { Client } from './client.js';
import { type Standing, standingIn } from './history.js';
import type { Note, Sent } from './sent.js';

// It acknowledges before it writes: a message that is not in the conversation by then never came.
const WRITTEN_MS = 10_000;
// A prompt that stands in a conversation makes it busy within a second.
const BEGUN_MS = 3000;

const at = (conversation: string): string => `/session/${encodeURIComponent(conversation)}`;

export class Post implements Disposable {
  // Handed over, and not seen to be given to the model.
  readonly #underWay = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #settling: Promise<void> | undefined;

  constructor(
    readonly client: Client | undefined,
    readonly sent: Sent,
    readonly clock: () => number,
    readonly tell: (event: DoorEvent) => void,
  ) {}

  get isUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  async send(
    id: string,
    text: string,
    conversation: string,
    answeredBy: Record<string, unknown>,
  ): Promise<Outcome> {
    const { client } = this;
    if (!client) return { outcome: 'refused', reason: 'its server cannot be reached' };
    const standing = await this.#standing(id);
    if (standing === undefined) return { outcome: 'unknown', reason: 'its server cannot be asked' };
    if (standing.kind === 'taken') {
      this.tell({
        kind: 'received',
        id,
        turn: standing.turn,
        evidence: 'its conversation shows it as answered',
      });
      return { outcome: 'accepted', evidence: 'it stands in its conversation' };
    }
    const note = this.sent.write(id, conversation, this.clock());
    this.#follow(id, WRITTEN_MS);
    const posted = await client.send('POST', `${at(conversation)}/prompt_async`, {
      messageID: note.message,
      ...answeredBy,
      parts: [{ id: note.part, type: 'text', text }],
    });
    if (posted === 'done') return { outcome: 'accepted', evidence: 'its server answered 204' };
    if (posted === 'unknown') return { outcome: 'unknown', reason: 'its server did not answer' };
    this.#underWay.delete(id);
    return {
      outcome: 'refused',
      reason: posted === 'absent' ? 'its server does not listen' : 'its server refused it',
    };
  }

  async find(id: string): Promise<Found> {
    const note = this.sent.read(id);
    if (!note) return { at: 'nowhere', evidence: 'it was never handed over' };
    try {
      return await this.#find(id, note);
    } catch (error) {
      return { at: 'unknown', reason: `its server cannot be asked: ${(error as Error).message}` };
    }
  }

  // Only one that the model was not given can be taken out, and only while no turn runs.
  async withdraw(id: string): Promise<boolean> {
    const note = this.sent.read(id);
    const standing = await this.#standing(id);
    if (!note) return true;
    if (standing === undefined || standing.kind === 'taken') return false;
    if (standing.kind === 'absent') return this.#age(note) > WRITTEN_MS;
    const removed = await this.client?.send('DELETE', `${at(note.conversation)}/message/${note.message}`);
    if (removed !== 'done') return false;
    this.#underWay.delete(id);
    this.sent.forget(id);
    return true;
  }

  taken(id: string): void {
    this.#underWay.delete(id);
  }

  // Looks for each that was handed over, and tells of those that it let go of.
  settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #settle(): Promise<void> {
    for (const id of [...this.#underWay]) {
      const found = await this.find(id);
      // Of one that it took its events tell, together with what it does since.
      if (found.at !== 'nowhere' || !this.#underWay.delete(id)) continue;
      this.tell({ kind: 'returned', id, reason: found.evidence });
    }
  }

  async #find(id: string, note: Note): Promise<Found> {
    const standing = await this.#standing(id);
    if (standing === undefined) return { at: 'unknown', reason: 'its server cannot be asked' };
    if (standing.kind === 'taken')
      return { at: 'received', turn: standing.turn, evidence: 'its conversation shows it as answered' };
    const patience = standing.kind === 'absent' ? WRITTEN_MS : BEGUN_MS;
    if (this.#age(note) < patience) {
      this.#follow(id, patience - this.#age(note));
      return { at: 'queue', evidence: 'it was handed over a moment ago' };
    }
    if (standing.kind === 'absent') return { at: 'nowhere', evidence: 'it is not in its conversation' };
    if (!this.client || (await askIsIdle(this.client, note.conversation)))
      return { at: 'nowhere', evidence: 'its conversation rests, and the model was not given it' };
    this.#underWay.add(id);
    return { at: 'queue', evidence: 'it stands in its conversation' };
  }

  // Undefined when it cannot be asked.
  async #standing(id: string): Promise<Standing | undefined> {
    const note = this.sent.read(id);
    if (!note) return { kind: 'absent' };
    try {
      const { client } = this;
      if (!client) return undefined;
      const standing = standingIn(await askMessages(client, note.conversation), id);
      if (standing.kind !== 'absent') return standing;
      const older = await askMessage(client, note.conversation, note.message);
      return older ? { kind: 'taken', turn: note.message } : { kind: 'absent' };
    } catch {
      return undefined;
    }
  }

  #follow(id: string, ms: number): void {
    this.#underWay.add(id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.settle(), ms + 1);
    this.#timer.unref();
  }

  #age({ at: handed }: Note): number {
    return this.clock() - handed;
  }
}
