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

// The daemon says something at least every 15 seconds: after twice that the line is dead, whatever the browser thinks.
export const SILENT_MS = 35_000;
const LOOK_MS = 5000;
// Told to whoever else has a connection to the daemon.
export const LINE_DEAD = 'sm-line-dead';

// `alive`: nothing has happened, and the line is there.
type Frame = { id: string; event: FeedEvent } | { event: { type: 'alive' } };

export class Feed {
  #link: Link = CONNECTING;
  #socket: WebSocket | undefined;
  #lastId: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heardAt = 0;

  constructor(readonly listener: FeedListener) {}

  start(): void {
    document.addEventListener('visibilitychange', this.#look);
    window.addEventListener('online', this.#look);
    window.addEventListener('pageshow', this.#look);
    setInterval(this.#listen, LOOK_MS);
    // Whoever has signed in is connected already.
    if (!this.#socket) this.#connect();
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
    if (document.visibilityState !== 'visible') return;
    this.#listen();
    this.retry();
  };

  readonly #listen = (): void => {
    if (this.#link.at !== 'live' || Date.now() - this.#heardAt < SILENT_MS) return;
    const socket = this.#socket;
    this.#socket = undefined;
    // Its end may be long in coming: it is not waited for.
    socket?.close();
    window.dispatchEvent(new Event(LINE_DEAD));
    this.#broken();
  };

  #connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const asked = query({ last_event_id: this.#lastId, screens: 1, alive: 1 });
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/ws${asked}`);
    this.#socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      wasOpen = true;
      this.#heardAt = Date.now();
      this.#change({ type: 'opened' });
      if (this.#lastId === undefined) this.listener.anew();
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#heardAt = Date.now();
      const frame = JSON.parse(data as string) as Frame;
      if (!('id' in frame)) return;
      this.#lastId = frame.id;
      if (frame.event.type === 'gap') this.listener.anew();
      else this.listener.take(frame.event);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#broken();
      // A refused upgrade does not tell why: a request does, and says so to whoever listens.
      if (!wasOpen && this.#link.at === 'broken') void isSignedIn().catch(() => {});
    };
  }

  #broken(): void {
    this.#change({ type: 'closed', now: Date.now() });
    if (this.#link.at !== 'broken') return;
    this.#timer = setTimeout(this.retry, Math.max(0, this.#link.until - Date.now()));
  }

  #change(event: LinkEvent): void {
    const link = nextLink(this.#link, event);
    if (link === this.#link) return;
    this.#link = link;
    this.listener.link(link);
  }
}
