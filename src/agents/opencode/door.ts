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
import type { Status } from '../status.js';
import { askAll, askIsIdle, askMessage, askMessages } from './ask.js';
import { addressOf, Client } from './client.js';
import { History, promptsOf, runningOf, type Taken } from './history.js';
import { Post } from './post.js';
import { route } from './route.js';
import { Screen } from './screen.js';
import { Sent } from './sent.js';
import { EventStream } from './stream.js';
import { Sync } from './sync.js';
import { type Ended, endsAmong, endsOf, Turns } from './turns.js';
import { type Event, type Info, isAborted } from './wire.js';

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
  readonly #screen: Screen;
  readonly #sync: Sync;
  // Conversations with mail of ours, also such that a person has left since.
  readonly #ours: Set<string>;
  #disposed = false;

  constructor(
    readonly context: DoorContext,
    isKnownVersion: boolean,
  ) {
    const { clock, program, env, folder, session } = context;
    this.#screen = new Screen(context, () => {
      this.#history = new History();
      this.#turns.forget();
    });
    this.#state = { kind: 'opening', since: clock(), until: this.#screen.begun + BEGINNING_MS };
    this.#sync = new Sync({
      load: () => this.#load(),
      heard: (event) => this.#heard(event),
      onLoaded: () => {
        this.#setState({ kind: 'open' });
        void this.#post.settle();
      },
      onFailed: (error, then) => this.#notLoaded(error, then),
    });
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
    this.#screen.note();
    this.#stream = new EventStream(client, clock, {
      connected: () => void this.#sync.start(),
      event: (event) => this.#sync.hear(event),
      broken: () => this.#broken(),
      lost: (reason) => this.#setState({ kind: 'shut', reason }),
    });
  }

  get state(): DoorState {
    return this.#state;
  }

  get status(): Status {
    return this.#turns.status;
  }

  // It gives the model whatever stands in the conversation at its next request, which may be in the middle of a turn.
  carries({ mode }: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    if (this.#screen.kind === 'unknown')
      return { kind: 'no', reason: 'which of its conversations is on its screen is not known yet' };
    const busy = this.#turns.isBusy || this.#post.isUnderWay;
    if (mode === 'sequential' && busy) return { kind: 'later', reason: 'its turn is running' };
    return { kind: 'now' };
  }

  async send({ id, text }: DoorLetter): Promise<Outcome> {
    if (this.#state.kind !== 'open') return { outcome: 'refused', reason: 'its server is not connected' };
    let conversation: string;
    try {
      conversation = await this.#screen.forMail(this.#client as Client);
    } catch (error) {
      if (this.#screen.kind === 'unknown') this.#turns.state(undefined);
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
    const { id } = this.#screen;
    if (id === undefined || this.#state.kind !== 'open' || this.#turns.isWaiting) return false;
    const aborted = await this.#client?.send('POST', `/session/${encodeURIComponent(id)}/abort`);
    return aborted === 'done';
  }

  dispose(): void {
    this.#disposed = true;
    this.#sync.dispose();
    this.#stream?.dispose();
    this.#post.dispose();
  }

  #notLoaded(error: unknown, then: 'tried again' | 'given up'): void {
    this.context.log('OpenCode could not be asked', { error: String(error) });
    if (then === 'given up')
      this.#setState({ kind: 'shut', reason: 'its server does not tell what it holds' });
    else if (this.#state.kind === 'open') this.#setState({ kind: 'opening', since: this.context.clock() });
  }

  async #load(): Promise<void> {
    const client = this.#client as Client;
    // What was typed before anybody listened may be in any of them.
    for (const id of await this.#screen.lookUp(client, this.#ours)) {
      this.#ours.add(id);
      if (await askIsIdle(client, id)) void this.#leftBehind(id);
    }
    const { asked, state, messages } = await askAll(client, this.#screen.id);
    this.#turns.open(asked);
    for (const each of this.#history.load(messages)) this.#received(each);
    const prompts = new Set([...this.#turns.suspend(), ...promptsOf(messages)]);
    const running = state === 'idle' ? new Set<string>() : runningOf(prompts, messages);
    const ended = [...prompts].filter((turn) => !running.has(turn));
    this.#tellEnds(endsAmong(ended, messages));
    this.#turns.state(this.#screen.kind === 'unknown' ? undefined : state);
    this.#turns.resume(running);
  }

  #heard(event: Event): void {
    route(event, this.#screen.id, {
      message: (info) => (info.role === 'user' ? this.#history.user(info) : this.#answered(info)),
      elsewhere: (info) => this.#elsewhere(info),
      removed: (message) => this.#history.removed(message),
      text: (message, text) => this.#history.text(message, text),
      state: (type) => this.#turns.state(type),
      restedElsewhere: (id) => this.#ours.has(id) && void this.#leftBehind(id),
      aborted: () => this.#turns.aborted(),
      selected: (id) => this.#move(id),
      began: (id) => this.#screen.kind === 'fresh' && this.#move(id),
      asked: (id, detail) => this.#turns.asked(id, detail),
      decided: (id) => this.#turns.answeredQuestion(id),
    });
  }

  #answered(info: Info): void {
    this.#turns.answering(info.id, info.parentID, isAborted(info.error));
    for (const taken of this.#history.answered(info)) this.#received(taken);
  }

  #received({ id, turn }: Taken): void {
    this.#post.taken(id);
    this.#event.fire({ kind: 'received', id, turn, evidence: 'message.updated: an answer to it has begun' });
  }

  #elsewhere(info: Info): void {
    void this.#screen
      .isLeftFor(this.#client as Client, info)
      .then((isLeft) => isLeft && this.#move(info.sessionID))
      .catch(() => {});
  }

  #move(id: string): void {
    this.#screen.show(id);
    void this.#sync.start();
  }

  async #leftBehind(id: string): Promise<void> {
    const messages = await askMessages(this.#client as Client, id).catch(() => []);
    for (const each of new History().load(messages)) this.#received(each);
    this.#tellEnds(endsAmong(promptsOf(messages), messages));
    void this.#post.settle();
  }

  async #ended({ prompts, answer, how }: Ended): Promise<void> {
    const { id } = this.#screen;
    const message =
      id && answer ? await askMessage(this.#client as Client, id, answer).catch(() => undefined) : undefined;
    if (this.#disposed) return;
    this.#tellEnds(endsOf(prompts, how, message));
    void this.#post.settle();
  }

  #tellEnds(ends: readonly DoorEvent[]): void {
    for (const event of ends) this.#event.fire(event);
  }

  #broken(): void {
    this.#screen.missed();
    this.#sync.stop();
    this.#setState({ kind: 'opening', since: this.context.clock() });
  }

  #setState(state: DoorState): void {
    if (this.#state.kind === 'open' && state.kind === 'open') return;
    this.#state = state;
    if (state.kind !== 'open') this.#turns.lost();
    this.#event.fire({ kind: 'changed' });
  }
}
