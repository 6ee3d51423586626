// A fake agent whose draft is put in and read out as it really is: by a paste, and by asking the agent itself.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Look, takeLook } from '../../src/composer/look.js';
import type { Pane } from '../../src/tmux/index.js';
import { fakeAgent, type TestTmux, until } from './tmux.js';

interface LogLine {
  ev: string;
  text?: string;
  caret?: number;
}

export class Drafted {
  static readonly #folders: string[] = [];

  // Once the server is gone: an agent has written its last line when its log says so.
  static async cleanUp(): Promise<void> {
    for (const folder of Drafted.#folders.splice(0)) {
      const log = path.join(folder, 'agent.jsonl');
      const hasEnded = (): boolean => fs.readFileSync(log, 'utf8').includes('"exit"');
      await until(hasEnded, 'the fake agent to end', 5000).catch(() => {});
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }

  #asked = 0;

  private constructor(
    readonly pane: Pane,
    readonly log: string,
    readonly pid: number,
    readonly look: Look,
  ) {}

  static async start(
    tmux: TestTmux,
    args: readonly string[] = [],
    { program = 'box', width = 100, height = 30, env = {} as Record<string, string> } = {},
  ): Promise<Drafted> {
    // Not in the server's folder: an agent writes its last line while that is removed.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smt-log-'));
    Drafted.#folders.push(folder);
    const log = path.join(folder, 'agent.jsonl');
    const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const command = [`FAKE_LOG=${log}`, ...words, process.execPath, fakeAgent(program), ...args];
    const pane = await tmux.pane(command, { width, height });
    const lines = (): string => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '');
    await until(() => lines().includes('"ready"'), 'the fake agent to be ready');
    // Its first paint may come after its log.
    await pane.waitForGap(50, 1000);
    const view = await pane.view();
    return new Drafted(pane, log, view.pid, takeLook(view));
  }

  // Whole lines only: the last one may be on its way.
  #lines(): LogLine[] {
    return fs
      .readFileSync(this.log, 'utf8')
      .split('\n')
      .slice(0, -1)
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LogLine);
  }

  events(name: string): number {
    return this.#lines().filter(({ ev }) => ev === name).length;
  }

  submissions(): string[] {
    return this.#lines().flatMap(({ ev, text }) => (ev === 'submit' ? [text ?? ''] : []));
  }

  // What the box holds, by the agent's own word, once all that was pressed before is done.
  async truth(): Promise<{ text: string; caret: number }> {
    await this.pane.waitForGap(15, 500);
    const wanted = ++this.#asked;
    process.kill(this.pid, 'SIGUSR2');
    const drafts = () => this.#lines().filter(({ ev }) => ev === 'draft');
    await until(() => drafts().length >= wanted, 'the agent to tell its draft');
    const { text = '', caret = 0 } = drafts()[wanted - 1] as LogLine;
    return { text, caret };
  }

  // Puts a draft in, as pasted at once, and moves the caret `back` presses from its end.
  async put(text: string, back = 0): Promise<{ text: string; caret: number }> {
    if (text !== '') await this.pane.paste(text);
    for (let left = back; left > 0; left -= 50)
      await this.pane.press(Array.from({ length: Math.min(left, 50) }, () => 'Left'));
    await until(async () => (await this.truth()).text === text, 'the draft to be in the box', 5000);
    return this.truth();
  }

  async clear(): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      if ((await this.truth()).text === '') return;
      const keys = ['C-e', ...Array.from({ length: 60 }, () => 'Right')];
      await this.pane.press(keys);
      await this.pane.press(Array.from({ length: 200 }, () => 'BSpace'));
    }
  }

  async enter(): Promise<void> {
    const before = this.submissions().length;
    await this.pane.press(['Enter']);
    await until(() => this.submissions().length > before, 'the submission');
  }
}
