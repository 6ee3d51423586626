// Tells senders that an agent has stopped where it does not tell itself which turn took what: by its state, else by its screen.
import { type Doors, type RegistryEvent, type Session, statusOf } from '../sessions/index.js';
import {
  dropStopWatch,
  type MessageRow,
  markTold,
  putStopWatch,
  type StopWatch,
  StopWatches,
} from '../store/index.js';
import type { Disposable } from '../tmux/index.js';
import { endedNotice, stopNotice } from './notices.js';
import { hearerOf, type Speaker, type Word } from './speaker.js';
import { next, type Work } from './stops.js';
import { epochOf, isRunning } from './whereabouts.js';

export interface StopNotifyDeps {
  speaker: Speaker;
  doors: Doors;
  quietMs?: number | undefined;
}

// Where nothing but its screen tells of an agent, it has stopped when it printed nothing for so long: those at work repaint
// several times a second, and between two turns there is less than this.
const QUIET_MS = 2000;

// An agent somebody waits for.
interface Followed {
  epoch: number;
  work: Work;
  quiet: NodeJS.Timeout | undefined;
}

export class StopNotify {
  readonly #deps: StopNotifyDeps;
  readonly #watches: StopWatches;
  readonly #listening: Disposable;
  readonly #quietMs: number;
  readonly #followed = new Map<string, Followed>();
  // What agents did when messages began to be typed that now are on their way.
  readonly #before = new Map<string, { work: Work; at: number }>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: StopNotifyDeps) {
    this.#deps = deps;
    this.#quietMs = deps.quietMs ?? QUIET_MS;
    const { ledger, registry } = deps.speaker.deps;
    this.#watches = new StopWatches(ledger.store);
    this.#listening = registry.onEvent((event) => this.#heard(event));
  }

  // Those of an earlier daemon. What worked then and rests now has stopped meanwhile.
  start(): void {
    const { registry } = this.#deps.speaker.deps;
    for (const recipient of this.#watches.recipients()) {
      const session = registry.get(recipient);
      if (session) this.#follow(session, 'working');
      this.#later(() => this.#ended(recipient));
    }
  }

  // Resolves when nothing is under way any more.
  async dispose(): Promise<void> {
    this.#listening.dispose();
    for (const { quiet } of this.#followed.values()) clearTimeout(quiet);
    this.#followed.clear();
    await this.#last;
  }

  // Its text is about to be typed.
  attempted({ id, recipient }: MessageRow): void {
    const { registry, clock } = this.#deps.speaker.deps;
    const session = registry.get(recipient);
    if (session) this.#before.set(id, { work: workOf(session), at: clock() });
  }

  // That came to nothing, or its agent itself tells of it.
  notTyped({ id }: MessageRow): void {
    this.#before.delete(id);
  }

  // It is in. Nothing is watched for where its agent may tell of the turn itself. Rejects (Unmet) when it is watched for already.
  submitted(message: MessageRow): Promise<void> {
    return this.#inOrder(async () => {
      const { ledger, registry } = this.#deps.speaker.deps;
      const { id, recipient } = message;
      const before = this.#before.get(id);
      this.#before.delete(id);
      const session = registry.get(recipient);
      const epoch = epochOf(ledger, id);
      // A command carries no id that its agent could show.
      if (session && message.command === 0 && this.#deps.doors.mayTell(session, epoch)) return;
      const { watches } = next([], { kind: 'submitted', message: id, agent: before?.work ?? 'unknown' });
      const puts = watches.map((watch) => putStopWatch({ ...watch, recipient }));
      await ledger.store.write([...puts, markTold(id, 'stop')]);
      if (!session || !isRunning(session, epoch)) return this.#ended(recipient);
      // A short turn may be over by now.
      const isOver = before !== undefined && statusOf(session).since > before.at;
      this.#follow(session, isOver ? 'working' : workOf(session));
    });
  }

  #heard({ type, session }: RegistryEvent): void {
    const followed = this.#followed.get(session.id);
    if (!followed) return;
    if (type === 'removed' || !isRunning(session, followed.epoch)) {
      this.#forget(session.id);
      this.#later(() => this.#ended(session.id));
    } else this.#look(session, followed);
  }

  // It has stopped when it is known to rest after it was known to work.
  #look(session: Session, followed: Followed): void {
    const before = followed.work;
    followed.work = workOf(session);
    if (before === 'working' && followed.work === 'idle') this.#later(() => this.#stopped(session.id));
    if (followed.work === 'unknown') this.#awaitQuiet(session, followed);
  }

  #follow(session: Session, work: Work): void {
    if (this.#followed.has(session.id)) return;
    const followed: Followed = { epoch: session.row.epoch, work, quiet: undefined };
    this.#followed.set(session.id, followed);
    this.#look(session, followed);
  }

  // One timer runs on while it prints, instead of one for each chunk.
  #awaitQuiet(session: Session, followed: Followed, ms = this.#quietMs): void {
    followed.quiet ??= setTimeout(() => {
      followed.quiet = undefined;
      if (this.#followed.get(session.id) !== followed || workOf(session) !== 'unknown') return;
      const left = (session.tracker?.lastOutputAt ?? 0) + this.#quietMs - this.#deps.speaker.deps.clock();
      if (left > 0) this.#awaitQuiet(session, followed, left);
      else this.#later(() => this.#stopped(session.id));
    }, ms);
  }

  async #stopped(recipient: string): Promise<void> {
    const before = this.#watches.of(recipient);
    const { watches, told } = next(before, { kind: 'stopped' });
    const promoted = watches.map((watch) => putStopWatch({ ...watch, recipient }));
    await this.#deps.speaker.say(this.#words(told, stopNotice), [...told.map(dropStopWatch), ...promoted]);
    if (watches.length === 0) this.#forget(recipient);
  }

  // Those whose process is no more.
  async #ended(recipient: string): Promise<void> {
    const { ledger, registry } = this.#deps.speaker.deps;
    const session = registry.get(recipient);
    const isOver = ({ message_id }: StopWatch): boolean =>
      !session || !isRunning(session, epochOf(ledger, message_id));
    const { told } = next(this.#watches.of(recipient).filter(isOver), { kind: 'ended' });
    await this.#deps.speaker.say(this.#words(told, endedNotice), told.map(dropStopWatch));
  }

  #words(told: readonly string[], text: (message: MessageRow) => string): Word[] {
    const { messages } = this.#deps.speaker.deps.ledger;
    return told.flatMap((id) => {
      const message = messages.get(id);
      const hearer = message && hearerOf(message);
      return hearer ? [{ to: hearer.to, text: text(message) }] : [];
    });
  }

  #forget(recipient: string): void {
    clearTimeout(this.#followed.get(recipient)?.quiet);
    this.#followed.delete(recipient);
  }

  #later(work: () => Promise<void>): void {
    this.#inOrder(work).catch((error: unknown) =>
      this.#deps.speaker.deps.log('stop not told', { error: String(error) }),
    );
  }

  // What is read of the watches is what the one before has written.
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }
}

// By more than its screen. An agent that waits for a person is in the middle of its turn.
function workOf(session: Session): Work {
  const { state } = statusOf(session);
  if (state === 'busy' || state === 'waiting') return 'working';
  return state === 'idle' ? 'idle' : 'unknown';
}
