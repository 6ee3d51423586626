// Notes on the desktop, where a program for that is installed; never through a shell.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { visibleText } from '../terminal/sanitise.js';

export interface Note {
  // What it is of, for the log.
  item: string;
  // The words of ours with which it begins, such as "from api": these programs give a meaning to some first characters.
  lead: string;
  text: string;
  urgency?: 'low' | 'normal' | 'high' | undefined;
}

interface Shown {
  text: string;
  urgency: NonNullable<Note['urgency']>;
}

const TITLE = 'Suremail';
const LEVELS = { low: 'low', normal: 'normal', high: 'critical' } as const;

// By name: what it is called with.
const PROGRAMS: Readonly<Record<string, (shown: Shown) => string[]>> = {
  'notify-send': ({ text, urgency }) => [
    '--app-name=Suremail',
    ...(urgency === 'normal' ? [] : [`--urgency=${LEVELS[urgency]}`]),
    '--',
    TITLE,
    escaped(text),
  ],
  'terminal-notifier': ({ text }) => ['-group', 'suremail', '-title', TITLE, '-message', text],
};

const MOST = 200;
const TIMEOUT_MS = 5000;

export interface DesktopNotesDeps {
  // As the daemon was started with: where programs are looked for, and how they find the desktop.
  env: NodeJS.ProcessEnv;
  log: (message: string, details: Record<string, unknown>) => void;
}

interface Waiting {
  note: Note;
  // So many that came before it, and after the last one that was shown, have no note of their own.
  others: number;
}

export class DesktopNotes {
  // What came while another was being shown; only the newest of that is shown then.
  #waiting: Waiting | undefined;
  #isShowing = false;

  constructor(readonly deps: DesktopNotesDeps) {}

  // Whether there is a program for it.
  get isPossible(): boolean {
    return findProgram(this.deps.env.PATH ?? '') !== undefined;
  }

  // One at a time, however much there is to show at once. Resolves once the program has ended and nothing waits for it; at once
  // for what has to wait itself. A note that fails is logged, and costs nothing else.
  async show(note: Note): Promise<void> {
    this.#waiting = { note, others: this.#waiting ? this.#waiting.others + 1 : 0 };
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
    const args = PROGRAMS[found.name]?.(shownOf(waiting)) ?? [];
    await new Promise<void>((resolve) => {
      execFile(found.file, args, { env, timeout: TIMEOUT_MS }, (error) => {
        if (error)
          log('desktop note failed', { program: found.name, item: waiting.note.item, code: error.code });
        resolve();
      });
    });
  }
}

const shownOf = ({ note: { lead, text, urgency = 'normal' }, others }: Waiting): Shown => ({
  text: `${visibleText(lead)}: ${beginning(visibleText(text))}${others > 0 ? ` (and ${others} more)` : ''}`,
  urgency,
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
