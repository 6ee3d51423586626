// What a pane prints, in frames: the first at once, so that the echo of a key is not late, and what comes in short order
// behind it as one. A flood, which nobody can read, is told instead.
export interface Chunk {
  // How many bytes were printed before it.
  seq: number;
  data: Buffer;
}

const GATHER_MS = 8;
// More than this within so long is a flood.
const FLOOD_BYTES = 256 * 1024;
const FLOOD_MS = 100;

export class OutputFrames {
  readonly #send: (frame: Buffer) => void;
  #gathered: Chunk[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sentAt = 0;
  #burst = { since: 0, bytes: 0 };

  constructor(send: (frame: Buffer) => void) {
    this.#send = send;
  }

  add(chunk: Chunk): 'kept' | 'flood' {
    if (this.#isFlood(chunk)) {
      this.drop();
      return 'flood';
    }
    this.#gathered.push(chunk);
    const waitMs = Math.max(0, this.#sentAt + GATHER_MS - Date.now());
    this.#timer ??= setTimeout(() => this.#flush(), waitMs);
    return 'kept';
  }

  // What has not gone yet does not go.
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = [];
  }

  #isFlood({ data }: Chunk): boolean {
    const now = Date.now();
    if (now - this.#burst.since > FLOOD_MS) this.#burst = { since: now, bytes: 0 };
    this.#burst.bytes += data.length;
    return this.#burst.bytes > FLOOD_BYTES;
  }

  #flush(): void {
    const gathered = this.#gathered;
    this.drop();
    const [first] = gathered;
    if (!first) return;
    const head = Buffer.alloc(8);
    head.writeBigUInt64BE(BigInt(first.seq));
    this.#sentAt = Date.now();
    this.#send(Buffer.concat([head, ...gathered.map(({ data }) => data)]));
  }
}
