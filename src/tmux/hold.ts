// A hold in force: it can be given more time, and released so that all keys arrive once, in order, at the agent's pace.
import { performance } from 'node:perf_hooks';
import { TmuxError } from './errors.js';
import type { Disposable } from './events.js';
import type { Mark } from './guard.js';
import { HoldCursor } from './hold-cursor.js';
import { atPane, type HoldClient, isPending, listClients, parseClients, textLines } from './hold-look.js';
import { channel, FREED, type HoldNames } from './hold-names.js';
import { calmOf, type HoldPace, type KeyKind, kindOf, NO_RUN } from './hold-pace.js';
import { calm, letThrough, pauseFor, type StepTools } from './hold-step.js';
import { open } from './hold-table.js';
import type { Pane } from './pane.js';
import { quote } from './quote.js';

export interface Released {
  // `other`: the watchdog, or whoever else found the hold, had freed the keys already.
  by: 'us' | 'other';
  // From the beginning of the hold to the end of its release.
  heldMs: number;
  // How many keys had waited.
  keys: number;
  // Clients that vanished while a key of theirs waited.
  vanished: number;
}

export interface HoldRecord {
  pane: Pane;
  names: HoldNames;
  token: string;
  since: number;
  // Whoever began it had begun to let keys through.
  wasFreed: boolean;
  finish: string;
  pace: HoldPace;
  // This tmux blocks a client before its person has pressed a key; these are blocked so.
  opens: boolean;
  opened: readonly string[];
}

type Look = { held: true; entered: number; left: number; openers: number; kind: KeyKind } | { held: false };

// A waiting client that does not go on after so many signals has vanished.
const PATIENCE = 8;
const FEW_LETTERS = 2;
// How long a release waits for a person who has pressed the prefix, and how often it looks: tmux has no event for it.
const PREFIX_MS = 1000;
const PREFIX_LOOK_MS = 5;
// What a release that gets on asks the watchdog for, again and again.
const RELEASE_MS = 3000;
// How long a lost connection may take to come back before the watchdog is left to free the keys.
const RECONNECT_MS = 2000;

export class KeyHold {
  readonly #record: HoldRecord;
  readonly #opened: Set<string>;
  readonly #newcomers: Disposable | undefined;
  #released: Promise<Released> | undefined;
  readonly #cursor: HoldCursor;
  #limitAt = 0;
  #wasFreed: boolean;

