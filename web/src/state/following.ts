// Keeps the store true: asks for everything when it must, takes the feed's changes in between, a few times a second at most.
import type { ConfigReport, FeedEvent } from '../../../src/api/types.js';
import * as api from '../api/endpoints.js';
import { Feed } from '../api/feed.js';
import { Renewal } from '../api/renewal.js';
import { onSignedOut } from '../api/request.js';
import { rulesFrom } from '../sessions/need.js';
import type { Loaded } from './model.js';
import type { Store } from './store.js';

// Changes that come together are drawn together.
const TOGETHER_MS = 40;
const RETRY_MS = 2000;

// What the browser keeps of sessions, for all its tabs. Only the daemon's word that one is no more makes it forget: what this
// tab knows may be old.
export interface Remembered {
  sessions(): ReadonlySet<string>;
  forget(session: string): void;
}

export class Following {
  readonly feed: Feed;
  readonly #renewal: Renewal;
  #waiting: FeedEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  // Counts the loads: what an earlier one brings is old.
  #load = 0;
  #isLoading = false;

  constructor(
    readonly store: Store,
    readonly remembered: Remembered,
    readonly load: () => Promise<Loaded> = loadAll,
  ) {
    this.feed = new Feed({
      anew: () => void this.#reload(),
      take: (event) => this.#take(event),
      link: (link) => store.dispatch({ type: 'link', link }),
    });
    this.#renewal = new Renewal({
      ask: api.isSignedIn,
      isIn: () => store.state.link.at !== 'signed_out',
      now: Date.now,
    });
    onSignedOut(() => this.feed.signedOut());
  }

  start(): void {
    this.feed.start();
    this.#renewal.start();
  }

  #take(event: FeedEvent): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, TOGETHER_MS);
  }

  // What comes while everything is being asked for may be newer than the answer: it is applied after it.
  #flush(): void {
    if (this.#isLoading || this.#waiting.length === 0) return;
    const events = this.#waiting;
    this.#waiting = [];
    this.store.dispatch(...events.map((event) => ({ type: 'feed', event }) as const));
    this.#forget(events.flatMap((event) => (event.type === 'session-removed' ? [event.id] : [])));
  }

  #forget(sessions: Iterable<string>): void {
    for (const id of sessions) if (!(id in this.store.state.sessions)) this.remembered.forget(id);
  }

  async #reload(): Promise<void> {
    const load = ++this.#load;
    this.#isLoading = true;
    // What came before is in the answer.
    this.#waiting = [];
    // Of those that another tab hears of meanwhile the answer may know nothing.
    const remembered = this.remembered.sessions();
    try {
      const loaded = await this.load();
      if (load !== this.#load) return;
      this.store.dispatch({ type: 'loaded', loaded });
      this.#forget(remembered);
      this.#isLoading = false;
      this.#flush();
    } catch {
      if (load !== this.#load) return;
      // Until it is had, or asked for anew: what comes meanwhile waits for it.
      setTimeout(() => {
        const isIn = this.store.state.link.at !== 'signed_out';
        if (load === this.#load && isIn) void this.#reload();
      }, RETRY_MS);
    }
  }
}

const MOST_RECENT = 200;

async function loadAll(): Promise<Loaded> {
  const [sessions, waiting, recent, drafts, inbox, status, config] = await Promise.all([
    api.listSessions(),
    api.listMessages({ pending: true, limit: 1000 }),
    api.listMessages({ limit: MOST_RECENT }),
    api.listDrafts({ state: 'open', limit: 200 }),
    api.listInbox({ all: true, limit: 100 }),
    api.getStatus(),
    api.getConfig(),
  ]);
  return {
    sessions,
    messages: [...recent, ...waiting],
    drafts: drafts.map(({ text: _text, found: _found, caret: _caret, ...draft }) => draft),
    inbox,
    isPaused: status.paused,
    signals: rulesFrom(configured(config)),
  };
}

const configured = ({ values }: ConfigReport): unknown =>
  values.find(({ key }) => key === 'signal_states')?.value;
