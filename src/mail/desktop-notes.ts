// Notes on the desktop of mail to a person, where a program for that is installed; never through a shell.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { InboxRow } from '../store/index.js';
import { visibleText } from '../terminal/sanitise.js';

interface Note {
  title: string;
  text: string;
}

// By name: what it is called with.
const PROGRAMS: Readonly<Record<string, (note: Note) => string[]>> = {
  'notify-send': ({ title, text }) => ['--app-name=Suremail', '--', title, escaped(text)],
  'terminal-notifier': ({ title, text }) => ['-group', 'suremail', '-title', title, '-message', text],
};

const MOST = 200;
const TIMEOUT_MS = 5000;

export interface DesktopNotesDeps {
  // As the daemon was started with: where programs are looked for, and how they find the desktop.
  env: NodeJS.ProcessEnv;
  isOn: () => boolean;
  log: (message: string, details: Record<string, unknown>) => void;
}

interface Waiting {
  row: InboxRow;
  // So many that came before it, and after the last one that was shown, have no note of their own.
  others: number;
}

export class DesktopNotes {
  // What came while another was being shown; only the newest of that is shown then.
  #waiting: Waiting | undefined;
  #isShowing = false;

  constructor(readonly deps: DesktopNotesDeps) {}

  // One at a time, however much mail comes at once. Resolves once the program has ended and nothing waits for it; at once for
  // what has to wait itself. A note that fails is logged, and costs nothing else.
  async show(row: InboxRow): Promise<void> {
    if (!this.deps.isOn()) return;
    this.#waiting = { row, others: this.#waiting ? this.#waiting.others + 1 : 0 };
    if (this.#isShowing) return;
    this.#isShowing = true;
    try {
      for (let next = this.#take(); next; next = this.#take()) await this.#run(next);
    } finally {
      this.#isShowing = false;
    }
  }

  #take(): Waiting | undefined {
    const next = this.#waiting;
    this.#waiting = undefined;
    return next;
  }

  async #run(waiting: Waiting): Promise<void> {
    const { env, log } = this.deps;
    const found = findProgram(env.PATH ?? '');
    if (!found) return;
    const args = PROGRAMS[found.name]?.(noteOf(waiting)) ?? [];
    await new Promise<void>((resolve) => {
      execFile(found.file, args, { env, timeout: TIMEOUT_MS }, (error) => {
        if (error)
          log('desktop note failed', { program: found.name, item: waiting.row.id, code: error.code });
        resolve();
      });
    });
  }
}

// Begins with words of ours: these programs give a meaning to some first characters.
const noteOf = ({ row: { sender_name, text }, others }: Waiting): Note => ({
  title: 'Suremail',
  text: `from ${visibleText(sender_name)}: ${beginning(visibleText(text))}${others > 0 ? ` (and ${others} more)` : ''}`,
});

const beginning = (text: string): string => {
  const letters = [...text];
  return letters.length > MOST ? `${letters.slice(0, MOST).join('')}…` : text;
};

// Most desktops read the text of a note as markup.
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function findProgram(searchPath: string): { name: string; file: string } | undefined {
  for (const name of Object.keys(PROGRAMS))
    for (const folder of searchPath.split(path.delimiter)) {
      const file = path.join(folder, name);
      if (path.isAbsolute(file) && isExecutable(file)) return { name, file };
    }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
