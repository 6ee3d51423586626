// Codex's door: the queue of the conversation that its pane shows, on the app server that all its TUIs share.
import path from 'node:path';
import { Emitter } from '../../tmux/index.js';
import type { Carries, Door, DoorContext, DoorEvent, DoorLetter, DoorState, Found, Sent } from '../door.js';
import type { Status } from '../status.js';
import type { Conversation } from './conversation.js';
import { launchOf, ownServerOption } from './launch.js';
import { Link, LOOKING_MS } from './link.js';
import { Mailbox } from './mailbox.js';
import { type Item, idsTaken, type Notice, statusOf, type Thread } from './protocol.js';
import { TuiRecord } from './record.js';
import { Unanswered } from './rpc.js';
import { notStarted, showing } from './shown.js';
import { Timers } from './timers.js';
import { Turns } from './turns.js';
import { takeBackFrom } from './whereabouts.js';

// A queue that is not held goes on within milliseconds of the turn's end.
const HELD_MS = 500;
// Urgent mail has interrupted the turn itself, and so knows that the queue is held.
const HELD_BY_US_MS = 50;
// After a call that was not answered, which took seconds itself.
const RELEASE_RETRY_MS = 2000;
// What left the queue shows among the items long before.
const LEFT_MS = 1500;
// The first message makes the history without which nobody can subscribe.
const SUBSCRIBE_TRIES = 30;
const SUBSCRIBE_RETRY_MS = 100;
const TURNS_TO_CATCH_UP = 20;
// Some systems tell only in whole seconds when a process began. No earlier one has begun its record that shortly before.
const BEGUN_SLACK_MS = 1000;
const MOST_THREADS = 20;

export class CodexDoor implements Door {
  readonly name = 'app server';
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  readonly #mailbox = new Mailbox();
  readonly #turns = new Turns((event) => this.#event.fire(event));
  // A connection that breaks is told by its own event.
  readonly #failed = (error: unknown): void => this.context.log('codex door', { error: String(error) });
  readonly #timers = new Timers(this.#failed);
  readonly #link: Link | undefined;
  #state: DoorState;
  #status: Status | undefined;
  // Those that its pane has shown: mail may be left in one.
  readonly #threads: Set<string>;
  // The conversation that tells us its turns and items.
  #subscribed: Conversation | undefined;