  constructor(record: HoldRecord) {
    this.#record = record;
    this.#wasFreed = record.wasFreed;
    this.#opened = new Set(record.opened);
    this.#cursor = new HoldCursor({
      pane: record.pane,
      run: (command) => this.#run(command),
      keepOn: () => this.#keepOn(),
    });
    if (record.opens) this.#newcomers = this.#openNewcomers();
  }

  get token(): string {
    return this.#record.token;
  }

  get pane(): Pane {
    return this.#record.pane;
  }

  // For the guard of whatever is done under this hold: refused once somebody else has ended it.
  get mark(): Mark {
    const { names, token } = this.#record;
    return { name: names.variable('token'), value: token };
  }

  // Milliseconds since the epoch.
  get since(): number {
    return this.#record.since;
  }

  get wasFreed(): boolean {
    return this.#wasFreed;
  }

  // Looks whether it is still there, and whether keys have come through.
  async look(): Promise<boolean> {
    const look = await this.#look();
    if (look.held) this.#wasFreed ||= look.left > 0;
    return look.held;
  }

  // May last `maxMs` more, from now on.
  async extend(maxMs: number): Promise<void> {
    const { names, since, token } = this.#record;
    const limit = Date.now() - since + maxMs;
    await this.#run(
      `if-shell -F ${quote(names.isHeld(token))} { ${names.set('limit', Math.max(0, Math.round(limit)))} }`,
    );
    this.#limitAt = performance.now() + maxMs;
  }

  // Lets all keys through, those pressed meanwhile too, and ends the hold. Rejects with a TmuxError that `isGone` when
  // the session is; the watchdog then cleans up.
  release(): Promise<Released> {
    this.#released ??= this.#release().finally(() => this.#newcomers?.dispose());
    return this.#released;
  }

  // Nothing more is done by this one: it stands in tmux for whoever finds it there.
  abandon(): void {
    this.#newcomers?.dispose();
  }

  async #release(): Promise<Released> {
    const { since, pace } = this.#record;
    const tools: StepTools = { pace, cursor: this.#cursor, go: () => this.#signal().then(() => true) };
    let run = NO_RUN;
    // Signals in a row that nothing came of.
    let stalled = 0;
    let keys = 0;
    let vanished = 0;
    let prefixEnd: number | undefined;
    const done = (by: Released['by']): Released => ({ by, heldMs: Date.now() - since, keys, vanished });
    for (let look = await this.#look(); look.held; ) {
      keys = look.entered - look.openers;
      // What their person presses next goes to the program at once. A letter or two are no more than they type by themselves, and
      // whoever types on and on would never be caught up with.
      if (look.entered === look.left && run.letters > FEW_LETTERS) {
        await calm(this.#cursor, calmOf(run));
        run = { ...run, letters: 0 };
        look = await this.#look();
        continue;
      }
      if (look.entered === look.left) {
        const pending = (await this.#clients()).filter(isPending);
        prefixEnd ??= performance.now() + PREFIX_MS;
        if (pending.length > 0 && performance.now() < prefixEnd) {
          await this.#keepOn();
          await pauseFor(PREFIX_LOOK_MS);
        } else if (await this.#finish(pending)) return done('us');
        look = await this.#look();
        continue;
      }
      prefixEnd = undefined;
      await this.#keepOn();
      if (stalled >= PATIENCE) {
        vanished += look.entered - look.left;
        await this.#giveUp(look.entered);
        stalled = 0;
      } else {
        run = await letThrough(look.kind, run, tools);
        if (stalled > 0) await pauseFor(tools.pace.stepMs);
      }
      const after = await this.#look();
      if (after.held && after.left === look.left) stalled++;
      else stalled = 0;
      look = after;
    }
    return done('other');
  }

  // A release that gets on is not cut short by the watchdog.
  async #keepOn(): Promise<void> {
    if (performance.now() > this.#limitAt - RELEASE_MS / 2) await this.extend(RELEASE_MS);
  }

  async #look(): Promise<Look> {
    const { names, token } = this.#record;
    const format = (['token', 'entered', 'left', 'openers', 'kind'] as const).map((name) =>
      names.value(name),
    );
    const [line = ''] = await this.#run(`display-message -p ${quote(format.join(' '))}`);
    const [found, entered, left, openers, kind] = line.split(' ');
    if (found !== token) return { held: false };
    return {
      held: true,
      entered: Number(entered),
      left: Number(left),
      openers: Number(openers),
      kind: kindOf(kind),
    };
  }

  // Only while a key waits: a signal that nobody waits for would let the next key through unseen.
  #signal(): Promise<string[]> {
    return this.#whileWaiting(`wait-for -S ${channel(this.token)}`);
  }

  #giveUp(entered: number): Promise<string[]> {
    return this.#whileWaiting(this.#record.names.set('left', entered));
  }

  #whileWaiting(command: string): Promise<string[]> {
    const { names, token } = this.#record;
    const waits = `#{&&:${names.isHeld(token)},${names.waits}}`;
    return this.#run(`if-shell -F ${quote(waits)} { ${command} }`);
  }

  // A client that is still in a prefix is put back into it: changing the key table throws it out.
  async #finish(pending: readonly HoldClient[]): Promise<boolean> {
    const again = pending.map(
      ({ name, table }) => `if-shell -F 1 { switch-client -c ${quote(name)} -T ${quote(table)} }`,
    );
    return (await this.#run(this.#record.finish, ...again)).includes(FREED);
  }

  async #clients(): Promise<HoldClient[]> {
    const lines = await this.#run(listClients);
    return parseClients(lines);
  }

  // A client that comes to the pane during the hold: its keys wait by the table, a paste only once it is blocked.
  #openNewcomers(): Disposable {
    const { pane, names, token } = this.#record;
    return pane.link.onNotification((event) => {
      if (!('window' in event) && event.type !== 'client-session-changed' && event.type !== 'other') return;
      this.#clients()
        .then((clients) => {
          const fresh = atPane(clients, pane.id).filter((name) => !this.#opened.has(name));
          for (const name of fresh) this.#opened.add(name);
          if (fresh.length === 0) return;
          return this.#run(
            `if-shell -F ${quote(names.isHeld(token))} { ${fresh.map((name) => open(name)).join(' ; ')} }`,
          );
        })
        .catch(() => {});
    });
  }

  // The lines that tmux says to a command list; a connection that is lost is waited for.
  async #run(...commands: string[]): Promise<string[]> {
    const { link } = this.#record.pane;
    for (const end = performance.now() + RECONNECT_MS; ; ) {
      try {
        const blocks = await link.list(commands);
        const failed = blocks.find((block) => !block.ok);
        if (failed) throw new TmuxError(commands[0] ?? '', textLines(failed).join(' '));
        return blocks.flatMap(textLines);
      } catch (error) {
        const lost = link.state.kind === 'down' || link.state.kind === 'connecting';
        if (!lost || performance.now() > end) throw error;
        await Promise.race([link.ready(), pauseFor(end - performance.now())]);
      }
    }
  }
}
