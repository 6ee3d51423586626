// The connection of one session to Codex's server, and the conversation that its pane shows: looked for again whenever either is lost.
import fs from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../tmux/index.js';
import { Conversation } from './conversation.js';
import { socketIn } from './launch.js';
import { type Notice, parseNotice, type Thread } from './protocol.js';
import type { TuiRecord } from './record.js';
import { type Resolved, resolve } from './resolve.js';
import { Rpc } from './rpc.js';
import type { Shown } from './shown.js';

// The server and the conversation come a moment after the input box; after that only the TUI's record makes us look again.
export const LOOKING_MS = 20_000;
const RETRY_MS = 200;
// A TUI that has taken its conversation up on another server draws it at once.
const BACK_MS = 5000;
// Each twice as long after the last; after these only what the TUI or the server says makes us look again.
const MOST_FAILURES = 6;

export interface LinkListeners {
  // Rejects when the conversation cannot be made use of: it is looked for again.
  onBound(conversation: Conversation, thread: Thread): Promise<void>;
  onLost(): void;
  onNotice(notice: Notice): void;
}

const REASONS: Readonly<{ [kind in Exclude<Resolved['kind'], 'thread'>]: string }> = {
  none: 'the shared app server of Codex does not have its conversation: it runs one of its own',
  several: 'another Codex began at the same moment; which is which shows with the next prompt',
  later: 'its pane has changed to another conversation; which one shows with the next prompt',
  asleep: 'the app server of Codex has not taken its conversation up',
};

export class Link implements Disposable {
  // Why there is no conversation, for a person to read.
  reason = 'the app server of Codex does not answer';
  #rpc: Rpc | undefined;
  // The server that it is connected to, or was last.
  #server: string | undefined;
  // The one that went away while the conversation was shown.
  #gone: string | undefined;
  #conversation: Conversation | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #disposed = false;
  #since = 0;
  #tried: Shown | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #socketWatch: fs.FSWatcher | undefined;

  constructor(
    readonly home: string,
    readonly record: TuiRecord,
    readonly clock: () => number,
    readonly listeners: LinkListeners,
  ) {}

  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  start(): void {
    this.#search();
  }

  // Resolves when what the pane shows at this moment is known, or cannot be known yet.
  async look(): Promise<void> {
    if (this.#looking) this.#again = true;
    else
      this.#looking = this.#lookOn().finally(() => {
        this.#looking = undefined;
      });
    await this.#looking;
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#unwatch();
    this.#rpc?.dispose();
  }

  async #lookOn(): Promise<void> {
    do {
      this.#again = false;
      await this.#lookOnce();
    } while (this.#again && !this.#disposed);
  }

  async #lookOnce(): Promise<void> {
    const shown = this.#known();
    const { where } = shown;
    const isShown = where.kind === 'thread' && where.thread === this.#conversation?.id;
    if (isShown && this.#rpc?.isOpen) return;
    this.#lose();
    if (this.#disposed) return;
    this.#tried = shown;
    try {
      this.#rpc = this.#rpc?.isOpen ? this.#rpc : await this.#connect();
      const resolved = this.#disposed ? undefined : await resolve(this.#rpc, shown);
      if (!resolved || this.#disposed) {
        this.#rpc.dispose();
        return;
      }
      if (resolved.kind !== 'thread') this.reason = REASONS[resolved.kind];
      else if (where.kind === 'thread' || this.record.settle(where, resolved.thread.id))
        this.#bind(this.#rpc, resolved.thread);
      else this.#again = true;
    } catch {
      // Not there yet, or gone again: looked for again below.
    }
    if (!this.#conversation) this.#retry();
  }

  async #connect(): Promise<Rpc> {
    this.reason = 'the app server of Codex does not answer';
    const server = serverIn(this.home);
    const rpc = await Rpc.connect(socketIn(this.home), {
      onNotice: (method, params) => this.#heard(parseNotice(method, params)),
      onClose: () => {
        if (this.#disposed) return;
        this.#gone = this.#server;
        this.record.expectBack(Number.POSITIVE_INFINITY);
        this.#search();
      },
    });
    this.#server = server;
    return rpc;
  }

  // A TUI draws its conversation anew when it comes back from a server that died. On the same server it is another one.
  #known(): Shown {
    const { where } = this.record.read();
    if (where.kind !== 'back') return this.record.shown;
    const server = serverIn(this.home);
    if (server === undefined) return this.record.shown;
    if (server === this.#gone) this.record.missed();
    else this.record.settle(where, where.thread);
    // Bound anew: what a later daemon needs has changed.
    this.#lose();
    return this.record.shown;
  }

  #bind(rpc: Rpc, thread: Thread): void {
    clearTimeout(this.#timer);
    this.#unwatch();
    const conversation = new Conversation(rpc, thread.id);
    this.#conversation = conversation;
    const { where } = this.record.shown;
    // Taken up on the next server, and not drawn yet; or only the connection was lost.
    if (where.kind === 'thread' && where.backBy !== undefined)
      this.record.expectBack(this.#server === this.#gone ? 0 : this.clock() + BACK_MS);
    void this.listeners.onBound(conversation, thread).then(
      () => {
        this.#failures = 0;
      },
      (error: unknown) => this.#unusable(conversation, error),
    );
  }

  // One call that was not answered must not leave it unused for ever.
  #unusable(conversation: Conversation, error: unknown): void {
    if (this.#disposed || this.#conversation !== conversation) return;
    this.reason = `the app server of Codex does not tell what it has: ${String(error)}`;
    this.#lose();
    if (++this.#failures > MOST_FAILURES) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), RETRY_MS * 2 ** this.#failures);
    this.#timer.unref();
  }

  #lose(): void {
    if (!this.#conversation) return;
    this.#conversation = undefined;
    this.#watch();
    this.listeners.onLost();
  }

  #heard(notice: Notice | undefined): void {
    if (!notice || this.#disposed) return;
    this.listeners.onNotice(notice);
    // Whenever a conversation begins, ends or is taken up anew, this pane may show another one.
    const { method } = notice;
    if (method === 'thread/started' || method === 'thread/status/changed' || method === 'thread/closed')
      void this.look();
  }

  // From the beginning: the server is not there, or not any more.
  #search(): void {
    this.#lose();
    this.#watch();
    void this.look();
  }

  // What can bring the conversation back: the TUI says something, or a server begins to listen.
  #watch(): void {
    this.#since = this.clock();
    this.record.watch(() => this.#written());
    try {
      this.#socketWatch ??= fs.watch(path.dirname(socketIn(this.home)), () => this.#listening());
      this.#socketWatch.on('error', () => {});
    } catch {
      // A Codex that has never had a server: its TUI makes the folder, and says so in its record.
    }
  }

  #unwatch(): void {
    this.record.unwatch();
    this.#socketWatch?.close();
    this.#socketWatch = undefined;
  }

  #listening(): void {
    if (this.#rpc?.isOpen) return;
    this.#since = this.clock();
    void this.look();
  }

  #written(): void {
    const before = this.#tried;
    const now = this.record.read();
    if (now.where === before?.where && now.prompt === before.prompt) return;
    this.#watch();
    void this.look();
  }

  #retry(): void {
    clearTimeout(this.#timer);
    if (this.#disposed || this.clock() - this.#since > LOOKING_MS) return;
    this.#timer = setTimeout(() => void this.look(), RETRY_MS);
    this.#timer.unref();
  }
}

// Which server listens there now: each makes the socket anew.
function serverIn(home: string): string | undefined {
  const stat = fs.statSync(socketIn(home), { throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.birthtimeMs}`;
}
