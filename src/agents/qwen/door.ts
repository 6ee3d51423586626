// Qwen Code's door: mail is a line in its input file, given only while it rests; its output shows each prompt that it took.
import { Emitter } from '../../tmux/index.js';
import { isAlive } from '../alive.js';
import type { Carries, Door, DoorContext, DoorEvent, DoorLetter, DoorState, Found, Sent } from '../door.js';
import { noteFacts } from '../facts.js';
import { idsIn } from '../mark.js';
import { type Files, isEmpty, isHandedOver, isRecorded, ourFiles, recordsOf, submit } from './files.js';
import { Output } from './output.js';
import { type End, Replay } from './replay.js';
import { Silence } from './silence.js';
import { type Change, Turns } from './turns.js';
import { UnderWay } from './under-way.js';
import { parseLine, type Told } from './wire.js';

// It writes its first line once its screen is there.
const START_MS = 30_000;
// It looks at the file every half second, and tries again after two seconds where it could not take a line.
const SHOWN_MS = 4000;

export class QwenDoor implements Door {
  readonly name = 'input file';
  readonly #event = new Emitter<DoorEvent>();
  readonly onEvent = this.#event.event;
  #state: DoorState;
  readonly #files: Files | undefined;
  readonly #records: string;
  #output: Output | undefined;
  readonly #turns = new Turns((change) => this.#changed(change));
  // Ids that its output has shown, with their turn.
  readonly #shown = new Map<string, string>();
  readonly #underWay: UnderWay;
  readonly #silence: Silence;
  readonly #replay: Replay;
  #lastEnded: string | undefined;
  #conversation: string | undefined;
  #isLive = false;
  #disposed = false;
  #begun: Promise<void> | undefined;
  #startTimer: NodeJS.Timeout | undefined;

