// A lasting link to one tmux session: reattaches when the connection dies, and knows when the session itself is gone.
import type { ControlClient, ControlExit } from './control.js';
import { TmuxError } from './errors.js';
import { type Disposable, disposable, Emitter } from './events.js';
import type { Block, Notification } from './protocol.js';

export type LinkState =
  | { kind: 'connecting' }
  | { kind: 'up' }
  | { kind: 'down'; reason: string }
  | { kind: 'gone'; reason: string };

// Reattaching doubles its wait from the first to the last, so that a person who keeps detaching us is not fought.
const RETRY_FIRST_MS = 50;
const RETRY_LAST_MS = 5000;
// A connection that held this long was a good one: the next wait starts small again.
const STEADY_MS = 10_000;
// Keys of one person come no faster.
const LEAST_S = 0.001;

// Makes and ends clients when it is their turn. `take` is given the maker, and makes nothing if the link was closed meanwhile.
export interface ClientOpener {
  open(take: (make: () => ControlClient) => ControlClient | undefined): void;
  close(client: ControlClient): void;
}

export class SessionLink implements Disposable {
  readonly #state = new Emitter<LinkState>();
  readonly #notification = new Emitter<Notification>();
  readonly #output = new Map<string, Emitter<Buffer>>();
  readonly #resync = new Map<string, Emitter<void>>();
  // Panes whose flood tmux keeps back.
  readonly #paused = new Set<string>();
  readonly #subscriptions = new Map<string, string>();
  readonly #keys = new Map<string, number>();
  readonly #activity = new Map<string, number>();
  #client: ControlClient | undefined;
  // The one that it was first attached to, where that may have been replaced unseen.
  #server: string | undefined;
  #current: LinkState = { kind: 'connecting' };
  #retryMs = RETRY_FIRST_MS;
  #retryTimer: NodeJS.Timeout | undefined;
  #upSince = 0;

  readonly onState = this.#state.event;
  readonly onNotification = this.#notification.event;

  constructor(
    readonly opener: ClientOpener,
    readonly sessionId: string,
    readonly skew: () => number = () => 0,
  ) {
    this.#connect();
  }

  get state(): LinkState {
    return this.#current;
  }

  // How many seconds the clock of its tmux is ahead of ours.
  get skewS(): number {
    return this.skew();
  }

  get clientPid(): number | undefined {
    return this.#client?.pid;
  }

