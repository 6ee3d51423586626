// One cell, played once: the person's draft and the agent's state are brought about, a message is sent, the truth is read.
import fs from 'node:fs';
import path from 'node:path';
import { DRAFTS } from './cells.mjs';
import { judge } from './judge.mjs';
import { between } from './random.mjs';
import { TYPING } from './typist.mjs';
import { sleep, soon, until } from './wait.mjs';

// How long a state that forbids delivery is kept, to see that nothing happens in it.
const FORBIDDEN_MS = 2500;
// A message that is still held after this is said to wait.
const ARRIVES_MS = 15_000;
const WAITS_MS = 7000;
// Nobody has touched a key for longer than the seconds that tmux counts them in.
const RESTED_MS = 3200;
const PAUSED_MS = 300;
const DIALOG_MS = 15_000;
const ENTER_AGAIN_MS = 5000;
// A message that comes twice comes within this time.
const AFTER_MS = 600;

let count = 0;

export class Trial {
  faults = [];
  #own = [];
  #name = `t${process.pid.toString(36)}${(count++).toString(36)}`;

  // `deliver(stage, text)` sends: {mark, expected, outcome(), cancel(), leaves}
  constructor(stage, cell, deliver, { shown = new Map() } = {}) {
    Object.assign(this, { stage, cell, deliver, shown });
  }