  constructor(
    readonly context: DoorContext,
    shownMs = SHOWN_MS,
  ) {
    const { clock, program, session, env, folder } = context;
    this.#state = { kind: 'opening', since: clock() };
    this.#records = recordsOf(env);
    this.#replay = new Replay(folder);
    this.#silence = new Silence(this.#turns, clock);
    this.#underWay = new UnderWay(shownMs, {
      isBusy: () => this.#turns.isBusy,
      look: () => this.#output?.read(),
      isRecorded: (id) => this.#isRecorded(id),
      onLeft: (id) => this.#left(id),
      onRested: () => this.#tell({ kind: 'changed' }),
    });
    const files = ourFiles(program.argv, session.cwd, folder);
    if (typeof files === 'string') {
      this.#state = { kind: 'shut', reason: files };
      return;
    }
    this.#files = files;
    this.#output = new Output(files, program.pid, {
      line: (line) => this.#heard(line),
      mayFollow: () => isEmpty(files.input) && !this.#turns.isBusy,
      onReplaced: () => this.#replaced(),
      onFailed: (error) => this.#unread(error),
    });
    this.#startTimer = setTimeout(() => this.#neverStarted(), START_MS);
    this.#startTimer.unref();
    // After whoever opens it has begun to listen.
    this.#begun = new Promise((resolve) => setImmediate(resolve)).then(() => this.#begin());
  }

  get state(): DoorState {
    return this.#state;
  }

  // What it has in its queue when a person interrupts is put into their input box, so that nothing is handed over then.
  carries(_letter: Pick<DoorLetter, 'mode' | 'speaks'>): Carries {
    if (this.#turns.isBusy || this.#underWay.isExpected)
      return { kind: 'later', reason: 'its turn is running' };
    return { kind: 'now' };
  }

  async send({ id, text }: DoorLetter): Promise<Sent> {
    // The next one in its pane might read what one that has ended is given.
    if (this.#state.kind !== 'open' || !this.#files || !isAlive(this.context.program.pid))
      return { outcome: 'refused', reason: 'it does not read its input file' };
    const shown = this.#underWay.handOver(id);
    try {
      submit(this.#files, text);
    } catch (error) {
      this.#underWay.settle(id);
      return { outcome: 'refused', reason: `its input file cannot be written: ${(error as Error).message}` };
    }
    if (await shown) return { outcome: 'accepted', evidence: 'its output shows the prompt' };
    this.#underWay.watch();
    return { outcome: 'unknown', reason: 'its output has not shown it yet' };
  }

  async find(id: string): Promise<Found> {
    if (!this.#files) return { at: 'unknown', reason: 'its files are not known' };
    await this.#begun;
    this.#output?.read();
    const turn = this.#shown.get(id);
    if (turn !== undefined) return { at: 'received', turn, evidence: 'its output shows the prompt' };
    if (!isHandedOver(this.#files, id)) return { at: 'nowhere', evidence: 'it is not in its input file' };
    if (this.#isRecorded(id))
      return { at: 'received', turn: null, evidence: 'its record of the conversation shows it' };
    this.#underWay.follow(id);
    return { at: 'queue', evidence: 'it is in its input file, and its output has not shown it' };
  }

  // What is in the file may have been read at any moment.
  async withdraw(id: string): Promise<boolean> {
    return this.#files !== undefined && !isHandedOver(this.#files, id);
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#startTimer);
    this.#silence.dispose();
    this.#underWay.dispose();
    this.#output?.dispose();
  }

  async #begin(): Promise<void> {
    await this.#output?.begin().catch((error: unknown) => this.#unread(error));
    if (this.#disposed) return;
    this.#isLive = true;
    const turns = new Set(this.#shown.values());
    for (const end of this.#replay.untold((turn) => turns.has(turn), !this.#turns.isBusy)) this.#tellEnd(end);
    this.#silence.watch();
    if (this.#conversation !== undefined) this.#open();
  }

  #open(): void {
    if (this.#state.kind === 'open') return;
    clearTimeout(this.#startTimer);
    this.#state = { kind: 'open' };
    this.#tell({ kind: 'changed' });
    if (!this.#turns.isBusy) this.#changed({ kind: 'state', state: 'idle', detail: null });
  }

  #neverStarted(): void {
    if (this.#state.kind === 'opening') this.#shut('it has written nothing into its --json-file');
  }

  // Nobody can tell which of the lines that were given to it the new one has read.
  #replaced(): void {
    this.#changed({ kind: 'state', state: 'unknown', detail: null });
    this.#shut('it has started itself again, and what was given to it before is lost');
  }

  #shut(reason: string): void {
    clearTimeout(this.#startTimer);
    this.#state = { kind: 'shut', reason };
    this.#tell({ kind: 'changed' });
  }

  #unread(error: unknown): void {
    this.context.log('what Qwen Code wrote cannot be read', { error: String(error) });
  }

  #heard(line: string): void {
    this.#silence.lineCame();
    const told = parseLine(line);
    if (!told) return;
    if (told.kind === 'started' || told.kind === 'prompt') this.#in(told.conversation);
    this.#turns.heard(told);
    if (told.kind === 'prompt') this.#prompt(told);
    if (!this.#isLive) return;
    this.#silence.watch();
    if (this.#conversation !== undefined) this.#open();
  }

  #in(conversation: string): void {
    if (conversation === this.#conversation) return;
    this.#conversation = conversation;
    const facts = { output: this.#output?.file ?? '', records: this.#records, conversation };
    noteFacts(this.context, facts);
  }

  #prompt({ text, turn }: Extract<Told, { kind: 'prompt' }>): void {
    const ids = idsIn(text);
    const isFromBox = this.#underWay.isFromBox(ids);
    for (const id of ids) {
      this.#shown.set(id, turn);
      this.#underWay.settle(id);
      this.#tell({ kind: 'received', id, turn, evidence: 'user event in its output' });
    }
    if (isFromBox) this.#underWay.boxSent();
  }

  // Its record shows it, or a person has sent what was in their box, and it was not in it.
  #left(id: string): void {
    if (this.#isRecorded(id)) {
      const evidence = 'its record of the conversation shows it';
      this.#tell({ kind: 'received', id, turn: null, evidence });
      if (!this.#turns.isBusy)
        this.#tellEnd({ kind: 'ended', turn: null, how: 'completed', answer: null, evidence: 'it rests' });
      return;
    }
    const reason = 'a person interrupted while it was queued, and sent something else since';
    this.#tell({ kind: 'returned', id, reason });
  }

  #changed(change: Change): void {
    switch (change.kind) {
      case 'started':
        if (this.#isLive && this.#lastEnded !== undefined) this.#replay.told(this.#lastEnded);
        this.#tell({ kind: 'turn_started', turn: change.turn });
        break;
      case 'ended':
        this.#lastEnded = change.turn ?? this.#lastEnded;
        if (!this.#isLive) this.#replay.add(change);
        else {
          this.#underWay.turnEnded();
          this.#tellEnd(change);
        }
        break;
      case 'state': {
        const { state, detail } = change;
        // What was written before we listened is told once, as it stands at the end.
        if (this.#state.kind !== 'open') return;
        const status = { state, since: this.context.clock(), source: 'door' as const, detail };
        this.#tell({ kind: 'status', status });
        if (state === 'idle' || state === 'unknown') this.#underWay.watch();
      }
    }
  }

  #tellEnd({ turn, how, answer, evidence }: End): void {
    this.#tell({ kind: 'turn_ended', turn, how, answer, evidence });
  }

  // In order, and after whoever waits for the same line has gone on.
  #tell(event: DoorEvent): void {
    setImmediate(() => this.#event.fire(event));
  }

  #isRecorded(id: string): boolean {
    return this.#conversation !== undefined && isRecorded(this.#records, this.#conversation, id);
  }
}