  // Resolves once attached; rejects when the session is gone.
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (state: LinkState): boolean => {
        if (state.kind === 'up') resolve();
        else if (state.kind === 'gone') reject(new TmuxError(`attach ${this.sessionId}`, state.reason));
        else return false;
        return true;
      };
      if (settle(this.#current)) return;
      const wait = this.onState((state) => settle(state) && wait.dispose());
    });
  }

  command(line: string): Promise<Buffer[]> {
    return this.#up(line).command(line);
  }

  // `answered` is called for each of its blocks as it comes, before the output behind it is told.
  list(commands: readonly string[], answered?: () => void): Promise<Block[]> {
    return this.#up(commands[0] ?? '').list(commands, answered);
  }

  #up(command: string): ControlClient {
    if (this.#current.kind === 'up' && this.#client) return this.#client;
    const reason = 'reason' in this.#current ? this.#current.reason : this.#current.kind;
    throw new TmuxError(command, `not connected: ${reason}`);
  }

  // Keys that we type for a person move no activity of tmux: when the last ones went to a pane is noted here, in seconds
  // since the epoch. Later than any before, and than all activity that was seen there, whatever the clock of its host says.
  noteKeys(pane: string, at: number): number {
    const before = Math.max(this.#keys.get(pane) ?? 0, this.#activity.get(pane) ?? 0);
    const noted = Math.max(at, before + LEAST_S);
    this.#keys.set(pane, noted);
    return noted;
  }

  // As it was noted before, perhaps by an earlier daemon.
  restoreKeys(pane: string, at: number): void {
    this.#keys.set(pane, Math.max(at, this.#keys.get(pane) ?? 0));
  }

  forgetKeys(pane: string): void {
    this.#keys.delete(pane);
  }

  keyedAt(pane: string): number | undefined {
    return this.#keys.get(pane);
  }

  noteActivity(pane: string, at: number): void {
    this.#activity.set(pane, Math.max(at, this.#activity.get(pane) ?? 0));
  }

  // All that a pane prints from now on, byte for byte.
  onOutput(pane: string, listener: (data: Buffer) => void): Disposable {
    return subscribe(this.#output, pane, listener);
  }

  // Output was skipped (a flood was paused, or the connection was lost): whoever keeps a picture must look again.
  onResync(pane: string, listener: () => void): Disposable {
    return subscribe(this.#resync, pane, listener);
  }

  // Has tmux report a format's value whenever it changes (it looks once a second); renewed after a reconnect.
  async watch(name: string, pane: string, format: string): Promise<Disposable> {
    const line = `refresh-client -B "${name}:${pane}:${format}"`;
    this.#subscriptions.set(name, line);
    if (this.#current.kind === 'up') await this.command(line);
    return disposable(() => {
      this.#subscriptions.delete(name);
      if (this.#current.kind === 'up') this.command(`refresh-client -B "${name}"`).catch(() => {});
    });
  }

  #connect(): void {
    this.opener.open((make) => {
      if (this.#current.kind === 'gone') return undefined;
      const client = make();
      this.#client = client;
      client.onNotification((event) => this.#notify(client, event));
      client.onExit((exit) => this.#exited(client, exit));
      return client;
    });
  }

  #notify(client: ControlClient, event: Notification): void {
    if (client !== this.#client) return;
    switch (event.type) {
      case 'output':
        // What comes between a gap and the word of it is in the picture that is taken then.
        if (this.#current.kind !== 'down' && !this.#paused.has(event.pane))
          this.#output.get(event.pane)?.fire(event.data);
        return;
      case 'pause':
        // The flood is over for us: go on from here, and let those who keep a picture capture it.
        this.#paused.add(event.pane);
        client
          .list([`refresh-client -A "${event.pane}:continue"`], () => {
            this.#paused.delete(event.pane);
            this.#resync.get(event.pane)?.fire();
          })
          .catch(() => this.#paused.delete(event.pane));
        break;
      case 'session-changed':
        // With `detach-on-destroy off` a client whose session ends is moved to another one.
        if (event.session !== this.sessionId) {
          this.#gone(`session ${this.sessionId} ended`);
          return;
        }
        this.#attached(client);
        break;
    }
    this.#notification.fire(event);
  }

  #attached(client: ControlClient): void {
    if (this.#current.kind === 'up') return;
    this.#server ??= client.server;
    if (client.server !== this.#server) {
      this.#gone('its tmux server was replaced');
      return;
    }
    this.#upSince = Date.now();
    for (const line of this.#subscriptions.values()) client.command(line).catch(() => {});
    const resumed = this.#current.kind === 'down';
    this.#enter({ kind: 'up' });
    if (resumed) for (const emitter of this.#resync.values()) emitter.fire();
  }

  #exited(client: ControlClient, exit: ControlExit): void {
    if (client !== this.#client || this.#current.kind === 'gone') return;
    this.#client = undefined;
    this.#paused.clear();
    if (!exit.cut && (!exit.attached || new TmuxError('', exit.reason).isGone)) {
      this.#gone(exit.reason);
      return;
    }
    if (Date.now() - this.#upSince > STEADY_MS) this.#retryMs = RETRY_FIRST_MS;
    this.#enter({ kind: 'down', reason: exit.reason });
    this.#retryTimer = setTimeout(() => this.#connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_LAST_MS);
  }

  #gone(reason: string): void {
    if (this.#client) this.opener.close(this.#client);
    this.#client = undefined;
    this.#enter({ kind: 'gone', reason });
  }

  #enter(state: LinkState): void {
    this.#current = state;
    this.#state.fire(state);
  }

  dispose(): void {
    clearTimeout(this.#retryTimer);
    if (this.#current.kind !== 'gone') this.#gone('closed');
  }
}

function subscribe<T>(
  emitters: Map<string, Emitter<T>>,
  key: string,
  listener: (event: T) => void,
): Disposable {
  let emitter = emitters.get(key);
  if (!emitter) {
    emitter = new Emitter<T>();
    emitters.set(key, emitter);
  }
  const own = emitter;
  const subscription = own.event(listener);
  return disposable(() => {
    subscription.dispose();
    if (own.size === 0 && emitters.get(key) === own) emitters.delete(key);
  });
}
