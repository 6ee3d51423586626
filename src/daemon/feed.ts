// What changes, as events with numbers: the latest are kept so that a client that was cut off can go on where it was.
import type { Session as ApiSession, Signal as ApiSignal, FeedEvent } from '../api/types.js';
import type { DraftDesk, People, PostOffice } from '../mail/index.js';
import type { Registry } from '../sessions/index.js';
import type { Signal, SignalDesk } from '../signals/index.js';
import { type Disposable, disposable, Emitter } from '../tmux/index.js';
import {
  presentDraftForFeed,
  presentEvent,
  presentForFeed,
  presentInboxForFeed,
  presentSession,
} from './present.js';
import type { Screens } from './screens.js';

export interface NumberedEvent {
  id: string;
  event: FeedEvent;
}

export const KEPT = 2000;
// So long after what became of its mail a session is told with what waits for it.
const MAIL_MS = 200;
const WAITS_NOT = '0 null';

export class Feed {
  readonly #emitter = new Emitter<NumberedEvent>();
  readonly #kept: NumberedEvent[] = [];
  #next = 0;

  // `run` tells the numbers of this daemon from those of an earlier one.
  constructor(
    readonly run: string,
    registry: Registry,
    office: PostOffice,
    desk: DraftDesk,
    people: People,
    readonly screens: Screens,
    signals: { onSignal: SignalDesk['onSignal']; present: (signal: Signal) => ApiSignal },
  ) {
    // What waits for a session was told so.
    const told = new Map<string, string>();
    const waiting = ({ pending, held }: ApiSession): string => `${pending} ${held}`;
    const tell = (session: ApiSession): void => {
      told.set(session.id, waiting(session));
      this.#publish({ type: 'session', session });
    };
    registry.onEvent(({ type, session }) => {
      if (type === 'changed') tell(presentSession(session, office));
      if (type === 'removed') {
        told.delete(session.id);
        this.#publish({ type: 'session-removed', id: session.id, name: session.name });
      }
    });
    // Mail that goes at once waits for nobody to be told of.
    const due = new Set<string>();
    const look = (id: string): void => {
      due.delete(id);
      const session = registry.get(id);
      const shown = session && presentSession(session, office);
      if (shown && waiting(shown) !== (told.get(id) ?? WAITS_NOT)) tell(shown);
    };
    const mailOf = (id: string): void => {
      if (due.has(id)) return;
      due.add(id);
      setTimeout(() => look(id), MAIL_MS).unref();
    };
    office.ledger.onEntry(({ message, event }) => {
      const shown = presentEvent(event);
      this.#publish({ type: 'message', message: presentForFeed(message), event: shown });
      mailOf(message.recipient);
      // An event that names a draft says that something became of it.
      const draft = typeof shown.data.draft === 'string' ? desk.drafts.get(shown.data.draft) : undefined;
      if (draft) this.#publish({ type: 'draft', draft: presentDraftForFeed(draft) });
    });
    desk.onChange((draft) => this.#publish({ type: 'draft', draft: presentDraftForFeed(draft) }));
    people.onEvent(({ row }) => this.#publish({ type: 'inbox', item: presentInboxForFeed(row) }));
    signals.onSignal((signal) => this.#publish({ type: 'signal', signal: signals.present(signal) }));
    office.onPause((paused) => this.#publish({ type: 'pause', paused }));
  }

  #publish(event: FeedEvent): void {
    const numbered = { id: `${this.run}-${++this.#next}`, event };
    this.#kept.push(numbered);
    if (this.#kept.length > KEPT) this.#kept.shift();
    this.#emitter.fire(numbered);
  }

  // What came after `lastId` as far as it is kept, then everything new.
  // `screens`: also when a screen has changed; that has no number of its own, and is not kept.
  subscribe(
    lastId: string | undefined,
    listener: (event: NumberedEvent) => void,
    { screens = false } = {},
  ): Disposable {
    const isFirst = lastId === `${this.run}-0` && this.#next <= KEPT;
    const at = lastId === undefined ? -1 : this.#kept.findIndex(({ id }) => id === lastId);
    if (at !== -1 || isFirst) for (const event of this.#kept.slice(at + 1)) listener(event);
    else if (lastId !== undefined) listener({ id: `${this.run}-${this.#next}`, event: { type: 'gap' } });
    const following = this.#emitter.event(listener);
    if (!screens) return following;
    const watching = this.screens.subscribe((event) => listener({ id: `${this.run}-${this.#next}`, event }));
    return disposable(() => {
      following.dispose();
      watching.dispose();
    });
  }
}
