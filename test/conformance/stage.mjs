// One real agent, started by `sm new` in a place of its own, with a person at it and a stand-in model behind it.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AGENTS } from './agents.mjs';
import { EDITORS } from './editors.mjs';
import { ModelServer } from './model-server.mjs';
import { binFolder, install, packageOf } from './packages.mjs';
import { Place } from './place.mjs';
import { FAKES, FakeSubmissions } from './soak/fakes.mjs';
import { LineSubmissions, ModelSubmissions } from './submissions.mjs';
import { Typist } from './typist.mjs';
import { sleep, soon, until } from './wait.mjs';

export const SUBJECTS = { ...AGENTS, ...EDITORS };

const READY_MS = 60_000;
// A screen that has not changed for so long has come to rest; the slowest agent repaints every 250 ms.
const REST_MS = 400;
const EDITOR_CALL_MS = 5000;

export const versionOf = (name) => {
  const { version } = subjectOf(name);
  return version ? version() : packageOf(name).version;
};
// Scripted agents are for the soak alone: they are nobody's measure.
export const subjectOf = (name) => SUBJECTS[name] ?? FAKES[name] ?? older(name);

// An agent in another version than the one that all is measured with: claude@2.0.77.
function older(name) {
  const [base, version] = name.split('@');
  const agent = version && AGENTS[base];
  return agent && { ...agent, title: `${agent.title} ${version}`, program: base, isOlder: true };
}

export class Stage {
  // `doors`: the agent's own way in is used; otherwise everything goes through its box.
  static async open(name, { build, random, vim = false, doors = false, tell }) {
    const agent = subjectOf(name);
    if (packageOf(name)) install(name, tell);
    const version = versionOf(name);
    if (!version) throw new Error(agent.missing ?? `${name} is not installed`);
    const stage = new Stage();
    Object.assign(stage, { name, agent, version, random, build, vim, doors });
    try {
      await stage.#start();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  async #start() {
    const { agent, name, vim } = this;
    const paths = (packageOf(name)?.needs ?? []).map(binFolder);
    const env = ({ folder }) => {
      const editor = writeEditor(folder);
      return { EDITOR: editor, VISUAL: editor };
    };
    const { profile } = agent;
    const files = {
      'config.yaml': `use_doors: ${this.doors}\n`,
      ...(profile && { [`agents/${profile.name}.yaml`]: profile.yaml }),
    };
    this.place = await Place.open(this.build, { env, paths, files });
    this.model = await ModelServer.start(path.join(this.place.folder, 'model.jsonl'));
    const log = path.join(this.place.folder, 'submitted.jsonl');
    this.submissions = this.#submissionsIn(log);
    const context = { url: this.model.url, cwd: this.place.cwd, version: this.version, vim };
    this.place.write(this.place.home, agent.files?.(context) ?? {});
    const own = {
      ...agent.env?.(context),
      ...(agent.line && { SM_LINES: log }),
      ...(agent.fake && { FAKE_LOG: log }),
    };
    const command = agent.command?.() ?? [
      path.join(binFolder(name), agent.program ?? name),
      ...(agent.args ?? []),
    ];
    const pairs = Object.entries(own).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const words = [
      'new',
      '--json',
      '--name',
      `the-${name.replace('@', '-')}`,
      '--cwd',
      this.place.cwd,
      ...(agent.smOptions ?? []),
      ...pairs,
    ];
    if (profile) words.push('--agent', profile.name);
    const session = await this.place.sm([...words, '--socket', this.place.tmuxSocket, '--', ...command]);
    this.session = JSON.parse(session);
    await this.#ready();
    const { Person } = await import(pathToFileURL(path.join(this.build.folder, 'dist/cli/demo/person.js')));
    // One row more than the window, for tmux's status line.
    const person = await Person.attach(['-S', this.place.tmuxSocket], this.session.tmux_session, {
      width: 120,
      height: 41,
      socket: this.place.personSocket,
    });
    this.typist = new Typist(person, this.random, this.agent.leastGapMs);
    await this.rest();
    if (this.doors) await this.#doorOpen();
  }

  // Its hooks may tell what it took although it has no way in that can be used in this version.
  get takesByDoor() {
    return !this.agent.doorSince || !isBefore(this.version, this.agent.doorSince);
  }

  async #doorOpen() {
    const open = async () => (await this.place.client.session(this.session.id)).door?.state === 'open';
    await until(open, 'its door to open', READY_MS);
  }

