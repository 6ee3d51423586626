// The daemon's side of the editor shim: asks for the draft of one session, and answers what shall be in the box instead.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { until } from './folder-watch.js';

// What the shim does by itself when nobody answers. `mark_last`: the mark goes to the end.
export type Otherwise = 'keep' | 'unmark' | 'mark_last';

export interface HandoverRequest {
  token: string;
  otherwise: Otherwise;
  // What the name of the agent's file looks like.
  pattern: string;
  // The caret mark, for `unmark`.
  mark?: string;
  // For so long it is waited for, from now on.
  callMs: number;
}

// `late`: as its request says, as if nobody had answered in time.
export type Answer = { kind: 'keep' | 'late' } | { kind: 'put'; text: string };

// `ended`: a call was open until now. `content`: what it had handed over. `marks`: those that may be in the box.
export interface Settled {
  ended: boolean;
  content: string | undefined;
  marks: readonly string[];
}

// A daemon that lives answers within milliseconds; a dead one must not keep the agent in its editor.
const ANSWER_SECONDS = 2;
const ENDED_MS = ANSWER_SECONDS * 1000 + 500;
// An agent that has not called its editor by then did not hear the key; from then on it is the person's own again.
const LATE_MS = 3000;
const MISFIT_MS = 10 * 60_000;
const MAX_MARKS = 30;
// From taking a request to saying so takes the shim a millisecond.
const CALLED_MS = 200;
// An agent has its terminal back a few milliseconds after its editor has ended, one that is slow later; some never change it.
const RAW_MS = 2000;

export class Handover {
  // Where the agents of the calls that wait put their drafts.
  readonly #files = new Map<string, string>();
  #givenUp: string | undefined;
  // When its last call ended, the agent was seen to have its terminal back.
  hasTerminal = false;

  constructor(readonly folder: string) {}

