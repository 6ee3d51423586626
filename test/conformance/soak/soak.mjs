// Deliveries to one agent whose person types throughout, under a daemon that is killed again and again; everything is counted.
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../packages.mjs';
import { between, seeded } from '../random.mjs';
import { Stage } from '../stage.mjs';
import { TYPING } from '../typist.mjs';
import { sleep, soon, until } from '../wait.mjs';
import { accountMessages, accountReceipts, compareDraft, parts } from './account.mjs';
import { Killer } from './killer.mjs';

// The box is read out after so many deliveries.
const END_MS = 3000;
const ROUND = 10;
const ARRIVES_MS = 20_000;
const DRAIN_MS = 30_000;
const DIALOG_MS = 15_000;
const DIALOG_OPEN_MS = 1500;
// How long a person who is left alone types where otherwise a message would come.
const ALONE_MS = 4000;

export class Soak {
  #log;
  #sent = [];
  // Of all that were ever sent, those taken back too: no two have the same text.
  #count = 0;
  // Those that waited too long, and were taken back.
  #back = [];
  #waited = new Map();
  drafts = { read: 0 };
  editorKeysLost = 0;
  dialogs = { opened: 0, answered: 0 };

  // {agent, build, deliveries, seed, share, point, by, turns, alone}: `by` the box or the agent's own door; `share` of the attempts
  // are killed, `point` names the moment of a kill; so many `turns` lie behind the agent when it begins; `alone`: nothing is sent,
  // so that what is harmed is harmed by the agent.
  constructor(options) {
    Object.assign(this, options);
    const folder = path.join(cacheFolder(), 'soak');
    fs.mkdirSync(folder, { recursive: true });
    this.logFile = path.join(folder, `${this.agent}-${this.seed}-${Date.now()}.jsonl`);
    this.#log = (record) =>
      fs.appendFileSync(this.logFile, JSON.stringify({ t: Date.now(), ...record }) + '\n');
  }

  async run(tell) {
    const doors = this.by === 'door';
    const random = seeded(this.seed);
    const stage = await Stage.open(this.agent, { build: this.build, random, doors, tell });
    this.stage = stage;
    try {
      const { agent, seed, deliveries, share } = this;
      this.#log({
        ev: 'begin',
        agent,
        version: stage.version,
        code: this.build.version,
        seed,
        deliveries,
        share,
      });
      await this.#warmUp();
      await this.#fill(tell);
      stage.submissions.mark();
      const dice = seeded(this.seed + 1);
      const killer = new Killer(stage.place, { random: dice, share, point: this.point, note: this.#log });
      const killing = killer.run();
      for (let done = 0; done < deliveries; done += ROUND) {
        await this.#round(Math.min(ROUND, deliveries - done), dice);
        tell(`${Math.min(done + ROUND, deliveries)} of ${deliveries}, ${killer.kills} kills`);
      }
      killer.stop();
      const lives = await this.#lives();
      // Its feed may be silent: a dead connection ends the wait.
      await stage.place.killDaemon();
      // A feed that does not notice is left behind.
      await Promise.race([killing, sleep(END_MS)]);
      return this.#summary(killer, lives);
    } finally {
      // What the daemons said of it, beside what happened.
      fs.copyFileSync(stage.place.locations.log, this.logFile.replace('.jsonl', '.daemon.log'));
      await stage.close();
    }
  }

