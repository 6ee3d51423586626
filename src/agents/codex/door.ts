// Codex's door: the queue of the conversation that its pane shows, on the app server that all its TUIs share.
import path from 'node:path';
import { Emitter } from '../../tmux/index.js';
import type { Carries, Door, DoorContext, DoorEvent, DoorLetter, DoorState, Found, Sent } from '../door.js';
import type { Status } from '../status.js';
import type { Conversation } from './conversation.js';
import { launchOf, ownServerOption } from './launch.js';
import { Link, LOOKING_MS } from './link.js';
import { Mailbox } from './mailbox.js';
import { type Item, idsTaken, type Notice, statusOf, type Thread, unknownStatus } from './protocol.js';
import { QueueWatch } from './queue-watch.js';
import { TuiRecord } from './record.js';
import { notStarted, showing } from './shown.js';
import { Subscription } from './subscription.js';
import { Timers } from './timers.js';
import { Turns } from './turns.js';
import { takeBackFrom } from './whereabouts.js';

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
  #status: Status;
  // Those that its pane has shown: mail may be left in one.
  readonly #threads: Set<string>;
  readonly #subscription: Subscription;
  readonly #queue: QueueWatch;

  constructor(
    readonly context: DoorContext,
    isTooOld: boolean,
    readonly onStarted: () => void,
  ) {
    const { program, env, facts, folder, clock } = context;
    this.#state = { kind: 'opening', since: clock() };
    this.#status = unknownStatus(clock());
    this.#threads = new Set(facts.threads?.split(' ') ?? []);
    this.#subscription = new Subscription(this.#timers, {
      isShown: (conversation) => this.#link?.conversation === conversation,
      onSubscribed: () => this.#event.fire({ kind: 'changed' }),
      onMissed: (turns) => this.#turns.caughtUp(turns),
    });
    this.#queue = new QueueWatch(this.#mailbox, this.#timers, {
      conversation: () => this.#link?.conversation,
      isIdle: () => this.#status.state === 'idle',
      onReceived: (id, turn, evidence) => this.#received(id, turn, evidence),
      onReturned: (id, reason) => this.#event.fire({ kind: 'returned', id, reason }),
      onFailed: this.#failed,
    });
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

  get status(): Status {
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
    this.#queue.releaseSoon(mode);
    return sent;
  }

  async find(id: string): Promise<Found> {
    const conversation = this.#link?.conversation;
    if (!conversation) return { at: 'unknown', reason: this.#link?.reason ?? 'it is shut' };
    try {
      const found = await this.#mailbox.find(conversation, id);
      if (found.at === 'queue') this.#queue.releaseSoon();
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
    if (!conversation || this.#status.state !== 'busy') return false;
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
    this.#queue.releaseSoon();
    if (await this.#subscription.take(conversation)) return;
    if (thread.status.type === 'active') this.#subscription.takeSoon(conversation);
    this.#event.fire({ kind: 'changed' });
  }

  #lost(): void {
    this.#subscription.lose();
    // One that could not be made use of was never open.
    if (this.#state.kind !== 'open') return;
    this.#state = { kind: 'opening', since: this.context.clock() };
    this.#timers.set('deadline', LOOKING_MS, () => this.#giveUp());
    this.#setStatus(unknownStatus(this.context.clock()));
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
        if (params.status.type === 'active') this.#subscription.takeSoon(conversation);
        else this.#queue.releaseSoon();
        break;
      case 'thread/queue/changed':
        this.#queue.changed(conversation);
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

  #setStatus(status: Status): void {
    this.#status = status;
    this.#event.fire({ kind: 'status', status });
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
