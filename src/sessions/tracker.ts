// Follows one pane's stream: what it prints, whether its program is still the same, when it has come to rest.
import type { Profiles } from '../agents/index.js';
import {
  type Disposable,
  DisposableStore,
  disposable,
  Emitter,
  type LinkLease,
  Pane,
  TmuxError,
  type TmuxServer,
  unlessLost,
} from '../tmux/index.js';
import { judge, type Program, type Verdict } from './judge.js';
import { type Painted, PaneStream } from './pane-stream.js';
import { processesOf } from './processes.js';
import type { Typing } from './typing.js';
import { Visitors } from './visitors.js';

// Whose program is looked for in the pane.
export interface Followed {
  readonly program: Program | null;
  readonly profiles: Profiles;
  readonly typing: Typing;
}

export type TrackerEvent =
  // Something that may let waiting mail go: output, a mode left, the link back.
  | { type: 'stirred' }
  // A client that is not ours has attached to its tmux session, or left it.
  | { type: 'visited' }
  // No output for a while.
  | { type: 'rest' }
  | { type: 'verdict'; verdict: Verdict }
  | { type: 'gone'; reason: string };

// The stream counts as at rest after so long without output; agents that repaint do so within 250 ms.
export const REST_MS = 400;
// A program that has asked for bracketed paste reads its input: it is ready as soon as it has drawn itself.
export const DRAWN_MS = 60;
// Starting a program takes a shell a few milliseconds.
const CONFIRM_MS = 500;
// tmux reports changes of these at most once a second; output and mode changes come at once.
const WATCHED = '#{pane_dead} #{pane_in_mode} #{pane_synchronized} #{pane_pid} #{pane_current_command}';

export class Tracker implements Disposable {
  readonly #own = new DisposableStore();
  readonly #event = new Emitter<TrackerEvent>();
  readonly #stream = new PaneStream();
  readonly since: number;
  readonly onEvent = this.#event.event;
  readonly pane: Pane;
  readonly #lease: LinkLease;
  readonly #visitors: Visitors;
  #lastOutputAt: number | undefined;
  #burstAt: number | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  #confirmTimer: NodeJS.Timeout | undefined;
  #assessing: Promise<unknown> = Promise.resolve();
  #lastVerdict: Verdict['kind'] | undefined;
  // The window that the pane is in; undefined while it may be another.
  #window: string | undefined;

  private constructor(
    readonly server: TmuxServer,
    lease: LinkLease,
    readonly paneId: string,
    readonly followed: Followed,
    readonly clock: () => number,
  ) {
    this.#lease = lease;
    this.since = clock();
    this.pane = new Pane(lease.link, paneId);
    this.#visitors = new Visitors(lease.link.sessionId, server);
    const { keyedAt } = followed.typing;
    if (keyedAt !== null) lease.link.restoreKeys(paneId, keyedAt);
  }

  // Links to the tmux session that shows the pane; rejects when there is none, and when its machine is lost meanwhile.
  static async follow(
    server: TmuxServer,
    tmuxSession: string,
    paneId: string,
    followed: Followed,
    clock: () => number,
  ): Promise<Tracker> {
    const lease = server.lease(tmuxSession);
    try {
      await unlessLost(server.transport, lease.link.ready());
      const tracker = new Tracker(server, lease, paneId, followed, clock);
      await tracker.#listen();
      return tracker;
    } catch (error) {
      lease.dispose();
      throw error;
    }
  }

