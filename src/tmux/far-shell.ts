// A POSIX shell on another machine that runs one small script after the other and tells what each printed.
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { shellWord } from './shell-words.js';

export interface ShellResult {
  code: number;
  stdout: string;
  stderr: string;
}

interface Job {
  number: number;
  resolve(result: ShellResult): void;
  reject(error: Error): void;
  deadline: NodeJS.Timeout;
}

// A shell that has not answered by then is as good as gone.
const DEADLINE_MS = 20_000;

export class FarShell {
  readonly #mark = `sm${randomBytes(9).toString('hex')}`;
  readonly #jobs: Job[] = [];
  #out = Buffer.alloc(0);
  #err = Buffer.alloc(0);
  #count = 0;
  #ended: Error | undefined;

  // `silent`: called when a script is not answered in time.
  constructor(
    readonly child: ChildProcess,
    readonly silent: () => void,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#out = Buffer.concat([this.#out, chunk]);
      this.#settle();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#err = Buffer.concat([this.#err, chunk]);
      this.#settle();
    });
    // Writing to one that has just ended is answered by its end.
    child.stdin?.on('error', () => {});
  }

  // What it has said that belongs to no script: why it did not come up, say.
  get complaint(): string {
    return this.#err.toString('utf8');
  }

  // All are written at once and answered in their order: many cost one round trip.
  run(script: string, deadlineMs = DEADLINE_MS): Promise<ShellResult> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      const number = ++this.#count;
      const deadline = setTimeout(() => this.silent(), deadlineMs);
      this.#jobs.push({ number, resolve, reject, deadline });
      const [begin, end] = [this.#begin(number), this.#end(number)];
      this.child.stdin?.write(
        `echo ${begin}; ( eval ${shellWord(script)} ) </dev/null; sm=$?; ` +
          `printf '\\n%s %s\\n' ${end} $sm; printf '\\n%s\\n' ${end} >&2\n`,
      );
    });
  }

  end(error: Error): void {
    this.#ended ??= error;
    for (const { reject, deadline } of this.#jobs.splice(0)) {
      clearTimeout(deadline);
      reject(error);
    }
  }

  #begin(number: number): string {
    return `${this.#mark}-b${number}`;
  }

  #end(number: number): string {
    return `${this.#mark}-e${number}`;
  }

  #settle(): void {
    for (let job = this.#jobs[0]; job; job = this.#jobs[0]) {
      const end = this.#end(job.number);
      const outEnd = this.#out.indexOf(`\n${end} `);
      const lineEnd = this.#out.indexOf('\n', outEnd + 1);
      const errEnd = this.#err.indexOf(`\n${end}\n`);
      if (outEnd < 0 || lineEnd < 0 || errEnd < 0) return;
      // What the login shell of the user printed by itself stands before it.
      const begin = `${this.#begin(job.number)}\n`;
      const from = this.#out.indexOf(begin) + begin.length;
      const result = {
        code: Number(this.#out.subarray(outEnd + end.length + 2, lineEnd).toString('latin1')),
        stdout: this.#out.subarray(from, Math.max(from, outEnd)).toString('utf8'),
        stderr: this.#err.subarray(0, errEnd).toString('utf8'),
      };
      this.#out = this.#out.subarray(lineEnd + 1);
      this.#err = this.#err.subarray(errEnd + end.length + 2);
      this.#jobs.shift();
      clearTimeout(job.deadline);
      job.resolve(result);
    }
  }
}
