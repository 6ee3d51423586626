// The feed over WebSocket: goes on behind the last event that came, and says how the connection stands.
import type { FeedEvent } from '../../../src/api/types.js';
import { isSignedIn } from './endpoints.js';
import { CONNECTING, type Link, type LinkEvent, nextLink } from './link.js';
import { query } from './request.js';

export interface FeedListener {
  // The first connection, and each one that cannot say what came between: what is shown has to be asked for.
  anew(): void;
  take(event: FeedEvent): void;
  link(link: Link): void;
}

export class Feed {
  #link: Link = CONNECTING;
  #socket: WebSocket | undefined;
  #lastId: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly listener: FeedListener) {}

  start(): void {
    document.addEventListener('visibilitychange', this.#look);
    window.addEventListener('online', this.#look);
    window.addEventListener('pageshow', this.#look);
    this.#connect();
  }

  signedIn(): void {
    if (this.#link.at !== 'signed_out') return;
    this.#change({ type: 'signed_in' });
    // Whatever was known may be another's.
    this.#lastId = undefined;
    this.#connect();
  }

  signedOut(): void {
    this.#change({ type: 'signed_out' });
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  // Now, and not when its time has come.
  retry = (): void => {
    if (this.#link.at !== 'broken') return;
    clearTimeout(this.#timer);
    this.#change({ type: 'due' });
    this.#connect();
  };

  readonly #look = (): void => {
    if (document.visibilityState === 'visible') this.retry();
  };

  #connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const asked = query({ last_event_id: this.#lastId, screens: 1 });
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/ws${asked}`);
    this.#socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.#change({ type: 'opened' });
      if (this.#lastId === undefined) this.listener.anew();
    };
    socket.onmessage = ({ data }) => {
      const { id, event } = JSON.parse(data as string) as { id?: string; event: FeedEvent };
      if (id) this.#lastId = id;
      if (event.type === 'gap') this.listener.anew();
      else this.listener.take(event);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#change({ type: 'closed', now: Date.now() });
      if (this.#link.at !== 'broken') return;
      this.#timer = setTimeout(this.retry, Math.max(0, this.#link.until - Date.now()));
      // A refused upgrade does not tell why: a request does, and says so to whoever listens.
      if (!wasOpen) void isSignedIn().catch(() => {});
    };
  }

  #change(event: LinkEvent): void {
    const link = nextLink(this.#link, event);
    if (link === this.#link) return;
    this.#link = link;
    this.listener.link(link);
  }
}