  async #listen(): Promise<void> {
    const { link } = this.#lease;
    this.#own.add(this.#lease);
    this.#own.add(disposable(() => clearTimeout(this.#restTimer)));
    this.#own.add(disposable(() => clearTimeout(this.#confirmTimer)));
    this.#own.add(this.pane.onOutput((data) => this.#output(data)));
    this.#own.add(
      link.onResync(this.paneId, () => {
        this.#stream.skip();
        this.#stir();
      }),
    );
    this.#own.add(
      link.onState((state) => {
        if (state.kind === 'gone') this.#event.fire({ type: 'gone', reason: state.reason });
        else if (state.kind === 'up') this.recheck();
      }),
    );
    this.#own.add(
      link.onNotification((event) => {
        if (event.type === 'pane-mode-changed' && event.pane === this.paneId) this.#stir();
        else if (event.type === 'subscription-changed' && event.pane === this.paneId) this.recheck();
        else if (event.type === 'layout-change' || event.type === 'window-add') this.#moved();
        // Every client hears of every window of the server: whoever asked tmux each time would ask for all sessions.
        else if (event.type === 'window-close' && (this.#window ?? event.window) === event.window)
          this.recheck();
        else if (this.#visitors.isChangedBy(event)) this.#visited();
      }),
    );
    this.#own.add(await link.watch(`sm${this.paneId.slice(1)}`, this.paneId, WATCHED));
  }

  get typing(): Typing {
    return this.followed.typing;
  }

  get bracketed(): boolean | undefined {
    return this.#stream.bracketed;
  }

  // How many bytes the pane has printed since it is followed.
  get printedBytes(): number {
    return this.#stream.bytes;
  }

  // Another number whenever the screen may be another.
  get changes(): number {
    return this.#stream.changes;
  }

  painted(scrollback: number, begun?: () => void): Promise<Painted> {
    return this.#stream.painted(this.pane, scrollback, begun);
  }

  get restMs(): number {
    return this.bracketed ? DRAWN_MS : REST_MS;
  }

  get lastOutputAt(): number | undefined {
    return this.#lastOutputAt;
  }

  // When it last printed, and when it began to after its last rest.
  get printing(): { printedAt: number; burstAt: number } | undefined {
    const printedAt = this.#lastOutputAt;
    return printedAt === undefined ? undefined : { printedAt, burstAt: this.#burstAt ?? printedAt };
  }

  // Looks at the process in the pane now; throws when the pane is gone. One look at a time: an older one never comes in last.
  assess(): Promise<Verdict> {
    const look = this.#assessing.then(() => this.#assess());
    this.#assessing = look.catch(() => {});
    return look;
  }

  async #assess(): Promise<Verdict> {
    // Asked of our own session: a pane that was moved to another one prints to nobody here.
    const { sessionId } = this.#lease.link;
    const only = `-f "#{==:#{pane_id},${this.paneId}}"`;
    const [line] = await this.#lease.link.command(
      `list-panes -s -t ${sessionId} ${only} -F "#{pane_dead} #{pane_pid} #{window_id}"`,
    );
    if (!line) throw new TmuxError('assess', `can't find pane ${this.paneId} in ${sessionId}`);
    const [dead = '', pid = '', window = ''] = line.toString('latin1').split(' ');
    this.#window = window;
    if (dead === '1') return { kind: 'ended', reason: 'its program has ended' };
    const { program, profiles } = this.followed;
    const processes = processesOf(this.server);
    const [foreground, own] = await Promise.all([
      processes.foregroundOf(Number(pid)),
      program ? processes.read(program.pid) : undefined,
    ]);
    return judge(program, foreground, own !== undefined && own.started === program?.started, profiles);
  }

  // Looks again and tells what it found.
  recheck(): void {
    this.assess().then(
      (verdict) => {
        if (this.#own.disposed) return;
        this.#event.fire({ type: 'verdict', verdict });
        // A shell that is about to become the program looks like a shell for a moment, and nothing tells when it has.
        if (verdict.kind === 'ended' && this.#lastVerdict !== 'ended') {
          this.#confirmTimer = setTimeout(() => this.recheck(), CONFIRM_MS);
        }
        this.#lastVerdict = verdict.kind;
        this.#stir();
      },
      (error: unknown) => {
        const gone = error instanceof TmuxError && error.isGone && this.#lease.link.state.kind !== 'down';
        if (gone && !this.#own.disposed) this.#event.fire({ type: 'gone', reason: 'its pane was closed' });
      },
    );
  }

  // Perhaps into another window.
  #moved(): void {
    this.#stream.changed();
    this.#window = undefined;
    this.recheck();
  }

  #visited(): void {
    this.#event.fire({ type: 'visited' });
    this.#stir();
  }

  #output(data: Buffer): void {
    this.#stream.feed(data);
    const now = this.clock();
    if (this.#lastOutputAt === undefined || now - this.#lastOutputAt >= REST_MS) this.#burstAt = now;
    this.#lastOutputAt = now;
    this.#restTimer ??= setTimeout(() => this.#checkRest(), this.restMs);
    this.#stir();
  }

  // One timer runs on while output goes on, instead of one for each chunk.
  #checkRest(): void {
    this.#restTimer = undefined;
    const left = (this.#lastOutputAt ?? 0) + this.restMs - this.clock();
    if (left > 0) this.#restTimer = setTimeout(() => this.#checkRest(), left);
    else this.#event.fire({ type: 'rest' });
  }

  #stir(): void {
    this.#event.fire({ type: 'stirred' });
  }

  dispose(): void {
    this.#own.dispose();
  }
}