  // The first prompt of a session changes many screens; what keys it costs is not ours.
  async #warmUp() {
    const { typist, submissions } = this.stage;
    await typist.submit('good morning');
    // On a busy machine an agent may take the Enter for a part of what was typed.
    for (let tries = 0; tries < 3 && !(await soon(() => submissions.arrival('good morning'), 4000)); tries++)
      await typist.enter();
    await sleep(1500);
    await this.stage.rest();
    typist.box.submitted.length = 0;
  }

  async #fill(tell) {
    for (let turn = 1; turn <= this.turns; turn++) {
      const { mark } = await this.#send();
      await until(() => this.stage.submissions.arrival(mark), `turn ${turn} arrives`, DRAIN_MS);
      if (turn % 50 === 0) tell(`${turn} of ${this.turns} turns before it`);
    }
    await this.#drain();
    await this.stage.rest();
    this.#sent = [];
  }

  async #round(count, random) {
    const { typist, agent } = this.stage;
    let over = false;
    const { pauseMs } = agent;
    const typing = typist.typeOn(() => over, { rhythm: TYPING, pauses: 0.01, pauseMs, enters: 0.008 });
    let atWork;
    if (this.alone) await sleep(count * ALONE_MS);
    for (let i = 0; i < count && !this.alone; i++) {
      // Through a door two of four messages come while a turn runs.
      const hold = this.by === 'door' && i % 4 === 1 ? `turn${this.#sent.length}` : undefined;
      const letter = await this.#send(hold && ` [[hold ${hold}]]`);
      if (atWork && i % 4 === 3) {
        this.stage.model.release(atWork);
        atWork = undefined;
      }
      if (!atWork) await soon(() => this.stage.submissions.arrival(letter.mark), ARRIVES_MS);
      atWork ??= hold;
      await sleep(between(random, 100, 1200));
    }
    this.stage.model.release(atWork);
    over = true;
    await typing;
    await this.#drain();
    await this.#readOut();
    if (!this.alone && this.stage.agent.dialog && random() < 0.3) await this.#dialog();
  }

  // As a careful client sends: after a broken connection it looks whether the message was stored.
  async #send(more = '') {
    const { place, session } = this.stage;
    const { client } = place;
    const text = `delivery ${this.#count++} of seed ${this.seed}${more}\nsecond line "quoted" 中`;
    const way = this.by === 'door' ? { from: { session: session.id } } : { past_draft: 'now' };
    const request = { to: [session.id], text, ...way };
    for (;;) {
      const stored = await this.#stored(client.send(request), text).catch((error) => {
        // A build that has no such option yet.
        if (error.status === 400 && request.past_draft) delete request.past_draft;
        else throw error;
      });
      if (!stored) continue;
      const sender = this.by === 'door' ? `${session.name} (${session.id})` : 'user';
      const header = `[Input from: ${sender} via sm send] #${stored.id}\n`;
      const letter = { id: stored.id, mark: `#${stored.id}`, expected: header + text };
      this.#sent.push(letter);
      this.#log({ ev: 'sent', id: stored.id });
      return letter;
    }
  }

  // undefined when the daemon, back again, knows nothing of it.
  async #stored(sending, text) {
    const { client } = this.stage.place;
    try {
      return (await sending).messages[0];
    } catch (error) {
      if (error.status) throw error;
      const list = () => client.messages({ limit: 50 }).catch(() => undefined);
      return (await until(list, 'the daemon answers', DRAIN_MS)).find((one) => one.text === text);
    }
  }

  // Until nothing waits any more; what still does is taken back and counted by its reason.
  async #drain() {
    const { client } = this.stage.place;
    const waiting = () => client.messages({ pending: true }).catch(() => [undefined]);
    if (await soon(async () => (await waiting()).length === 0, DRAIN_MS, 100)) return;
    for (const message of await waiting()) {
      if (!message) continue;
      await client.cancel(message.id).catch(() => {});
      this.#back.push({ id: message.id });
      const reason = message.held ?? message.state;
      this.#waited.set(reason, (this.#waited.get(reason) ?? 0) + 1);
      this.#sent = this.#sent.filter(
        ({ id }) => id !== message.id || this.stage.submissions.arrival(`#${id}`),
      );
      this.#log({
        ev: 'waited',
        id: message.id,
        reason,
        detail: message.held_detail,
        daemon: this.stage.daemonLog(),
      });
    }
  }

  async #readOut() {
    await sleep(600);
    await this.stage.rest();
    const expected = this.stage.typist.box.text();
    // A person whose editor does not come presses again; that they had to is counted.
    const found = (await this.stage.takeDraft()) ?? (await this.#readAgain());
    const result = compareDraft(expected, found);
    this.drafts.read++;
    this.drafts[result] = (this.drafts[result] ?? 0) + 1;
    const keys = this.stage.typist.log.splice(0);
    this.#log({
      ev: 'draft',
      result,
      expected,
      found,
      keys,
      ...(result === 'same' ? {} : { screen: this.stage.screen() }),
    });
  }

  #readAgain() {
    this.editorKeysLost++;
    const swap = path.join(this.stage.place.folder, 'sm', 'swap');
    this.#log({ ev: 'editor key lost', left: fs.readdirSync(swap, { recursive: true }) });
    return this.stage.takeDraft();
  }

  // Mail that comes while an approval dialog is open; the person closes it after a moment.
  async #dialog() {
    const { stage } = this;
    const file = `ran-${this.dialogs.opened}`;
    await stage.typist.submit(`please [[run touch ${file}]]`);
    if (!(await soon(() => stage.dialogOpen(), DIALOG_MS))) return;
    this.dialogs.opened++;
    const { mark } = await this.#send();
    await sleep(DIALOG_OPEN_MS);
    const answered = !stage.dialogOpen() || fs.existsSync(path.join(stage.place.cwd, file));
    if (answered) this.dialogs.answered++;
    this.#log({ ev: 'dialog', answered });
    await stage.typist.press('Escape');
    await soon(() => stage.submissions.arrival(mark), ARRIVES_MS);
    await this.#drain();
    await stage.rest();
  }

  // What the journal says of each message, for whoever looks for the cause of a fault.
  async #lives() {
    const lives = new Map();
    for (const { id } of [...this.#sent, ...this.#back])
      lives.set(id, (await this.stage.place.client.message(id).catch(() => undefined))?.events);
    return lives;
  }

  #summary(killer, lives) {
    const { submissions, model } = this.stage;
    const submitted = this.by === 'door' ? parts(submissions.fresh()) : submissions.fresh();
    const prompts = this.stage.typist.box.submitted;
    const { wrong, strangers, missing, ...messages } = accountMessages(this.#sent, submitted, prompts);
    const { receipts, ...proofs } =
      this.by === 'door' ? accountReceipts(this.#sent, lives, model.requests) : {};
    const { read, same = 0, ...harmed } = this.drafts;
    const summary = {
      agent: this.agent,
      version: this.stage.version,
      code: this.build.version,
      seed: this.seed,
      by: this.by,
      ...messages,
      ...proofs,
      waited: Object.fromEntries(this.#waited),
      prompts: prompts.length,
      draftsRead: read,
      draftsHarmed: read - same,
      editorKeysLost: this.editorKeysLost,
      ...(Object.keys(harmed).length ? { harmed } : {}),
      dialogsOpened: this.dialogs.opened,
      dialogsAnswered: this.dialogs.answered,
      kills: killer.kills,
      killsInside: Number(killer.inside.toFixed(2)),
      log: this.logFile,
    };
    for (const [id, events] of lives) this.#log({ ev: 'life', id, events });
    this.#log({
      ev: 'end',
      ...summary,
      points: Object.fromEntries(killer.points),
      wrong,
      strangers,
      missing,
      receipts,
      submitted,
    });
    return { summary, points: killer.points };
  }
}
