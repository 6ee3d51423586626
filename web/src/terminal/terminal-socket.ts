// The live pane of a session over WebSocket: connects, connects again, and hands on what is to be drawn.
import { LINE_DEAD } from '../api/feed.js';
import { delayOf } from '../api/link.js';
import { portionsOf } from './portions.js';
import { type Effect, nextStream, type Stream, type StreamEvent, type Word } from './stream.js';

export interface Screen {
  paint(bytes: Uint8Array, columns: number, rows: number): void;
  write(bytes: Uint8Array): void;
  // Bytes that were handed over and are not drawn yet.
  waiting(): number;
  resized(columns: number, rows: number): void;
  told(word: Exclude<Word, { type: 'snapshot' | 'resized' }>): void;
  connected(isConnected: boolean): void;
}

export class TerminalSocket {
  #stream: Stream = { at: 'waiting' };
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #isClosed = false;

  constructor(
    readonly session: string,
    readonly screen: Screen,
  ) {
    document.addEventListener('visibilitychange', this.#look);
    window.addEventListener(LINE_DEAD, this.#leave);
    this.#connect();
  }

  // As typed; false when there is nobody to take it.
  type(text: string): boolean {
    return this.typeBytes(new TextEncoder().encode(text));
  }

  typeBytes(bytes: Uint8Array): boolean {
    return portionsOf(bytes).every((portion) => this.#send(portion));
  }

  resize(columns: number, rows: number): boolean {
    return this.#send(JSON.stringify({ type: 'resize', columns, rows }));
  }

  // All that was handed over is drawn.
  drained(): void {
    this.#take({ type: 'drained' });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#look);
    window.removeEventListener(LINE_DEAD, this.#leave);
    this.#socket?.close();
  }

  #connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const path = `/api/v1/sessions/${encodeURIComponent(this.session)}/terminal`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#stream = { at: 'waiting' };
    socket.onopen = () => {
      if (this.#socket === socket) this.screen.connected(true);
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#tries = 0;
      if (typeof data === 'string') this.#hear(JSON.parse(data) as Word);
      else
        this.#take({
          type: 'frame',
          bytes: new Uint8Array(data as ArrayBuffer),
          waiting: this.screen.waiting(),
        });
    };
    socket.onclose = () => {
      if (this.#isClosed || this.#socket !== socket) return;
      this.screen.connected(false);
      this.#timer = setTimeout(() => this.#connect(), delayOf(this.#tries++));
    };
  }

  readonly #look = (): void => {
    if (document.visibilityState !== 'visible' || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#connect();
  };

  // A terminal may be silent for long, the feed may not: when that is dead, so is this one, whatever the browser thinks.
  readonly #leave = (): void => {
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.screen.connected(false);
    this.#connect();
  };

  #hear(word: Word): void {
    if (word.type === 'resized') this.screen.resized(word.columns, word.rows);
    else if (word.type === 'snapshot') this.#take({ type: 'word', word });
    else this.screen.told(word);
  }

  #take(event: StreamEvent): void {
    const [stream, effects] = nextStream(this.#stream, event);
    this.#stream = stream;
    for (const effect of effects) this.#do(effect);
  }

  #do(effect: Effect): void {
    if (effect.do === 'paint') this.screen.paint(effect.bytes, effect.columns, effect.rows);
    else if (effect.do === 'write') this.screen.write(effect.bytes);
    else this.#send(JSON.stringify({ type: 'resync' }));
  }

  #send(data: string | Uint8Array): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(data as string | Uint8Array<ArrayBuffer>);
    return true;
  }
}
