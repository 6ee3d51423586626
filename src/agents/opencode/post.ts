// Handing messages to OpenCode, and following each until the model was given it or it is known not to be.
import type { Disposable } from '../../tmux/index.js';
import type { DoorEvent, Found, Sent as Outcome } from '../door.js';
import { askAllMessages, askIsIdle, askMessage, askMessages } from './ask.js';
import type { Client } from './client.js';
import { type Standing, standingIn } from './history.js';
import type { Note, Sent } from './sent.js';

// It acknowledges before it writes: a message that is not in the conversation by then never came.
const WRITTEN_MS = 10_000;
// A prompt that stands in a conversation makes it busy within a second.
const BEGUN_MS = 3000;
// What cannot be told now is asked for again after that long, each time twice as long.
const AGAIN_MS = 3000;
const SLOWEST_AGAIN_MS = 60_000;

const at = (conversation: string): string => `/session/${encodeURIComponent(conversation)}`;

export class Post implements Disposable {
  // Handed over, and not seen to be given to the model; with how long it is waited before it is asked for again.
  readonly #underWay = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #settling: Promise<void> | undefined;
  #disposed = false;

  constructor(
    readonly client: Client | undefined,
    readonly sent: Sent,
    readonly clock: () => number,
    readonly tell: (event: DoorEvent) => void,
    // It stands in its conversation no more.
    readonly onRemoved: (message: string) => void,
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
    const earlier = this.sent.read(id);
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
    const isElsewhere = earlier !== undefined && earlier.conversation !== conversation;
    if (isElsewhere && !(await this.#isOutOf(id, earlier, standing)))
      return { outcome: 'unknown', reason: 'it may stand in another conversation' };
    const note = this.sent.write(id, conversation, this.clock());
    this.#follow(id, WRITTEN_MS);
    const posted = await client.send('POST', `${at(conversation)}/prompt_async`, {
      messageID: note.message,
      ...answeredBy,
      parts: [{ id: note.part, type: 'text', text }],
    });
    if (posted === 'done') return { outcome: 'accepted', evidence: 'its server answered 204' };
    if (posted === 'unknown') return { outcome: 'unknown', reason: 'its server did not answer' };
    // One that stands there from an earlier attempt may still be read.
    if (standing.kind === 'waiting' && !isElsewhere)
      return { outcome: 'unknown', reason: 'its server did not take it again' };
    this.#underWay.delete(id);
    this.sent.forget(id);
    return {
      outcome: 'refused',
      reason: posted === 'absent' ? 'its server does not listen' : 'its server refused it',
    };
  }

  async find(id: string): Promise<Found> {
    const found = await this.#whereIs(id);
    if (found.at === 'nowhere' || found.at === 'received') this.#underWay.delete(id);
    return found;
  }

  // Only one that the model was not given can be taken out, and only while no turn runs.
  async withdraw(id: string): Promise<boolean> {
    const note = this.sent.read(id);
    const standing = await this.#standing(id);
    if (!note) return true;
    if (standing === undefined || !(await this.#isOutOf(id, note, standing))) return false;
    this.#underWay.delete(id);
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
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  async #settle(): Promise<void> {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    for (const id of [...this.#underWay.keys()]) {
      const found = await this.#whereIs(id);
      if (found.at === 'unknown' && this.#underWay.has(id)) this.#followOn(id);
      // Of one that it took its events tell, together with what it does since.
      if (found.at === 'received') this.#underWay.delete(id);
      if (found.at !== 'nowhere' || !this.#underWay.delete(id)) continue;
      this.tell({ kind: 'returned', id, reason: found.evidence });
    }
  }

  async #whereIs(id: string): Promise<Found> {
    const note = this.sent.read(id);
    if (!note) return { at: 'nowhere', evidence: 'it was never handed over' };
    try {
      return await this.#find(id, note);
    } catch (error) {
      return { at: 'unknown', reason: `its server cannot be asked: ${(error as Error).message}` };
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
    const isIdle = this.client && (await askIsIdle(this.client, note.conversation));
    // The model would be given what stands there with whatever is asked next, whichever way it is sent again.
    if (isIdle && (await this.#remove(id, note)))
      return { at: 'nowhere', evidence: 'its conversation rests, and it was taken out of it' };
    if (isIdle) this.#followOn(id);
    else this.#add(id);
    return { at: 'queue', evidence: 'it stands in its conversation' };
  }

  // True when the model can never be given what was handed over under that name.
  async #isOutOf(id: string, note: Note, { kind }: Standing): Promise<boolean> {
    if (kind === 'taken') return false;
    return kind === 'absent' ? this.#age(note) > WRITTEN_MS : this.#remove(id, note);
  }

  // Refused while a turn runs.
  async #remove(id: string, note: Note): Promise<boolean> {
    const removed = await this.client?.send('DELETE', `${at(note.conversation)}/message/${note.message}`);
    if (removed !== 'done') return false;
    this.onRemoved(note.message);
    this.sent.forget(id);
    return true;
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
      if (!(await askMessage(client, note.conversation, note.message))) return standing;
      // It may have been given to the model together with a later prompt.
      const among = standingIn(await askAllMessages(client, note.conversation), id);
      return among.kind === 'absent' ? { kind: 'taken', turn: note.message } : among;
    } catch {
      return undefined;
    }
  }

  #add(id: string): void {
    if (!this.#underWay.has(id)) this.#underWay.set(id, AGAIN_MS);
  }

  #follow(id: string, ms: number): void {
    this.#add(id);
    const due = this.clock() + ms;
    if (due >= this.#due || this.#disposed) return;
    this.#due = due;
    clearTimeout(this.#timer);
    // After one that runs: that may have looked for this one too soon.
    this.#timer = setTimeout(
      () => void (this.#settling ?? Promise.resolve()).then(() => this.settle()),
      ms + 1,
    );
    this.#timer.unref();
  }

  #followOn(id: string): void {
    const ms = this.#underWay.get(id) ?? AGAIN_MS;
    this.#underWay.set(id, Math.min(2 * ms, SLOWEST_AGAIN_MS));
    this.#follow(id, ms);
  }

  #age({ at: handed }: Note): number {
    return this.clock() - handed;
  }
}