  constructor(
    readonly context: DoorContext,
    isTooOld: boolean,
    readonly onStarted: () => void,
  ) {
    const { program, env, facts, folder, clock } = context;
    this.#state = { kind: 'opening', since: clock() };
    this.#threads = new Set(facts.threads?.split(' ') ?? []);
    const option = ownServerOption(program.argv.slice(1));
    const launch = launchOf(folder, env);
    if (isTooOld || option !== undefined || !launch) {
      const why = option
        ? `it was started with ${option.replace(/=.*/s, '')} and so runs a server of its own`
        : 'it was not started by sm, so nothing tells which conversation of Codex its pane shows';
      this.#state = { kind: 'shut', reason: isTooOld ? 'this version was never tried' : why };
      onStarted();
      return;
    }
    const from = facts.thread
      ? { offset: Number(facts.offset ?? 0), shown: showing(facts.thread) }
      : { offset: 0, shown: notStarted((program.begunAt ?? clock()) - BEGUN_SLACK_MS) };
    const { home, record } = launch;
    const isOurs = path.dirname(record) === folder;
    this.#link = new Link(home, new TuiRecord(record, from, isOurs), clock, {
      onBound: (conversation, thread) => this.#bound(conversation, thread),
      onLost: () => this.#lost(),
      onNotice: (notice) => this.#heard(notice),
    });
    this.#timers.set('deadline', LOOKING_MS, () => this.#giveUp());
    this.#link.start();
  }

  get state(): DoorState {
    return this.#state;
  }

  get status(): Status | undefined {
    return this.#status;
  }

  // Its queue waits for the end of the turn by itself, and a dialog keeps it waiting: nothing is answered by it.
  carries(): Carries {
    return { kind: 'now' };
  }

  async send({ id, text, mode }: DoorLetter): Promise<Sent> {
    await this.#link?.look();
    const conversation = this.#link?.conversation;
    if (!conversation) return { outcome: 'refused', reason: this.#link?.reason ?? 'it is shut' };
    const sent = await this.#mailbox.put(conversation, id, text, mode);
    this.#releaseSoon(mode === 'urgent' ? HELD_BY_US_MS : HELD_MS);
    return sent;
  }

  async find(id: string): Promise<Found> {
    const conversation = this.#link?.conversation;
    if (!conversation) return { at: 'unknown', reason: this.#link?.reason ?? 'it is shut' };
    try {
      const found = await this.#mailbox.find(conversation, id);
      if (found.at === 'queue') this.#releaseSoon();
      if (found.at !== 'nowhere') return found;
      const earlier = [...this.#threads].filter((thread) => thread !== conversation.id);
      return earlier.length === 0 ? found : await takeBackFrom(conversation.rpc, earlier, id);
    } catch (error) {
      return { at: 'unknown', reason: String(error) };
    }
  }

  async withdraw(id: string): Promise<boolean> {
    const conversation = this.#link?.conversation;
    return conversation ? this.#mailbox.remove(conversation, id).catch(() => false) : false;
  }

  // Never at a dialog: it would be denied.
  async interrupt(): Promise<boolean> {
    const conversation = this.#link?.conversation;
    if (!conversation || this.#status?.state !== 'busy') return false;
    try {
      const [newest] = this.#turns.current ? [] : await conversation.turns(1);
      const turn = this.#turns.current ?? newest?.id;
      if (turn === undefined) return false;
      await conversation.interrupt(turn);
      return true;
    } catch {
      return false;
    }
  }

  dispose(): void {
    this.#timers.dispose();
    this.#link?.dispose();
    this.onStarted();
  }

  async #bound(conversation: Conversation, thread: Thread): Promise<void> {
    const link = this.#link as Link;
    this.onStarted();
    this.#threads.delete(thread.id);
    this.#threads.add(thread.id);
    await this.#save(thread);
    await this.#mailbox.remember(conversation);
    if (link.conversation !== conversation) return;
    this.#timers.cancel('deadline');
    this.#state = { kind: 'open' };
    this.#setStatus(statusOf(thread.status, this.context.clock()));
    this.#releaseSoon();
    if (await conversation.subscribe()) return this.#subscribedTo(conversation);
    if (thread.status.type === 'active') this.#subscribe(conversation, SUBSCRIBE_TRIES);
    this.#event.fire({ kind: 'changed' });
  }

  #lost(): void {
    this.#subscribed = undefined;
    // One that could not be made use of was never open.
    if (this.#state.kind !== 'open') return;
    this.#state = { kind: 'opening', since: this.context.clock() };
    this.#timers.set('deadline', LOOKING_MS, () => this.#giveUp());
    this.#setStatus({ state: 'unknown', since: this.context.clock(), source: 'door', detail: null });
    this.#event.fire({ kind: 'changed' });
  }

  // It may open yet.
  #giveUp(): void {
    if (this.#state.kind !== 'opening' || !this.#link) return;
    this.#state = { kind: 'shut', reason: this.#link.reason };
    this.onStarted();
    this.#event.fire({ kind: 'changed' });
  }

  #heard({ method, params }: Notice): void {
    const conversation = this.#link?.conversation;
    if (method === 'thread/started' || !this.#threads.has(params.threadId)) return;
    // One that the pane has shown before may go on, and take what is in its queue.
    if (method === 'item/completed') this.#item(params.turnId, params.item);
    if (method === 'turn/completed') this.#turns.completed(params.turn);
    if (params.threadId !== conversation?.id) return;
    switch (method) {
      case 'thread/status/changed':
        this.#setStatus(statusOf(params.status, this.context.clock()));
        if (params.status.type === 'active') this.#subscribe(conversation, SUBSCRIBE_TRIES);
        else this.#releaseSoon();
        break;
      case 'thread/queue/changed':
        if (!this.#mailbox.isEmpty) this.#timers.set('left', LEFT_MS, () => this.#checkLeft(conversation));
        break;
      case 'turn/started':
        this.#turns.started(params.turn);
        break;
      case 'turn/completed':
        this.#tidy(conversation);
        break;
    }
  }

  #item(turn: string, item: Item): void {
    this.#turns.said(turn, item);
    for (const id of idsTaken(item)) this.#received(id, turn, 'item/completed: userMessage');
  }

  #received(id: string, turn: string | null, evidence: string): void {
    this.#mailbox.taken(id);
    this.#event.fire({ kind: 'received', id, turn, evidence });
  }

  #setStatus(status: Status | undefined): void {
    if (!status) return;
    this.#status = status;
    this.#event.fire({ kind: 'status', status });
  }

  #subscribe(conversation: Conversation, tries: number): void {
    if (this.#subscribed === conversation || tries === 0) return;
    this.#timers.set('subscribe', SUBSCRIBE_RETRY_MS, async () => {
      if (this.#link?.conversation !== conversation) return;
      if (await conversation.subscribe()) await this.#subscribedTo(conversation);
      else this.#subscribe(conversation, tries - 1);
    });
  }

  // What went by before is told now: first what was received, then the turns that have ended.
  async #subscribedTo(conversation: Conversation): Promise<void> {
    this.#subscribed = conversation;
    this.#event.fire({ kind: 'changed' });
    const turns = await conversation.turns(TURNS_TO_CATCH_UP);
    if (this.#link?.conversation === conversation) this.#turns.caughtUp(turns);
  }

  // A queue that is held is let go on when it has not done so by itself.
  #releaseSoon(ms = HELD_MS): void {
    if (this.#mailbox.isEmpty || this.#status?.state !== 'idle') return;
    this.#timers.set('release', ms, async () => {
      const conversation = this.#link?.conversation;
      const isIdle = (): boolean => this.#status?.state === 'idle' && !this.#mailbox.isEmpty;
      if (!conversation || !isIdle()) return;
      await this.#mailbox.release(conversation, isIdle).catch((error: unknown) => {
        // A connection that broke is made anew, and then it is tried again anyway.
        this.#failed(error);
        if (error instanceof Unanswered && conversation.rpc.isOpen) this.#releaseSoon(RELEASE_RETRY_MS);
      });
    });
  }

  // A person may take mail out of the queue: then it is ours again.
  async #checkLeft(conversation: Conversation): Promise<void> {
    for (const id of this.#mailbox.waiting) {
      const found = await this.#mailbox.find(conversation, id);
      if (this.#link?.conversation !== conversation) return;
      if (found.at === 'received') this.#received(id, found.turn, found.evidence);
      if (found.at !== 'nowhere') continue;
      this.#mailbox.taken(id);
      this.#event.fire({ kind: 'returned', id, reason: `taken out of its queue: ${found.evidence}` });
    }
  }

  // The record is kept small between turns.
  #tidy(conversation: Conversation): void {
    void this.#link
      ?.look()
      .then(async () => {
        if (this.#link?.conversation !== conversation || !this.#link.record.isLarge) return;
        await this.#save(await conversation.read());
        this.#link.record.cut();
      })
      .catch(this.#failed);
  }

  #save({ id, sessionId, path: rollout }: Thread): Promise<void> {
    return this.context.saveFacts({
      thread: id,
      threads: [...this.#threads].slice(-MOST_THREADS).join(' '),
      tree: sessionId,
      home: this.#link?.home ?? '',
      offset: String(this.#link?.record.offset ?? 0),
      ...(rollout ? { rollout } : {}),
    });
  }
}
