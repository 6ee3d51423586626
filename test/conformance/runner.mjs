// Plays the cells that were asked for and are not known yet, one agent after the other, and keeps what they showed.
import { cellsOf, DRAFTS, isQuick } from './cells.mjs';
import {
  BASELINE_AGENTS,
  BASELINE_CELLS,
  DOOR_CELLS,
  OLDER_DOOR_CELLS,
  RECIPES,
  suremail,
  throughDoor,
} from './letters.mjs';
import { seeded, seedOf } from './random.mjs';
import { keepEvidence } from './results.mjs';
import { Stage, subjectOf, versionOf } from './stage.mjs';
import { Trial } from './trial.mjs';
import { sleep, until } from './wait.mjs';

// The longest that one trial takes; none is begun that could not end in time.
const TRIAL_MS = 30_000;
const TRIAL_LIMIT_MS = 120_000;
// An agent for which the scene could not be set so often in a row is left.
const ERRORS = 3;
const ARRIVES_MS = 20_000;

const matches = (patterns, id) =>
  patterns.length === 0 || patterns.some((pattern) => globToRegExp(pattern).test(id));
const globToRegExp = (glob) =>
  new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

// Every trial of one agent: {cell, by, deliver, run}.
export function trialsOf(name, { quick, only, repeat }) {
  const agent = subjectOf(name);
  const asked = cellsOf(agent).filter((cell) => matches(only, cell.id));
  // An older version is played as quickly as possible: it is there to show which ways it has.
  const cells = asked.filter(
    (cell) => !(quick || (agent.isOlder && only.length === 0)) || isQuick(agent, cell),
  );
  const runs = Array.from({ length: repeat }, (_, i) => i + 1);
  const ours = cells.flatMap((cell) => runs.map((run) => ({ cell, by: 'suremail', deliver: suremail, run })));
  const doors = (agent.isOlder ? asked : cells)
    .filter(({ id }) => agent.door && (agent.isOlder ? OLDER_DOOR_CELLS : DOOR_CELLS).includes(id))
    .flatMap((cell) => runs.map((run) => ({ cell, by: 'door', deliver: throughDoor, run })));
  if (quick || !BASELINE_AGENTS.includes(name)) return [...ours, ...doors];
  const theirs = cells
    .filter(({ id }) => BASELINE_CELLS.includes(id))
    .flatMap((cell) => Object.entries(RECIPES).map(([by, { deliver }]) => ({ cell, by, deliver, run: 1 })));
  return [...ours, ...doors, ...theirs];
}

export class Runner {
  #stage;
  // What each agent's editor hands over for a collapsed paste.
  #shown = new Map();

  constructor({ build, results, tell, deadline = Infinity }) {
    Object.assign(this, { build, results, tell, deadline });
  }

  // False when some were not played: the time was over, or the agent would not start.
  async agent(name, trials) {
    let errors = 0;
    const version = versionOf(name);
    const key = ({ cell, by, run }) => ({
      code: this.build.version,
      agent: name,
      version,
      cell: cell.id,
      by,
      run,
    });
    try {
      for (const trial of trials) {
        if (this.results.has(key(trial))) continue;
        if (Date.now() + TRIAL_MS > this.deadline) return false;
        const { outcome } = await this.#one(name, trial, key(trial));
        errors = outcome === 'error' ? errors + 1 : 0;
        if (errors === ERRORS) return false;
      }
    } finally {
      await this.#close();
    }
    return true;
  }

  async #one(name, trial, key) {
    const from = Date.now();
    let result;
    try {
      result = await limited(this.#play(name, trial), TRIAL_LIMIT_MS);
    } catch (error) {
      result = { outcome: 'error', faults: [error.message.split('\n')[0]], reason: null };
      keepEvidence(key, `${error.stack}\n\n${this.#stage?.screen() ?? ''}\n`);
    }
    const { submitted, draft, events, keys, screen, ...kept } = result;
    const row = { ...key, ...kept, took: Date.now() - from, at: new Date().toISOString() };
    if (row.outcome === 'fails') {
      row.note = await this.#control(trial.cell, row).catch(() => undefined);
      keepEvidence(key, JSON.stringify({ row, submitted, draft, events, keys }, null, 1) + `\n\n${screen}\n`);
    }
    this.results.add(row);
    this.tell(row);
    // What went wrong may have left something behind; vim's mode is part of the scene.
    if (row.outcome === 'fails' || row.outcome === 'error' || trial.cell.vim) await this.#close();
    return row;
  }

  async #play(name, { cell, by, deliver }) {
    const random = seeded(seedOf(`${name} ${cell.id}`));
    const vim = cell.vim !== undefined;
    const doors = by === 'door';
    if (this.#stage && (this.#stage.vim !== vim || this.#stage.doors !== doors)) await this.#close();
    if (!this.#stage) {
      this.#stage = await Stage.open(name, { build: this.build, random, vim, doors, tell: this.tell });
      if (this.#stage.agent.line) await this.#acquaint();
    }
    if (cell.draft === 'paste' && !this.#shown.has(name)) await this.#learnPaste(name);
    const stage = this.#stage;
    stage.typist.random = random;
    const trial = new Trial(stage, cell, deliver, { shown: this.#shown.get(name) });
    const result = await trial.play();
    const keys = stage.typist.log.slice(-200);
    return {
      ...result,
      events: trial.outcome.events,
      keys,
      screen: `${stage.screen()}\n\n${stage.daemonLog()}`,
    };
  }

  // What the keys of an unknown program do is tried between two messages into its empty box: before that nothing of its is read.
  async #acquaint() {
    for (const nth of ['first', 'second']) {
      const text = `the ${nth} message into an empty box`;
      const { messages } = await this.#stage.place.client.send({ to: [this.#stage.session.id], text });
      await until(() => this.#stage.submissions.arrival(`#${messages[0].id}`), text, ARRIVES_MS);
    }
    await this.#stage.rest();
  }

  // Some agents hand over a placeholder for a long paste, or change its end: what is read without any mail is the measure.
  async #learnPaste(name) {
    const { typist } = this.#stage;
    await DRAFTS.paste.write(typist);
    const text = typist.box.text();
    await sleep(1000);
    const read = await this.#stage.takeDraft();
    if (read !== undefined) this.#shown.set(name, new Map([[text, read]]));
  }

  // A draft that comes out otherwise although no mail was sent was not harmed by us.
  async #control(cell, row) {
    if (!row.faults.includes('draft harmed') || cell.typing !== 'none' || cell.vim || !this.#stage.alive())
      return undefined;
    const { typist } = this.#stage;
    typist.box.clear();
    await DRAFTS[cell.draft].write(typist);
    await sleep(1000);
    const expected = typist.box.text(this.#shown.get(row.agent));
    const read = await this.#stage.takeDraft();
    return read === expected ? undefined : 'the same draft without mail is not exact either';
  }

  async #close() {
    const stage = this.#stage;
    this.#stage = undefined;
    await stage?.close();
  }
}

async function limited(promise, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