  // The process of the person's own editor that was opened last; it may have ended.
  get ownEditor(): number | undefined {
    const pid = Number(this.#read('own'));
    return pid > 0 ? pid : undefined;
  }

  // From now on the next call of the editor is ours.
  ask(request: HandoverRequest): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    fs.rmSync(this.#at('other'), { force: true });
    if (!fs.existsSync(this.#at('answer'))) execFileSync('mkfifo', ['-m', '600', this.#at('answer')]);
    const { token, otherwise, pattern, mark, callMs } = request;
    if (mark !== undefined) this.#noteMark(token, mark);
    // Also if nobody lives to take it away: from then on a call is the person's own. The script counts whole seconds.
    const over = Math.ceil((Date.now() + callMs + LATE_MS) / 1000) + 1;
    this.#write('request.tmp', [token, otherwise, ANSWER_SECONDS, pattern, over, ''].join('\n'));
    fs.renameSync(this.#at('request.tmp'), this.#at('request'));
  }

  // Waits no longer; false when the editor was called at this very moment. An agent that is merely slow and calls it yet
  // gets what the request says for that case.
  giveUp(): boolean {
    try {
      fs.renameSync(this.#at('request'), this.#at('late'));
      this.#write('silent', '');
      const token = this.#lateToken();
      this.#givenUp = token;
      setTimeout(() => {
        if (token === this.#lateToken()) fs.rmSync(this.#at('late'), { force: true });
        this.#clear((name) => name.startsWith(`${token}.`) && !name.endsWith('.mark'));
      }, LATE_MS).unref();
      return true;
    } catch {
      return false;
    }
  }

  // A key is about to take the mark away. A call that comes later finds that key still to come, and leaves the mark where
  // it will be. False: one has come already and took the mark out itself.
  leaveMark(where: 'keep' | 'mark_last'): boolean {
    const [token, , ...rest] = this.#read('late')?.split('\n') ?? [];
    const given = token ?? this.#givenUp;
    if (token !== undefined) {
      this.#write('late.tmp', [token, where, ...rest].join('\n'));
      fs.renameSync(this.#at('late.tmp'), this.#at('late'));
    }
    const [, taken] = this.#read(`${given}.taken`)?.split('\n') ?? [];
    if (taken !== undefined) fs.rmSync(this.#at('late'), { force: true });
    return taken !== 'unmark';
  }

  // A call came in place of ours, with a file that does not fit: the pattern is wrong, or another view has the same key.
  // Each further call would open the person's own editor on them, so it is remembered for a while.
  noteMisfit(pattern: string): string | undefined {
    const other = this.#read('other')?.trimEnd();
    if (other !== undefined) this.#write('misfit', `${pattern}\n${other}`);
    return other;
  }

  misfit(pattern: string): string | undefined {
    const [of, file] = this.#read('misfit')?.split('\n') ?? [];
    if (of !== pattern) return undefined;
    return Date.now() - fs.statSync(this.#at('misfit')).mtimeMs < MISFIT_MS ? file : undefined;
  }

  // A call that was given up may come at any moment. With a second key there would be one call more than requests, and that
  // one would open the person's own editor.
  get mayBeCalled(): boolean {
    return this.#lateLeftMs > 0;
  }

  // Resolves once no call is to be expected any more that was given up, or one has come.
  async lateOver(): Promise<void> {
    await until(this.folder, () => this.#lateToken() === undefined || undefined, this.#lateLeftMs);
  }

  get #lateLeftMs(): number {
    // Since it was renamed.
    const since = fs.statSync(this.#at('late'), { throwIfNoEntry: false })?.ctimeMs;
    return since === undefined ? 0 : Math.max(0, since + LATE_MS - Date.now());
  }

  // The last call that was asked for did not come.
  get wasSilent(): boolean {
    return fs.existsSync(this.#at('silent'));
  }

  // Its key was not pressed, so no call will come; the mark may have been.
  withdraw(token: string): void {
    fs.rmSync(this.#at('request'), { force: true });
    this.#clear((name) => name.startsWith(`${token}.`) && !name.endsWith('.mark'));
  }

  // The draft as it was handed over; undefined when the editor was not called in time.
  async draft(token: string, ms: number, signal?: AbortSignal): Promise<string | undefined> {
    const file = (await this.#appears(`${token}.called`, ms, signal))?.slice(0, -1);
    if (file === undefined) return undefined;
    this.#files.set(token, file);
    for (const name of ['silent', 'other', 'misfit']) fs.rmSync(this.#at(name), { force: true });
    return fs.readFileSync(file, 'utf8');
  }

  // Rejects when the shim waits no more; the agent's file is then left alone.
  async answer(token: string, answer: Answer): Promise<void> {
    // The shim has both ends open, so this never blocks; without it there is no reader and this fails.
    const pipe = fs.openSync(this.#at('answer'), fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
    try {
      if (answer.kind === 'put') fs.writeFileSync(this.#files.get(token) as string, answer.text);
      fs.writeSync(pipe, `${token} ${answer.kind}\n`);
    } finally {
      fs.closeSync(pipe);
    }
  }

  // Resolves once the agent has removed the file of a call, or after so long; true if that had to be waited for.
  async removed(token: string, ms: number): Promise<boolean> {
    const file = this.#files.get(token) ?? this.#read(`${token}.called`)?.slice(0, -1);
    if (file === undefined || ms === 0 || !fs.existsSync(file)) return false;
    const isGone = (): true | undefined => !fs.existsSync(file) || undefined;
    // Its folder may go with it, and cannot be watched then.
    await until(path.dirname(file), isGone, ms).catch(() => {});
    return true;
  }

  // What the shim did in the end; undefined when it has not said so in time. Keys may be pressed then. Nothing of the draft
  // stays in files.
  async outcome(token: string, ms: number): Promise<string | undefined> {
    const outcome = await this.#ended(token, ms);
    if (outcome !== undefined) {
      this.#files.delete(token);
      this.#clear((name) => name.startsWith(`${token}.`));
    }
    return outcome;
  }

  async #ended(token: string, ms: number): Promise<string | undefined> {
    const outcome = (await this.#appears(`${token}.done`, ms))?.trim();
    if (outcome !== undefined) this.hasTerminal = (await this.#appears(`${token}.raw`, RAW_MS)) !== undefined;
    return outcome;
  }

  // A hand-over that was under way when the last daemon died is brought to its end. Returns what it had handed over.
  // `takenMs`: how long the agent may take to remove its file.
  async settled(takenMs = 0): Promise<Settled> {
    let last: string | undefined;
    let ended = false;
    const { marks } = this;
    for (const token of this.#taken) {
      // One that still waits gets its answer now: nobody's keys wait for its time to be over.
      const waits = this.#read(`${token}.done`) === undefined;
      ended ||= waits;
      const content = waits ? await this.draft(token, CALLED_MS).catch(() => undefined) : undefined;
      if (content !== undefined) await this.answer(token, { kind: 'late' }).catch(() => {});
      if (waits) await this.#ended(token, ENDED_MS);
      last = this.#read(`${token}.draft`) ?? content ?? last;
      if (await this.removed(token, takenMs)) ended = true;
      this.#files.delete(token);
    }
    // Its key may have been pressed a moment before: an agent that is slow calls the editor yet.
    this.giveUp();
    this.#clear(
      (name) => !['late', 'answer', 'silent', 'misfit', 'own'].includes(name) && !name.endsWith('.mark'),
    );
    return { ended, content: last, marks };
  }

  // Of calls that did not come: they may be in the box.
  get marks(): string[] {
    const contents = this.#names().map((name) => (name.endsWith('.mark') ? this.#read(name) : undefined));
    return contents.filter((mark) => mark !== undefined && mark !== '') as string[];
  }

  // The box has been read since, and is without them.
  forgetMarks(): void {
    const late = this.mayBeCalled ? this.#lateToken() : undefined;
    this.#clear((name) => name.endsWith('.mark') && name !== `${late}.mark`);
  }

  // Those of calls that never come must not pile up.
  #noteMark(token: string, mark: string): void {
    const age = (name: string): number =>
      fs.statSync(this.#at(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const marks = this.#names().filter((name) => name.endsWith('.mark'));
    const oldest = marks.sort((a, b) => age(b) - age(a)).slice(MAX_MARKS - 1);
    this.#clear((name) => oldest.includes(name));
    this.#write(`${token}.mark`, mark);
  }

  #lateToken(): string | undefined {
    return this.#read('late')?.split('\n')[0];
  }

  // Whoever waits for an answer goes on as its request says, also one that is yet to call: the agent must not stay in its
  // editor once nobody is going to give it. True where there was one. A mark that this leaves in the box stays known.
  async abandon(takenMs = 0): Promise<boolean> {
    // First, so that a call that comes at this moment is among those that wait.
    const isLate = this.giveUp();
    const waiting = this.#waiting;
    for (const token of waiting) {
      // It has taken its request, and is about to listen.
      await this.#appears(`${token}.called`, CALLED_MS);
      await this.answer(token, { kind: 'late' }).catch(() => {});
      await this.removed(token, takenMs);
      const outcome = await this.#ended(token, ENDED_MS);
      this.#files.delete(token);
      // One that has not ended by now was killed: whoever comes next need not wait for it again.
      const isMarked = outcome !== 'unmark';
      this.#clear((name) => name.startsWith(`${token}.`) && !(isMarked && name.endsWith('.mark')));
    }
    return isLate || waiting.length > 0;
  }

  // A call waits for an answer, or is waited for.
  get isOpen(): boolean {
    return this.#waiting.length > 0 || fs.existsSync(this.#at('request'));
  }

  get #waiting(): string[] {
    return this.#taken.filter((token) => this.#read(`${token}.done`) === undefined);
  }

  get #taken(): string[] {
    return this.#names().flatMap((name) =>
      name.endsWith('.taken') ? [name.slice(0, -'.taken'.length)] : [],
    );
  }

  #clear(which: (name: string) => boolean): void {
    for (const name of this.#names()) if (which(name)) fs.rmSync(this.#at(name), { force: true });
  }

  #names(): string[] {
    try {
      return fs.readdirSync(this.folder);
    } catch {
      return [];
    }
  }

  #at(name: string): string {
    return path.join(this.folder, name);
  }

  #write(name: string, text: string): void {
    fs.writeFileSync(this.#at(name), text, { mode: 0o600 });
  }

  // One line, written by the shim: whole once it has its end.
  #appears(name: string, ms: number, signal?: AbortSignal): Promise<string | undefined> {
    const line = (): string | undefined => {
      const text = this.#read(name);
      return text?.endsWith('\n') ? text : undefined;
    };
    return until(this.folder, line, ms, signal);
  }

  #read(name: string): string | undefined {
    try {
      return fs.readFileSync(this.#at(name), 'utf8');
    } catch {
      return undefined;
    }
  }
}
