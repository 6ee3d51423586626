// OpenCode's stream of events, kept open: tells when it is connected, what comes, and when it is lost for good.
import http from 'node:http';
import type { Disposable } from '../../tmux/index.js';
import type { Client } from './client.js';
import { type Event, parseEvent } from './wire.js';

// Its server listens a second or three after its start; on a machine that is very busy half a minute.
const OPENING_MS = 120_000;
const FIRST_RETRY_MS = 100;
const SLOWEST_RETRY_MS = 1000;
// It gives a sign of life every ten seconds.
const SILENCE_MS = 45_000;
// Each time it did not answer, twice as long: it may be lost, or slow.
const FIRST_ANSWER_MS = 1000;
const SLOWEST_ANSWER_MS = 8000;

export interface StreamListener {
  connected(): void;
  event(event: Event): void;
  // Tried again, until `lost`.
  broken(): void;
  lost(reason: string): void;
}

export class EventStream implements Disposable {
  #request: http.ClientRequest | undefined;
  #retry: NodeJS.Timeout | undefined;
  #disposed = false;
  #since: number;
  #wait = FIRST_RETRY_MS;
  #patience = FIRST_ANSWER_MS;

  constructor(
    readonly client: Client,
    readonly clock: () => number,
    readonly listener: StreamListener,
  ) {
    this.#since = clock();
    this.#connect();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#retry);
    this.#request?.destroy();
  }

  #connect(): void {
    const { host, port } = this.client.address;
    const headers = { ...this.client.headers(), accept: 'text/event-stream' };
    const request = http.get({ host, port, path: '/event', headers, agent: false, timeout: SILENCE_MS });
    this.#request = request;
    // A request that comes while it starts is taken and never answered.
    const patience = setTimeout(() => {
      this.#patience = Math.min(this.#patience * 2, SLOWEST_ANSWER_MS);
      this.#wait = FIRST_RETRY_MS;
      request.destroy(new Error('no answer'));
    }, this.#patience);
    request.on('close', () => clearTimeout(patience));
    request.on('timeout', () => request.destroy());
    request.on('error', () => this.#again(request, false));
    request.on('response', (response) => {
      clearTimeout(patience);
      if (response.statusCode !== 200) {
        response.destroy();
        const refused = response.statusCode === 401 || response.statusCode === 403;
        if (refused) this.#end(`its server does not let us in (${response.statusCode})`);
        else this.#again(request, false);
        return;
      }
      this.#wait = FIRST_RETRY_MS;
      this.#patience = FIRST_ANSWER_MS;
      this.listener.connected();
      const feed = new EventText((data) => this.#heard(data));
      response.setEncoding('utf8');
      response.on('data', (text: string) => feed.add(text));
      response.on('error', () => {});
      response.on('close', () => this.#again(request, true));
    });
  }

  #heard(data: string): void {
    const event = parseEvent(data);
    if (event && !this.#disposed) this.listener.event(event);
  }

  #again(request: http.ClientRequest, wasConnected: boolean): void {
    if (this.#disposed || request !== this.#request) return;
    if (wasConnected) {
      this.#since = this.clock();
      this.listener.broken();
    }
    if (this.clock() - this.#since > OPENING_MS) {
      this.#end('its server does not answer');
      return;
    }
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, SLOWEST_RETRY_MS);
  }

  #end(reason: string): void {
    if (this.#disposed) return;
    this.dispose();
    this.listener.lost(reason);
  }
}

// Server-sent events: blocks of lines, of which `data` lines are the content.
export class EventText {
  #rest = '';

  constructor(readonly tell: (data: string) => void) {}

  add(text: string): void {
    const blocks = (this.#rest + text).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block
        .split('\n')
        .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
      if (data.length > 0) this.tell(data.join('\n'));
    }
  }
}
