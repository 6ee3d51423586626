// One control-mode client: a `tmux -C attach` process whose replies are matched and whose notifications are events.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { CutOff, TmuxError } from './errors.js';
import { Emitter } from './events.js';
import { type Block, ControlParser, type Notification } from './protocol.js';

interface Pending {
  command: string;
  blocks: Block[];
  // The body of the block that ends a list; undefined for a single command, whose first block is its last.
  endMark: Buffer | undefined;
  // At once, before whatever came behind it: promises are answered later.
  answered: () => void;
  resolve(blocks: Block[]): void;
  reject(error: Error): void;
}

export interface ControlExit {
  // tmux's own word (`%exit`), or what it printed when it could not attach.
  reason: string;
  // The client was attached before it ended.
  attached: boolean;
  // Only the connection to its machine has ended, without a word of tmux.
  cut: boolean;
}

// A far one runs on another machine: its process is not the one that is started here.
export type ClientPlace = 'here' | 'far';

export class ControlClient {
  readonly #child: ChildProcess;
  readonly #parser = new ControlParser();
  readonly #pending: Pending[] = [];
  readonly #mark = randomBytes(9).toString('hex');
  readonly #notification = new Emitter<Notification>();
  readonly #exit = new Emitter<ControlExit>();
  #lists = 0;
  #pid: number | undefined;
  #reason = '';
  #refusal = '';
  #stderr = '';
  #attached = false;
  #ended: ControlExit | undefined;

  readonly onNotification = this.#notification.event;
  readonly onExit = this.#exit.event;
  // Attached, or ended before it was.
  readonly introduced: Promise<void>;
  readonly exited: Promise<void>;
  #isIntroduced = (): void => {};
  #hasExited = (): void => {};

  constructor(
    open: () => ChildProcess,
    readonly place: ClientPlace = 'here',
  ) {
    this.introduced = new Promise((resolve) => {
      this.#isIntroduced = resolve;
    });
    this.exited = new Promise((resolve) => {
      this.#hasExited = resolve;
    });
    this.#child = open();
    if (place === 'here') this.#pid = this.#child.pid;
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk).slice(-1000);
    });
    // Writing to a client that has just ended is answered by its exit.
    this.#child.stdin?.on('error', () => {});
    this.#child.on('error', (error) => this.#end(error.message));
    this.#child.on('close', () => this.#end(this.#reason || this.#stderr.trim() || 'connection closed'));
  }

  // Of the tmux client, on the machine that it runs on.
  get pid(): number | undefined {
    return this.#pid;
  }

  get ended(): ControlExit | undefined {
    return this.#ended;
  }

  // One command, one reply; rejects with tmux's own words if it says %error.
  async command(line: string): Promise<Buffer[]> {
    const [block] = await this.#send(line, undefined);
    if (block && !block.ok) throw new TmuxError(line, bodyText(block));
    return block?.lines ?? [];
  }

  // A command list, run by tmux without reading anyone's keys in between: all its blocks, failed ones included.
  list(commands: readonly string[], answered: () => void = () => {}): Promise<Block[]> {
    const endMark = `${this.#mark}-${++this.#lists}`;
    return this.#send(commands.join(' ; '), Buffer.from(endMark), answered);
  }

  #send(line: string, endMark: Buffer | undefined, answered: () => void = () => {}): Promise<Block[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(new TmuxError(line, `not connected: ${this.#ended.reason}`));
        return;
      }
      this.#pending.push({ command: line, blocks: [], endMark, answered, resolve, reject });
      // A failing command drops the rest of its own line only, so the mark goes on a line of its own.
      this.#child.stdin?.write(endMark ? `${line}\ndisplay-message -p ${endMark}\n` : `${line}\n`);
    });
  }

  #read(chunk: Buffer): void {
    for (const event of this.#parser.feed(chunk)) {
      if (event.type === 'block') this.#block(event);
      else {
        const isFirst = event.type === 'session-changed' && !this.#attached;
        if (event.type === 'session-changed') this.#attached = true;
        if (event.type === 'exit') this.#reason = this.#refusal || event.reason || 'session ended';
        // Whoever is told that it is attached may count on knowing which of the clients it is.
        if (isFirst && this.place === 'far') this.#identify(() => this.#notification.fire(event));
        else this.#notification.fire(event);
      }
    }
  }

  #identify(then: () => void): void {
    this.command('display-message -p "#{client_pid}"').then(
      ([line]) => {
        this.#pid = Number(String(line));
        then();
      },
      () => {},
    );
  }

  #block(block: Block): void {
    this.#isIntroduced();
    // The reply to the attaching itself: why it could not be done.
    if (!block.ours && !block.ok) this.#refusal = bodyText(block);
    const pending = this.#pending[0];
    if (!block.ours || !pending) return;
    if (pending.endMark === undefined) {
      this.#pending.shift();
      pending.resolve([block]);
      return;
    }
    const [first] = block.lines;
    if (block.ok && block.lines.length === 1 && first?.equals(pending.endMark)) {
      this.#pending.shift();
      pending.resolve(pending.blocks);
    } else {
      pending.blocks.push(block);
      pending.answered();
    }
  }

  #end(reason: string): void {
    if (this.#ended) return;
    const isTold = this.#reason !== '' || new TmuxError('', reason).isGone;
    this.#ended = { reason, attached: this.#attached, cut: this.place === 'far' && !isTold };
    this.#isIntroduced();
    this.#hasExited();
    for (const { command, reject } of this.#pending.splice(0))
      reject(new CutOff(command, `not connected: ${reason}`));
    this.#exit.fire(this.#ended);
  }

  // Ends the client; the tmux session stays as it is. tmux 3.3 can crash over a client that goes while output is under way
  // to it, so that is stopped first. Then by signal: one whose pipe is just closed it keeps for good, waiting to flush.
  async dispose(): Promise<void> {
    if (this.#ended) return;
    this.#reason ||= 'closed';
    const quiet = this.command('list-panes -s -F "-A #{pane_id}:pause"').then((panes) =>
      this.command(
        `refresh-client ${panes.map((pane) => pane.toString().replace(/%\d+:pause/, '"$&"')).join(' ')}`,
      ),
    );
    await Promise.race([quiet.catch(() => {}), timeout(QUIET_MS)]);
    if (this.place === 'far') {
      // The signal would end the connection, not the client; an empty line detaches.
      this.#child.stdin?.end('\n');
      await Promise.race([this.exited, timeout(QUIET_MS)]);
    }
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}

// A server that does not answer within this time will not crash over one client more.
const QUIET_MS = 500;
const timeout = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

export const bodyText = (block: Block): string =>
  Buffer.concat(block.lines.flatMap((line, i) => (i ? [LF, line] : [line]))).toString('utf8');
const LF = Buffer.from('\n');
