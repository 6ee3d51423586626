// A scripted agent, run as a program in a pane: an input box, a busy state and a queue, as agents have; no model, no key.
import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { visible } from '../print.js';
import { edit, type Key, Keys } from './box.js';
import { paint } from './face.js';

export interface AgentScript {
  // Where it writes down what it was given: one JSON line (`AgentNote`) an event.
  log: string;
  turnMs: number;
  // To a prompt that is mail from `from` it sends `text` to `to`, this long into its turn.
  answer: { from: string; to: string; text: string; afterMs: number };
}

// `box`: the draft after a key; `submit`: a prompt, exactly as it came.
export interface AgentNote {
  kind: 'box' | 'submit';
  text: string;
}

const SPIN_MS = 100;

class ScriptedAgent {
  readonly #keys = new Keys();
  readonly #transcript: string[] = [];
  readonly #queue: string[] = [];
  #draft = '';
  #busySince: number | undefined;

  constructor(readonly script: AgentScript) {}

  run(): void {
    process.stdin.setRawMode?.(true);
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk: string) => this.#read(chunk));
    process.stdin.on('end', () => process.exit(0));
    process.stdout.on('resize', () => this.#paint());
    // A pane that was closed is no reason for a stack trace.
    process.stdout.on('error', () => process.exit(0));
    process.stdout.write('\x1b[?2004h');
    this.#paint();
    setInterval(() => this.#busySince !== undefined && this.#paint(), SPIN_MS);
  }

  #read(chunk: string): void {
    for (const key of this.#keys.push(chunk)) this.#press(key);
    this.#paint();
  }

  #press(key: Key): void {
    if (key.kind === 'interrupt') process.exit(0);
    if (key.kind === 'enter') this.#submit();
    else {
      this.#draft = key.kind === 'editor' ? this.#edited() : edit(this.#draft, key);
      this.#note({ kind: 'box', text: this.#draft });
    }
  }

  // As agents do on Ctrl-G: the draft as a file for the editor that the environment names.
  #edited(): string {
    const file = `${this.script.log}.prompt.md`;
    writeFileSync(file, this.#draft, { mode: 0o600 });
    spawnSync('sh', ['-c', `\${VISUAL:-\${EDITOR:-true}} "$1"`, 'sh', file], { stdio: 'inherit' });
    const text = readFileSync(file, 'utf8').replace(/\n$/, '');
    rmSync(file);
    return text;
  }

  #submit(): void {
    const text = this.#draft;
    if (text === '') return;
    this.#draft = '';
    this.#note({ kind: 'submit', text });
    if (this.#busySince === undefined) this.#begin(text);
    else this.#queue.push(text);
  }

  #begin(text: string): void {
    const { turnMs, answer } = this.script;
    this.#busySince = Date.now();
    this.#say(...text.split('\n').map((line, n) => (n ? `  ${line}` : `> ${line}`)));
    if (text.startsWith(`[Input from: ${answer.from} `)) setTimeout(() => this.#answer(), answer.afterMs);
    setTimeout(() => this.#end(), turnMs);
  }

  #end(): void {
    this.#say('* done');
    this.#busySince = undefined;
    const next = this.#queue.shift();
    if (next !== undefined) this.#begin(next);
    this.#paint();
  }

  // As any program in a session does: by running `sm`, without saying who it is.
  #answer(): void {
    const { to, text } = this.script.answer;
    this.#say(`* runs: sm send ${to} "${text.replace(/\n.*/s, ' …')}"`);
    execFile('sm', ['send', to, text], (error, stdout, stderr) => {
      this.#say(
        ...(error ? stderr || error.message : stdout)
          .trim()
          .split('\n')
          .map((line) => `  ${visible(line)}`),
      );
      this.#paint();
    });
  }

  #say(...lines: string[]): void {
    this.#transcript.push(...lines);
  }

  #note(note: AgentNote): void {
    appendFileSync(this.script.log, `${JSON.stringify(note)}\n`);
  }

  #paint(): void {
    const { columns = 80, rows = 24 } = process.stdout;
    const face = {
      transcript: this.#transcript,
      draft: this.#draft,
      busyMs: this.#busySince === undefined ? undefined : Date.now() - this.#busySince,
      queued: this.#queue.length,
    };
    process.stdout.write(paint(face, { columns, rows }));
  }
}

new ScriptedAgent(JSON.parse(process.argv[2] ?? '') as AgentScript).run();
