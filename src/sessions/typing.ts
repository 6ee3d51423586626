// What persons type into a session from outside of tmux: known to have been typed before it is, held while a message goes
// past a draft, and let through after that, in order and once.
import {
  type Disposable,
  Emitter,
  HoldCursor,
  type HoldPace,
  type KeyKind,
  letThrough,
  NO_RUN,
  type Pane,
  pauseFor,
  type RefusalReason,
} from '../tmux/index.js';

export type Typed =
  | { outcome: 'typed' }
  // `host_down`: the connection to its tmux is being made.
  | { outcome: 'refused'; reason: RefusalReason | 'host_down' };

// The session, as far as it matters here.
export interface TypedInto {
  readonly tracker: { readonly pane: Pane } | undefined;
  readonly composer: { readonly activityAt: number | null };
  readonly row: { readonly keyed_at: number | null };
}

interface Waiting {
  data: Buffer;
  settle: (typed: Typed) => void;
}

// A key so old belongs to the program that ran then.
const FORGOTTEN_S = 3;
// What is not one key is a paste; tmux takes one argument a byte.
const CHUNK_BYTES = 8192;
const ENTER = 0x0d;
const ESCAPE = 0x1b;

export class Typing {
  readonly #held = new Emitter<boolean>();
  readonly #queue: Waiting[] = [];
  readonly #session: TypedInto;
  readonly #keep: (keyedAt: number) => Promise<void>;
  readonly #pause: (ms: number) => Promise<void>;
  #holds = 0;
  #isPumping = false;
  #keyedAt: number | null = null;

  // `keep` has it on disk when a key was pressed.
  constructor(session: TypedInto, keep: (keyedAt: number) => Promise<void>, pause = pauseFor) {
    this.#session = session;
    this.#keep = keep;
    this.#pause = pause;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  get waitingBytes(): number {
    return this.#queue.reduce((sum, { data }) => sum + data.length, 0);
  }

  onHeld(listener: (isHeld: boolean) => void): Disposable {
    return this.#held.event(listener);
  }

  // When a key last went to the pane: seconds since the epoch, with a fraction.
  get keyedAt(): number | null {
    return this.#keyedAt ?? this.#session.row.keyed_at;
  }

  // The program that it was typed into is no more; false where it may as well have been for the next.
  forget(now: number): boolean {
    if (this.keyedAt !== null && now / 1000 - this.keyedAt < FORGOTTEN_S) return false;
    this.#keyedAt = null;
    const pane = this.#session.tracker?.pane;
    pane?.link.forgetKeys(pane.id);
    return true;
  }

  // Resolves once tmux has it.
  type(data: Buffer): Promise<Typed> {
    return new Promise((settle) => {
      this.#queue.push({ data, settle });
      void this.#pump();
    });
  }

  hold(): void {
    if (++this.#holds === 1) this.#held.fire(true);
  }

  // Lets through what has waited, and what comes meanwhile, at the program's pace; how much that was.
  async release(pace: HoldPace): Promise<number> {
    try {
      return await this.#letAll(pace);
    } finally {
      if (--this.#holds === 0) this.#held.fire(false);
      void this.#pump();
    }
  }

  async #letAll(pace: HoldPace): Promise<number> {
    let [count, run] = [0, NO_RUN];
    // Another hold may begin meanwhile: the rest waits for that one.
    for (let next = this.#queue[0]; next && this.#holds === 1; next = this.#queue[0]) {
      let isSent = false;
      const go = async (): Promise<boolean> => {
        await this.#keepFirst();
        if (this.#holds > 1) return false;
        this.#send(this.#queue.shift());
        isSent = true;
        return true;
      };
      const tools = { pace, cursor: this.#cursor(), go, pause: this.#pause };
      // That nothing can be seen keeps no key back.
      run = await letThrough(kindOf(next.data), run, tools).catch(() => run);
      if (!isSent && !(await go())) break;
      count++;
    }
    return count;
  }

  #cursor(): HoldCursor | undefined {
    const pane = this.#session.tracker?.pane;
    if (pane?.link.state.kind !== 'up') return undefined;
    const run = async (command: string): Promise<string[]> =>
      (await pane.link.command(command)).map((line) => line.toString('utf8'));
    return new HoldCursor({ pane, run, pause: this.#pause });
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (this.#holds === 0 && this.#queue.length > 0) {
      await this.#keepFirst();
      if (this.#holds === 0) for (const each of this.#queue.splice(0)) this.#send(each);
    }
    this.#isPumping = false;
  }

  // A box that is known to be empty must not be taken for such by whoever comes after a crash.
  async #keepFirst(): Promise<void> {
    const { activityAt } = this.#session.composer;
    const { keyed_at } = this.#session.row;
    if (activityAt === null || (keyed_at !== null && keyed_at > activityAt)) return;
    // Where the disk takes nothing, the key is typed all the same: a person is not kept from their terminal.
    this.#keyedAt = this.#now();
    await this.#keep(this.#keyedAt).catch(() => {});
  }

  #now(): number {
    return Math.max(Date.now() / 1000, (this.#session.composer.activityAt ?? 0) + LEAST_S);
  }

  #send(waiting: Waiting | undefined): void {
    if (!waiting) return;
    const { data, settle } = waiting;
    const pane = this.#session.tracker?.pane;
    if (!pane) {
      settle({ outcome: 'refused', reason: 'gone' });
      return;
    }
    // Before the keys, in the same breath: whoever looks at the pane from now on knows of them.
    this.#keyedAt = pane.link.noteKeys(pane.id, this.#now());
    const chunks = Array.from({ length: Math.ceil(data.length / CHUNK_BYTES) }, (_, n) =>
      pane.type(data.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)),
    );
    Promise.all(chunks).then(
      (all) => {
        const refused = all.find((one) => one.outcome === 'refused');
        settle(refused ?? { outcome: 'typed' });
      },
      () => settle({ outcome: 'refused', reason: 'host_down' }),
    );
  }
}

const LEAST_S = 0.001;

// One key comes alone; more than one at once are a paste, or a key of several bytes.
function kindOf(data: Buffer): KeyKind {
  if (data.length !== 1) return 'k';
  return data[0] === ENTER ? 'e' : data[0] === ESCAPE ? 'x' : 'k';
}
