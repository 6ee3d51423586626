// OpenCode's door: mail is posted to the server of its TUI under a name of our own, and its events tell what became of it.
import { Emitter } from '../../tmux/index.js';
import type {
  Carries,
  Door,
  DoorContext,
  DoorEvent,
  DoorLetter,
  DoorState,
  Found,
  Sent as Outcome,
} from '../door.js';
import { askAll, askIsIdle, askMessage, askMessages } from './ask.js';
import { addressOf, Client } from './client.js';
import { databaseOf } from './database.js';
import { answerTo, History, runningOf, type Taken } from './history.js';
import { ourIdIn } from './ids.js';
import { Post } from './post.js';
import { route } from './route.js';
import { Sent } from './sent.js';
import { begin, begunSince, isOnItsOwn, newest, type Shown, shownAtStart } from './shown.js';
import { EventStream } from './stream.js';
import { type Ended, Turns } from './turns.js';
import { type Event, type Info, isAborted, type Message, textOf } from './wire.js';

// A server that listens and cannot be asked is just starting, or very busy.
const SYNC_RETRY_MS = 1000;
const SYNC_TRIES = 30;
// Its server and its input box come up together, on a busy machine that late: what is typed before may never be read.
const BEGINNING_MS = 20_000;

export class OpencodeDoor implements Door {
  readonly name = 'server';
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  #state: DoorState;
  readonly #client: Client | undefined;
  readonly #stream: EventStream | undefined;
  readonly #turns: Turns;
  readonly #post: Post;
  #history = new History();
  #shown: Shown;
  // Every event since its start was heard: a conversation that a person begins cannot be missed.
  #heardAll: boolean;
  // When its process began.
  readonly #begun: number;
  // While it is asked what it holds, what it says meanwhile waits.
  #backlog: Event[] | undefined;
  readonly #subagents = new Set<string>();
  // Conversations with mail of ours, also such that a person has left since.
  readonly #ours: Set<string>;
  #retry: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(
    readonly context: DoorContext,
    isKnownVersion: boolean,
  ) {
    const { clock, program, env, facts, folder, session } = context;
    this.#begun = Number(facts.opened ?? program.begunAt ?? clock());
    this.#state = { kind: 'opening', since: clock(), until: this.#begun + BEGINNING_MS };
    this.#shown = shownAtStart(context);
    this.#heardAll = facts.opened === undefined;
    this.#turns = new Turns(
      clock,
      (event) => this.#event.fire(event),
      (ended) => void this.#ended(ended),
    );
    const address = addressOf(program.argv, env, folder);
    const client = address && new Client(address);
    const sent = new Sent(folder);
    this.#ours = sent.conversations();
    this.#post = new Post(
      client,
      sent,
      clock,
      (event) => this.#event.fire(event),
      (message) => this.#history.removed(message),
    );
    if (!client || !(isKnownVersion || client.address.isOurs)) {
      const why =
        session.origin === 'adopted'
          ? 'it was started without --port, so that its server cannot be reached'
          : 'its server has no port';
      this.#state = { kind: 'shut', reason: client ? 'this version was never tried' : why };
      return;
    }
    this.#client = client;
    this.#saveFacts();
    this.#stream = new EventStream(client, clock, {
      connected: () => void this.#sync(),
      event: (event) => (this.#backlog ? this.#backlog.push(event) : this.#heard(event)),
      broken: () => this.#broken(),
      lost: (reason) => this.#setState({ kind: 'shut', reason }),
    });
  }

  get state(): DoorState {
    return this.#state;
  }

  // It gives the model whatever stands in the conversation at its next request, which may be in the middle of a turn.
  carries({ mode }: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    if (this.#shown.kind === 'unknown')
      return { kind: 'no', reason: 'which of its conversations is on its screen is not known yet' };
    const busy = this.#turns.isBusy || this.#post.isUnderWay;
    if (mode === 'sequential' && busy) return { kind: 'later', reason: 'its turn is running' };
    return { kind: 'now' };
  }

  async send({ id, text }: DoorLetter): Promise<Outcome> {
    if (this.#state.kind !== 'open') return { outcome: 'refused', reason: 'its server is not connected' };
    let conversation: string;
    try {
      conversation = await this.#conversation();
    } catch (error) {
      return { outcome: 'refused', reason: (error as Error).message };
    }
    this.#ours.add(conversation);
    return this.#post.send(id, text, conversation, this.#history.answeredBy);
  }

  find(id: string): Promise<Found> {
    return this.#post.find(id);
  }

  withdraw(id: string): Promise<boolean> {
    return this.#post.withdraw(id);
  }

  // Never at a dialog: it would stay there with nothing behind it.
  async interrupt(): Promise<boolean> {
    if (this.#shown.kind !== 'known' || this.#turns.isWaiting) return false;
    const aborted = await this.#client?.send('POST', `/session/${encodeURIComponent(this.#shown.id)}/abort`);
    return aborted === 'done';
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#retry);
    this.#stream?.dispose();
    this.#post.dispose();
  }

  async #conversation(): Promise<string> {
    const client = this.#client as Client;
    if (this.#shown.kind === 'fresh') {
      const id = await begin(client).catch((error: unknown) => {
        // One may have been begun that is not on its screen.
        this.#shown = { kind: 'unknown' };
        this.#saveFacts();
        throw error;
      });
      this.#show(id);
    }
    if (this.#shown.kind !== 'known') throw new Error('which conversation is on its screen is not known');
    return this.#shown.id;
  }

  #show(id: string): void {
    this.#shown = { kind: 'known', id };
    this.#history = new History();
    this.#turns.forget();
    this.#saveFacts();
  }

  // What it holds now; what comes meanwhile is heard after it.
  async #sync(tries = SYNC_TRIES): Promise<void> {
    const backlog: Event[] = [];
    this.#backlog = backlog;
    clearTimeout(this.#retry);
    let failure: unknown;
    try {
      await this.#load();
    } catch (error) {
      failure = error;
    }
    if (this.#disposed || this.#backlog !== backlog) return;
    if (failure !== undefined) {
      this.#notLoaded(failure, tries);
      return;
    }
    this.#backlog = undefined;
    for (const event of backlog) this.#heard(event);
    this.#setState({ kind: 'open' });
    void this.#post.settle();
  }

  // What it holds is not known, so nothing is given to it. What it says meanwhile is part of what it holds when it is asked again.
  #notLoaded(error: unknown, tries: number): void {
    this.context.log('OpenCode could not be asked', { error: String(error) });
    if (tries === 0) {
      this.#backlog = undefined;
      this.#setState({ kind: 'shut', reason: 'its server does not tell what it holds' });
      return;
    }
    if (this.#state.kind === 'open') this.#setState({ kind: 'opening', since: this.context.clock() });
    this.#retry = setTimeout(() => void this.#sync(tries - 1), SYNC_RETRY_MS);
    this.#retry.unref();
  }

  async #load(): Promise<void> {
    const client = this.#client as Client;
    if (this.#shown.kind === 'unknown' && this.#heardAll) {
      const id = await newest(client, this.context.program.argv, this.#begun);
      if (id) this.#show(id);
    }
    if (this.#shown.kind === 'fresh') await this.#leaveStart();
    const { asked, state, messages } = await askAll(client, this.#shownId);
    this.#turns.open(asked);
    const taken = this.#history.load(messages);
    for (const each of taken) this.#received(each);
    const prompts = new Set([...this.#turns.suspend(), ...taken.map(({ turn }) => turn)]);
    const running = state === 'idle' ? new Set<string>() : runningOf(prompts, messages);
    this.#endedBefore(new Set([...prompts].filter((turn) => !running.has(turn))), messages);
    this.#turns.state(state);
    this.#turns.resume(running);
  }

  async #leaveStart(): Promise<void> {
    const { shown, conversations } = await begunSince(this.#client as Client, this.#begun, this.#ours);
    if (shown.kind === 'known') this.#show(shown.id);
    else this.#shown = shown;
    // What was typed before anybody listened may be in any of them.
    if (shown.kind !== 'unknown') return;
    for (const id of conversations) {
      this.#ours.add(id);
      if (await askIsIdle(this.#client as Client, id)) void this.#leftBehind(id);
    }
  }

  get #shownId(): string | undefined {
    return this.#shown.kind === 'known' ? this.#shown.id : undefined;
  }

  // Turns that ended while nobody listened.
  #endedBefore(prompts: ReadonlySet<string>, messages: readonly Message[]): void {
    for (const turn of prompts) {
      const last = answerTo(turn, messages);
      this.#tellEnd([turn], isAborted(last?.info.error) ? 'interrupted' : 'completed', last);
    }
  }

  #heard(event: Event): void {
    route(event, this.#shownId, {
      message: (info) => this.#message(info),
      elsewhere: (info) => this.#elsewhere(info),
      removed: (message) => this.#history.removed(message),
      text: (message, text) => this.#history.text(message, text),
      state: (type) => this.#turns.state(type),
      restedElsewhere: (id) => this.#ours.has(id) && void this.#leftBehind(id),
      aborted: () => this.#turns.aborted(),
      selected: (id) => this.#move(id),
      began: (id) => this.#shown.kind === 'fresh' && this.#move(id),
      asked: (id, detail) => this.#turns.asked(id, detail),
      decided: (id) => this.#turns.answeredQuestion(id),
    });
  }

  #message(info: Info): void {
    if (info.role === 'user') {
      this.#history.user(info);
      return;
    }
    this.#turns.answering(info.id, info.parentID, isAborted(info.error));
    for (const taken of this.#history.answered(info)) this.#received(taken);
  }

  #received({ id, turn }: Taken): void {
    this.#post.taken(id);
    this.#event.fire({ kind: 'received', id, turn, evidence: 'message.updated: an answer to it has begun' });
  }

  // A person wrote in another conversation: that is the one on the screen.
  #elsewhere({ role, id, sessionID }: Info): void {
    if (role !== 'user' || ourIdIn(id) || this.#subagents.has(sessionID)) return;
    void isOnItsOwn(this.#client as Client, sessionID)
      .then((isOwn) => {
        if (!isOwn) this.#subagents.add(sessionID);
        else if (this.#shown.kind !== 'known' || this.#shown.id !== sessionID) this.#move(sessionID);
      })
      .catch(() => {});
  }

  #move(id: string): void {
    this.#show(id);
    void this.#sync();
  }

  async #leftBehind(id: string): Promise<void> {
    const messages = await askMessages(this.#client as Client, id).catch(() => []);
    const taken = new History().load(messages);
    for (const each of taken) this.#received(each);
    this.#endedBefore(new Set(taken.map(({ turn }) => turn)), messages);
    void this.#post.settle();
  }

  async #ended({ prompts, answer, how }: Ended): Promise<void> {
    const id = this.#shownId;
    const message =
      id && answer ? await askMessage(this.#client as Client, id, answer).catch(() => undefined) : undefined;
    if (this.#disposed) return;
    this.#tellEnd(prompts, how, message);
    void this.#post.settle();
  }

  #tellEnd(prompts: readonly string[], how: Ended['how'], message: Message | undefined): void {
    const told = {
      how,
      answer: message ? textOf(message) : null,
      evidence: how === 'completed' ? 'session.idle' : 'MessageAbortedError',
    };
    for (const turn of prompts) this.#event.fire({ kind: 'turn_ended', turn, ...told });
  }

  #broken(): void {
    this.#heardAll = false;
    this.#backlog = undefined;
    clearTimeout(this.#retry);
    this.#setState({ kind: 'opening', since: this.context.clock() });
  }

  #setState(state: DoorState): void {
    if (this.#state.kind === 'open' && state.kind === 'open') return;
    this.#state = state;
    this.#event.fire({ kind: 'changed' });
  }

  #saveFacts(): void {
    const facts = {
      opened: String(this.#begun),
      database: databaseOf(this.context.env),
      ...(this.#shown.kind === 'known' ? { conversation: this.#shown.id } : {}),
    };
    this.context
      .saveFacts(facts)
      .catch((error: unknown) => this.context.log('door facts not saved', { error: String(error) }));
  }
}