  get #ranFile() {
    return path.join(this.stage.place.cwd, `ran-${this.#name}`);
  }

  async play() {
    const { stage, cell } = this;
    stage.submissions.mark();
    await this.#startTurn();
    await this.#draft();
    await this.#enterState();
    if (cell.typing === 'none') await this.#until(RESTED_MS);
    const typing = this.#keepTyping();
    this.sentAt = Date.now();
    this.letter = await this.deliver(stage, this.#message());
    await this.#leaveState();
    await this.#settle();
    await typing.stop();
    return this.#truth();
  }

  #message() {
    const text = `cell ${this.cell.id} of ${this.#name}`;
    return this.stage.agent.line
      ? `${text} "quoted" $HOME #{pid}`
      : `${text}\nsecond line: "quoted" $HOME #{pid} 中 é`;
  }

  // A turn that works until it is told to end, or until it calls a tool that needs approval.
  async #startTurn() {
    const { state } = this.cell;
    if (state !== 'busy' && state !== 'dialog') return;
    const tool = state === 'dialog' ? ` [[run touch ran-${this.#name}]]` : '';
    await this.#submit(`work [[hold ${this.#name}]]${tool}`);
  }

  async #submit(prompt) {
    const { typist, submissions } = this.stage;
    this.#own.push(prompt);
    await typist.submit(prompt);
    const mark = prompt.slice(0, 30);
    // A person who sees their prompt still standing there presses Enter again.
    if (!(await soon(() => submissions.request(mark), ENTER_AGAIN_MS))) await typist.press('Enter');
    this.request = await until(() => submissions.request(mark), 'the prompt reaches the model', DIALOG_MS);
    // Agents redraw their box when a turn starts, and one loses keys meanwhile.
    await sleep(PAUSED_MS);
  }

  async #draft() {
    const { typist, agent } = this.stage;
    if (this.cell.vim && agent.vimStartsNormal) await typist.press('i');
    await DRAFTS[this.cell.draft].write(typist);
    if (this.cell.vim === 'normal') await typist.press('Escape');
    if (!this.cell.vim) return;
    await this.stage.rest();
    this.look = this.stage.cursorRow();
  }

  async #enterState() {
    const { stage, cell } = this;
    if (cell.state === 'dialog') {
      stage.model.release(this.#name);
      await until(() => stage.dialogOpen(), 'the dialog opens', DIALOG_MS);
      await stage.rest(3000);
    } else if (cell.state === 'copy') {
      await stage.typist.press('C-b', '[');
      await until(() => stage.inMode(), 'copy mode', 3000);
    }
  }

  async #until(quietMs) {
    await sleep(Math.max(0, this.stage.typist.lastKeyAt + quietMs - Date.now()));
  }

  #keepTyping() {
    const { typist } = this.stage;
    let over = false;
    const stop = (typed) => async () => {
      over = true;
      await typed;
    };
    if (this.cell.typing === 'on') return { stop: stop(typist.typeOn(() => over, { rhythm: TYPING })) };
    if (this.cell.typing === 'none') return { stop: stop() };
    // Pauses, then goes on whether or not the message has come by then.
    const goesOn = async () => {
      await sleep(between(typist.random, 400, 1600));
      const end = Date.now() + 1500;
      await typist.typeOn(() => over || Date.now() > end, { rhythm: TYPING });
    };
    return { stop: stop(goesOn()) };
  }

  async #leaveState() {
    const { stage, cell, letter } = this;
    if (cell.state === 'idle') return;
    // A recipe has pressed its keys already: what they did is the result.
    await soon(() => cell.state === 'busy' && this.#arrived(), letter.blind ? AFTER_MS : FORBIDDEN_MS);
    if (cell.state === 'busy') {
      if (this.request.end === 'aborted') this.faults.push('turn interrupted');
      stage.model.release(this.#name);
    } else if (cell.state === 'dialog') {
      await this.#lookAtDialog();
      await stage.typist.press('Escape');
      await soon(() => !stage.dialogOpen(), 3000);
    } else {
      this.heldIn = (await letter.outcome()).held;
      if (!stage.inMode()) this.faults.push('copy mode ended');
      // A door presses no key: there is nothing to wait for.
      const mayArrive = letter.wants?.way === 'door';
      if (this.#arrived() && !mayArrive) this.faults.push('delivered in copy mode');
      if (stage.inMode()) await stage.typist.press('q');
      if (this.#arrived() && mayArrive) return;
    }
    this.leftAt = Date.now();
  }

  async #lookAtDialog() {
    const outcome = await this.letter.outcome();
    this.heldIn = outcome.held;
    if (fs.existsSync(this.#ranFile)) this.faults.push('command approved');
    else if (!this.stage.dialogOpen()) this.faults.push('dialog closed');
    if (this.#arrived()) this.faults.push('delivered past a dialog');
  }

  #arrived() {
    return this.stage.submissions.arrival(this.letter.mark);
  }

  // Until the message is where it belongs, or is said to wait.
  async #settle() {
    const limit = this.letter.blind ? WAITS_MS : ARRIVES_MS;
    const from = Date.now();
    await soon(async () => {
      this.outcome = await this.letter.outcome();
      const { state, held, receipt } = this.outcome;
      const { wants } = this.letter;
      // Its turn may still run.
      const isProved = !wants || receipt === wants.receipt;
      if (this.#arrived() && state !== 'pending' && state !== 'attempting' && isProved) return true;
      return !this.#arrived() && held && Date.now() - from > WAITS_MS;
    }, limit);
    // What it waits for is known only until it is taken back.
    if (!this.#arrived()) await this.letter.cancel();
  }

  // For some seconds behind one of ours that a dialog swallowed, an editor key is taken for ours: a person presses it again.
  #again() {
    this.pressedAgain = true;
    return this.stage.takeDraft();
  }

  async #truth() {
    const { stage, cell } = this;
    const probe = DRAFTS[cell.draft].probe;
    if (probe && cell.typing === 'none') await stage.typist.type(probe);
    await sleep(AFTER_MS);
    await stage.rest();
    this.arrivedAt = this.#arrived();
    if (this.arrivedAt) this.outcome = await this.letter.outcome();
    const expected = stage.typist.box.text(this.shown);
    const submitted = stage.submissions.fresh();
    if (!stage.alive()) this.faults.push('agent ended');
    else this.found = (await stage.takeDraft()) ?? (await this.#again());
    // In vim's modes one agent has no key to read its box by: then its look has to do.
    if (this.found === undefined && this.look === stage.cursorRow()) this.found = expected;
    if (fs.existsSync(this.#ranFile) && !this.faults.includes('command approved'))
      this.faults.push('command approved');
    const verdict = judge({
      faults: this.faults,
      letter: this.letter,
      submitted,
      own: this.#own,
      draft: { expected, whole: stage.typist.box.text(), found: this.found },
      outcome: this.outcome,
      arrived: Boolean(this.arrivedAt),
    });
    const since = this.leftAt ?? this.sentAt;
    return {
      ...verdict,
      ms: this.arrivedAt ? Math.max(0, this.arrivedAt - Math.min(since, this.arrivedAt)) : null,
      heldMs: this.outcome.heldMs ?? null,
      way: this.outcome.way ?? null,
      ...(this.heldIn ? { heldIn: this.heldIn } : {}),
      ...(this.pressedAgain ? { editorKeyTwice: true } : {}),
      submitted,
      draft: { expected, found: this.found ?? null },
    };
  }
}
