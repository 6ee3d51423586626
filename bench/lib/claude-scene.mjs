// Several Claude Codes of the same kind in one tmux server: some known to a daemon, all with one stand-in model behind them.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Person } from '../../dist/cli/demo/person.js';
import { Pane, TmuxServer } from '../../dist/tmux/index.js';
import { closeLater, ROOT } from './place.mjs';
import { sleep, until } from './wait.mjs';

const CONFORMANCE = fileURLToPath(new URL('../../test/conformance/', import.meta.url));
const READY_MS = 60_000;
// A screen that has not changed for so long, with no request open, has ended its turn: spinners turn faster.
const REST_MS = 400;
const TURN_MS = 20_000;
const LOOK_MS = 50;
const SIZE = { width: 120, height: 40 };

// The parts of the conformance suite that start a real agent without a network; or why there are none.
async function parts() {
  if (!fs.existsSync(path.join(CONFORMANCE, 'place.mjs')))
    return { missing: 'the conformance suite is not part of this copy' };
  const names = ['packages', 'agents', 'place', 'model-server', 'submissions', 'typist', 'random'];
  const loaded = await Promise.all(names.map((name) => import(path.join(CONFORMANCE, `${name}.mjs`))));
  const all = Object.assign({}, ...loaded);
  const program = path.join(all.binFolder('claude'), 'claude');
  if (!fs.existsSync(program))
    return { missing: 'Claude Code is not installed; "npm run conformance -- claude --quick" installs it' };
  return { ...all, program };
}

export class ClaudeScene {
  #people = [];
  #leases = [];

  // {scene} or {missing}.
  static async open() {
    const { missing, ...all } = await parts();
    if (missing) return { missing };
    const scene = new ClaudeScene();
    scene.parts = all;
    scene.version = all.PACKAGES.claude.version;
    closeLater(scene);
    scene.place = await all.Place.open({ folder: ROOT });
    scene.model = await all.ModelServer.start(path.join(scene.place.folder, 'model.jsonl'));
    const agent = all.AGENTS.claude;
    scene.submissions = new all.ModelSubmissions(scene.model, agent.main);
    scene.agent = agent;
    const context = { url: scene.model.url, cwd: scene.place.cwd, version: scene.version };
    scene.env = agent.env(context);
    scene.place.write(scene.place.home, agent.files(context));
    scene.server = new TmuxServer({ kind: 'path', path: scene.place.tmuxSocket });
    return { scene };
  }

  get client() {
    return this.place.client;
  }

  // By `sm new`, with the editor that hands drafts over.
  async started(name) {
    const { program } = this.parts;
    const request = { command: [program], name, cwd: this.place.cwd, env: this.env, ...SIZE };
    const session = await this.client.start({ ...request, socket: this.place.tmuxSocket });
    await this.#ready(session.pane);
    return session;
  }

  // Known to no daemon.
  async bare() {
    const { program } = this.parts;
    const pairs = Object.entries(this.env).map(([key, value]) => `${key}=${value}`);
    const size = ['-x', String(SIZE.width), '-y', String(SIZE.height), '-c', this.place.cwd];
    const wanted = ['-P', '-F', '#{session_id} #{pane_id}', '--', 'env', ...pairs, program];
    const [session, pane] = this.place.tmux('new-session', '-d', ...size, ...wanted).split(' ');
    await this.#ready(pane);
    return { session, pane };
  }

  // Started without us, so that no editor of ours is in it.
  async adopted(name) {
    const { pane } = await this.bare();
    return this.client.adopt({ target: pane, name, socket: this.place.tmuxSocket });
  }

  // One control-mode connection, kept.
  async link({ session, pane }) {
    const lease = this.server.lease(session);
    this.#leases.push(lease);
    await lease.link.ready();
    return new Pane(lease.link, pane);
  }

  // A person at a terminal, who leaves these lines in the box with the caret so far from the end.
  async seat({ name, pane, tmux_session: target }, lines = [], lefts = 0) {
    const { Typist, seeded } = this.parts;
    const person = await Person.attach(['-S', this.place.tmuxSocket], target, {
      width: SIZE.width,
      // One row more than the window, for tmux's status line.
      height: SIZE.height + 1,
      socket: path.join(this.place.folder, `person-${name}`),
    });
    this.#people.push(person);
    const typist = new Typist(person, seeded(1));
    for (const [i, line] of lines.entries()) {
      if (i > 0) await typist.edit('C-j');
      await typist.type(line);
    }
    await typist.edit('Left', lefts);
    await this.rest(pane);
    return person;
  }

  // The agent may show a message before the attempt has put the draft back.
  attempted(id) {
    const ended = async () => {
      const message = await this.client.message(id);
      return message.state === 'attempting' ? undefined : message;
    };
    return until(ended, `the attempt at ${id} ends`, TURN_MS, LOOK_MS);
  }

  screen(pane) {
    return this.place.tmux('capture-pane', '-p', '-t', pane);
  }

  // When the request that holds the mark was at the model. The model notes the time itself: no hurry to look.
  arrival(mark) {
    return until(() => this.submissions.arrival(mark), `${mark} is at the model`, TURN_MS, LOOK_MS);
  }

  // The turn is over and the screen has come to rest.
  async rest(pane) {
    let before = '';
    let since = Date.now();
    const look = () => {
      const now = this.submissions.quiet ? this.screen(pane) : '';
      if (now !== before) since = Date.now();
      before = now;
      return now !== '' && Date.now() - since > REST_MS;
    };
    await until(look, 'the turn is over', TURN_MS, LOOK_MS);
  }

  close() {
    this.closing ??= (async () => {
      for (const lease of this.#leases) lease.dispose();
      await Promise.all(this.#people.map((person) => person.leave()));
      this.model?.close();
      await this.place?.close();
    })();
    return this.closing;
  }

  async #ready(pane) {
    await until(() => this.agent.ready(this.screen(pane)), 'it shows its input box', READY_MS, 100);
    await sleep(this.agent.settleMs);
  }
}
