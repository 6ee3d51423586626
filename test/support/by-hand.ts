// An agent that a person has started by hand, in a shell of their own: it can be started again in the same pane.
import path from 'node:path';
import { binFolder, type RealAgent, sleep } from './real-agent.js';

export class ByHand {
  session = '';
  readonly #pane: string;
  #starts = 0;

  constructor(
    readonly by: RealAgent,
    readonly name: string,
  ) {
    const { place, agent, model, version } = by.stage;
    const env = Object.entries(agent.env({ url: model.url, cwd: place.cwd, version }));
    const pairs = env.flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const where = ['-d', '-t', 'keep', '-c', place.cwd, '-P', '-F', '#{pane_id}'];
    this.#pane = place.tmux('new-window', ...where, ...pairs, 'sh');
  }

  // One that was killed leaves the terminal as it used it, where Enter ends no line, and its box on the screen.
  async start(...options: string[]): Promise<void> {
    const { stage } = this.by;
    const screen = (): string => stage.place.tmux('capture-pane', '-p', '-t', this.#pane);
    const mark = `start ${++this.#starts}`;
    this.#run(`stty sane; clear; echo ${mark}`);
    await this.by.eventually(() => screen().startsWith(`${mark}\n`), 'its shell is there', screen);
    this.#run([path.join(binFolder(this.name), this.name), ...options].join(' '));
    await this.by.eventually(() => stage.agent.ready(screen()), 'it is started', screen);
    await sleep(stage.agent.settleMs);
  }

  async adopt(): Promise<void> {
    const { place } = this.by.stage;
    const words = ['--json', '--empty', '--name', 'by-hand', '--socket', place.tmuxSocket];
    this.session = JSON.parse(await place.sm(['adopt', this.#pane, ...words])).id;
  }

  say(text: string): void {
    this.#press('-l', text);
    this.#press('Enter');
  }

  // A command of the shell.
  #run(line: string): void {
    this.#press('-l', line);
    this.#press('C-j');
  }

  #press(...keys: string[]): void {
    this.by.stage.place.tmux('send-keys', '-t', this.#pane, ...keys);
  }
}
