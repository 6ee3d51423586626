// What becomes of the one message that is handed over at a turn's end: said only where a hook or the chat file proves it.
import type { DoorContext, DoorEvent, Found } from '../door.js';
import { type Slot, TurnEndSlot } from './slot.js';

// Its chat file is up to half a second behind.
const CHAT_MS = 1500;

export type Look = (id: string) => Promise<Found>;

export class HandOver {
  readonly #slot: TurnEndSlot;
  // Begun by Gemini in the turn that runs, which a person may have interrupted before: then nothing comes of it.
  #unproved: string | undefined;
  // What became of the last one; whoever asks may ask before the chat file shows it.
  #fate: { id: string; found: Found } | undefined;
  #isLookedUp = false;
  #wait: NodeJS.Timeout | undefined;

  constructor(
    readonly context: Pick<DoorContext, 'folder' | 'log'>,
    readonly tell: (event: DoorEvent) => void,
  ) {
    this.#slot = new TurnEndSlot(context.folder);
  }

  get slot(): Slot {
    return this.#slot.get();
  }

  get isUnproved(): boolean {
    return this.#unproved !== undefined;
  }

  // Its chat is being asked: what other turns do says nothing of it.
  get isLookedUp(): boolean {
    return this.#isLookedUp;
  }

  put(text: string, conversation: string): void {
    this.#fate = undefined;
    this.#slot.put(text, conversation);
  }

  // Undefined where only the chat file can tell.
  find(id: string): Found | undefined {
    if (this.#fate?.id === id) return this.#fate.found;
    const { slot } = this;
    if (slot.at === 'empty' || slot.id !== id) return undefined;
    return { at: 'queue', evidence: slot.at === 'waits' ? 'it waits for the hook' : 'the hook has it' };
  }

  // True when it waited, and the hook never will have it.
  takeBack(): boolean {
    const { slot } = this;
    if (slot.at !== 'waits' || !this.#slot.takeBack()) return false;
    this.#fate = { id: slot.id, found: { at: 'nowhere', evidence: 'the hook has not got it' } };
    return true;
  }

  giveBack(reason: string): void {
    const { slot } = this;
    if (this.takeBack() && slot.at === 'waits') this.tell({ kind: 'returned', id: slot.id, reason });
  }

  // What an earlier process was given.
  forget(): void {
    this.#slot.clear();
  }

  begins(id: string): void {
    clearTimeout(this.#wait);
    this.#isLookedUp = false;
    this.#unproved = id;
  }

  prove(turn: string | null, by: string): void {
    const id = this.#unproved;
    if (id === undefined) return;
    const evidence = `BeforeAgent hook, ${by}`;
    this.#settle(id, { at: 'received', turn, evidence });
    this.tell({ kind: 'received', id, turn, evidence });
  }

  // `turn`: the one that it was taken in, if it was. `then` is told what was found.
  lookUpSoon(id: string, look: Look, turn: string | null, then: (found: Found) => void): void {
    this.#unproved = undefined;
    this.#isLookedUp = true;
    this.after(CHAT_MS, () => void this.#lookUp(id, look, turn).then(then));
  }

  after(ms: number, then: () => void): void {
    clearTimeout(this.#wait);
    this.#wait = setTimeout(then, ms);
    this.#wait.unref();
  }

  dispose(): void {
    clearTimeout(this.#wait);
  }

  async #lookUp(id: string, look: Look, turn: string | null): Promise<Found> {
    const found = await look(id);
    this.#isLookedUp = false;
    const { slot } = this;
    if (slot.at !== 'handed' || slot.id !== id) return found;
    this.#settle(id, found);
    if (found.at === 'received') this.tell({ kind: 'received', id, turn, evidence: found.evidence });
    if (found.at === 'nowhere')
      this.tell({ kind: 'returned', id, reason: 'Gemini left out what the hook gave it' });
    // Nobody knows, and nothing is claimed: it stays as it is until the chat file can be read, or the process has ended.
    if (found.at === 'unknown') this.context.log('what the hook gave cannot be looked for', { id, ...found });
    return found;
  }

  #settle(id: string, found: Found): void {
    clearTimeout(this.#wait);
    this.#unproved = undefined;
    if (found.at !== 'unknown') this.#fate = { id, found };
    this.#slot.clear();
  }
}
