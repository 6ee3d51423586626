// An agent that a person has started by hand, in a shell of their own: it can be started again in the same pane.
import path from 'node:path';
import { binFolder, type RealAgent, sleep } from './real-agent.js';

export class ByHand {
  session = '';
  readonly #pane: string;

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

  // `stty`: one that was killed leaves the terminal as it used it.
  async start(...options: string[]): Promise<void> {
    const { stage } = this.by;
    this.#press('stty sane; clear', 'C-j');
    this.say([path.join(binFolder(this.name), this.name), ...options].join(' '));
    const screen = (): string => stage.place.tmux('capture-pane', '-p', '-t', this.#pane);
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

  #press(...keys: string[]): void {
    this.by.stage.place.tmux('send-keys', '-t', this.#pane, ...keys);
  }
}
