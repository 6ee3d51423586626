// A door through an extension of ours inside the agent: messages go in by files, and what becomes of them comes back in one.
import fs from 'node:fs';
import { Emitter } from '../../tmux/index.js';
import { isAlive } from '../alive.js';
import type { Carries, Door, DoorContext, DoorEvent, DoorLetter, DoorState, Found, Sent } from '../door.js';
import { noteFacts } from '../facts.js';
import type { Status } from '../status.js';
import { Answers } from './answers.js';
import { Journal } from './journal.js';
import type { ExtensionKind } from './kind.js';
import { findLast } from './last.js';
import { Outbox } from './outbox.js';
import type { Said } from './said.js';

// Agents load their extensions before they show their box; a slow machine takes seconds.
const HELLO_MS = 20_000;
export class ExtensionDoor implements Door {
  readonly name: string;
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #answers = new Answers();
  #state: DoorState;
  #status: Status | undefined;
  #refused: string | undefined;
  #extension: number | undefined;
  #outbox: Outbox | undefined;
  #journal: Journal | undefined;
  #arrival: fs.FSWatcher | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #stops = 0;

  constructor(
    readonly context: DoorContext,
    readonly kind: ExtensionKind,
  ) {
    this.name = kind.name;
    const place = kind.place(context);
    this.#state =
      place === undefined
        ? { kind: 'shut', reason: kind.absent }
        : { kind: 'opening', since: context.clock() };
    // Whoever opens it listens only after this.
    if (place !== undefined) queueMicrotask(() => this.#start(place));
  }

  get state(): DoorState {
    return this.#state;
  }

  get status(): Status | undefined {
    return this.#status;
  }

  carries(letter: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    if (this.#refused !== undefined) return { kind: 'no', reason: this.#refused };
    return this.kind.carries(letter, this.#status);
  }

  async send({ id, text, mode }: DoorLetter): Promise<Sent> {
    const outbox = this.#outbox;
    if (!this.#runs()) this.#shut('its extension has ended', false);
    if (!outbox || this.#state.kind !== 'open')
      return { outcome: 'refused', reason: 'its extension does not run' };
    const answer = this.#answers.onLetter(id);
    try {
      outbox.put({ id, text, mode });
    } catch (error) {
      return { outcome: 'refused', reason: `not put into its folder: ${String(error)}` };
    }
    const said = await answer;
    if (said?.kind === 'refused') return { outcome: 'refused', reason: said.reason };
    if (said) return { outcome: 'accepted', evidence: `extension: ${said.kind}` };
    if (outbox.takeBack(id)) return { outcome: 'refused', reason: 'its extension did not take it' };
    return { outcome: 'unknown', reason: 'its extension took it and has not said what became of it' };
  }

  async find(id: string): Promise<Found> {
    const { program } = this.context;
    if (!this.#outbox) return { at: 'unknown', reason: 'its extension has not said anything yet' };
    // In this order: what becomes of a message is said before its file goes.
    const where = this.#outbox.where(id);
    this.#journal?.read();
    const word = this.#journal?.wordOn(id);
    if (word?.kind === 'received') return { at: 'received', turn: word.turn, evidence: word.evidence };
    if (where === 'none')
      return {
        at: 'nowhere',
        evidence: word?.kind === 'returned' ? word.reason : 'its extension has not got it',
      };
    if (isAlive(program.pid) && this.#runs())
      return { at: 'queue', evidence: `extension: ${word?.kind ?? 'put'}` };
    const last = await findLast(this.kind, { place: this.#outbox.place }, id);
    // Without its extension the agent may still have it in its queue.
    const isOpen = isAlive(program.pid) && last.at !== 'received' && where === 'taken';
    if (isOpen) return { at: 'queue', evidence: 'its extension has ended' };
    // An extension that is loaded anew must not find what is sent again.
    const isClaimed = last.at === 'nowhere' && where === 'put' && !this.#outbox.takeBack(id);
    return isClaimed ? { at: 'unknown', reason: 'its extension takes it at this moment' } : last;
  }

  async withdraw(id: string): Promise<boolean> {
    return this.#outbox?.takeBack(id) ?? false;
  }

  async interrupt(): Promise<boolean> {
    const name = `${process.pid}-${++this.#stops}`;
    const answer = this.#answers.onStop(name);
    try {
      this.#outbox?.askToStop(name);
    } catch {
      return false;
    }
    return (await answer)?.kind === 'stopped';
  }

  dispose(): void {
    clearTimeout(this.#deadline);
    this.#arrival?.close();
    this.#journal?.dispose();
  }

  #start(place: string): void {
    this.#deadline = setTimeout(() => this.#noHello(), HELLO_MS);
    this.#deadline.unref();
    this.#outbox = new Outbox(place);
    let isPast = true;
    const journal = new Journal(place, (said, isTold) => this.#hear(said, isPast, isTold));
    this.#journal = journal;
    if (!journal.watch() && !this.#awaitFolder(journal)) {
      this.#shut('the folder of its extension cannot be watched', false);
      return;
    }
    journal.read();
    isPast = false;
    if (this.#state.kind !== 'open') return;
    if (this.#status) this.#event.fire({ kind: 'status', status: this.#status });
    // What was let go of while nobody listened is found now.
    this.#event.fire({ kind: 'changed' });
  }

  // It is made by the extension, or by its start. False when nobody would tell.
  #awaitFolder(journal: Journal): boolean {
    try {
      const arrival = fs.watch(this.context.folder, () => {
        if (!journal.watch()) return;
        arrival.close();
        journal.read();
      });
      arrival.on('error', () => arrival.close());
      this.#arrival = arrival;
      if (journal.watch()) arrival.close();
      return true;
    } catch {
      return false;
    }
  }

  // `isPast`: said before this daemon came. What was let go of then may have been sent again since: `find` tells.
  #hear(said: Said, isPast: boolean, isTold: boolean): void {
    if (!isPast) this.#answers.hear(said);
    switch (said.kind) {
      case 'hello':
        this.#extension = said.pid;
        this.#opened(isPast);
        break;
      case 'refused':
        this.#refused = said.reason;
        if (!isPast) this.#event.fire({ kind: 'returned', id: said.id, reason: said.reason });
        break;
      case 'returned':
        if (!isPast) this.#event.fire({ kind: 'returned', id: said.id, reason: said.reason });
        break;
      case 'received':
        if (!isTold) this.#event.fire(said);
        break;
      case 'turn_started':
        this.#refused = undefined;
        if (!isPast) this.#event.fire(said);
        break;
      case 'turn_ended':
        if (!isTold) this.#event.fire(said);
        break;
      case 'status':
        this.#status = { state: said.state, since: said.at, source: 'door', detail: said.detail ?? null };
        if (!isPast) this.#event.fire({ kind: 'status', status: this.#status });
        break;
      case 'bye':
        this.#shut('its extension has ended', isPast);
        break;
    }
  }

  #runs(): boolean {
    return this.#extension !== undefined && isAlive(this.#extension);
  }

  #opened(isPast: boolean): void {
    clearTimeout(this.#deadline);
    if (this.#state.kind === 'open') return;
    this.#state = { kind: 'open' };
    // What the extension says there outlives it.
    noteFacts(this.context, { place: this.#outbox?.place ?? '' });
    if (!isPast) this.#event.fire({ kind: 'changed' });
  }

  #shut(reason: string, isPast: boolean): void {
    this.#state = { kind: 'shut', reason };
    if (!isPast) this.#event.fire({ kind: 'changed' });
  }

  // It may still come: the folder is watched on.
  #noHello(): void {
    if (this.#state.kind === 'opening')
      this.#shut('its extension has not reported: extensions may be turned off', false);
  }
}