  #submissionsIn(log) {
    if (this.agent.line) return new LineSubmissions(log);
    if (this.agent.fake) return new FakeSubmissions(log);
    return new ModelSubmissions(this.model, this.agent.main);
  }

  async #ready() {
    const shown = await soon(() => this.alive() && this.agent.ready(this.screen()), READY_MS, 100);
    if (!shown) throw new Error(`${this.name} has not shown its input box:\n${this.screen()}`);
    await sleep(this.agent.settleMs);
  }

  alive() {
    const state = this.#format('#{pane_dead} #{pane_pid}');
    return state.startsWith('0 ');
  }

  #format(text) {
    try {
      return this.place.tmux('display-message', '-p', '-t', this.session.pane, text);
    } catch {
      return '';
    }
  }

  screen(...flags) {
    try {
      return this.place.tmux('capture-pane', '-p', '-t', this.session.pane, ...flags);
    } catch {
      return '';
    }
  }

  // The row that the cursor is in.
  cursorRow() {
    return this.screen().split('\n')[Number(this.#format('#{cursor_y}'))] ?? '';
  }

  daemonLog() {
    return fs.readFileSync(this.place.locations.log, 'utf8').split('\n').slice(-80).join('\n');
  }

  inMode() {
    return this.#format('#{pane_in_mode}') !== '0';
  }

  dialogOpen() {
    return this.agent.dialog?.(this.screen()) ?? false;
  }

  // No turn runs and the screen has come to rest.
  async rest(ms = 15_000) {
    let before = '';
    let since = Date.now();
    await soon(
      () => {
        const now = this.submissions.quiet ? this.screen() : '';
        if (now !== before) since = Date.now();
        before = now;
        return now !== '' && Date.now() - since > REST_MS;
      },
      ms,
      50,
    );
  }

  // What the box holds, through the person's own editor (a line editor: by submitting it). The box is empty afterwards.
  // undefined when the editor was not called.
  async takeDraft() {
    if (this.agent.line) return this.#submitDraft();
    const draft = path.join(this.place.folder, 'draft');
    const replace = path.join(this.place.folder, 'replace');
    fs.rmSync(draft, { force: true });
    fs.writeFileSync(replace, this.agent.ignoresEmpty ? 'x' : '');
    await this.typist.press(...this.agent.editorKeys);
    const called = await soon(() => fs.existsSync(draft), EDITOR_CALL_MS);
    fs.rmSync(replace, { force: true });
    if (!called) return undefined;
    await this.rest();
    if (this.agent.ignoresEmpty) {
      await this.typist.press('C-e', 'BSpace');
      await this.rest();
    }
    this.typist.box.clear();
    return fs.readFileSync(draft, 'utf8');
  }

  async #submitDraft() {
    const count = this.submissions.all().length;
    await this.typist.enter();
    await until(() => this.submissions.all().length > count, 'the line is submitted', EDITOR_CALL_MS);
    return this.submissions.all().at(-1);
  }

  async close() {
    this.model?.close();
    await this.place?.close();
  }
}

function isBefore(version, other) {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number));
  const at = a.findIndex((part, i) => part !== b[i]);
  return at >= 0 && a[at] < b[at];
}

// The person's editor: shows the proving ground what it was given, and empties it when asked to.
function writeEditor(folder) {
  const file = path.join(folder, 'editor');
  const script = `#!/bin/sh
for file; do :; done
cp "$file" "${folder}/draft.new"
if [ -f "${folder}/replace" ]; then cat "${folder}/replace" >"$file"; fi
mv "${folder}/draft.new" "${folder}/draft"
`;
  fs.writeFileSync(file, script, { mode: 0o755 });
  return file;
}
