// A note on the desktop for each mail to a person, where a program for that is installed; never through a shell.
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

export class DesktopNotes {
  constructor(readonly deps: DesktopNotesDeps) {}

  // Resolves once the program has ended; a note that fails is logged, and costs nothing else.
  async show(row: InboxRow): Promise<void> {
    const { env, isOn, log } = this.deps;
    if (!isOn()) return;
    const found = findProgram(env.PATH ?? '');
    if (!found) return;
    const args = PROGRAMS[found.name]?.(noteOf(row)) ?? [];
    await new Promise<void>((resolve) => {
      execFile(found.file, args, { env, timeout: TIMEOUT_MS }, (error) => {
        if (error) log('desktop note failed', { program: found.name, item: row.id, code: error.code });
        resolve();
      });
    });
  }
}

// Begins with words of ours: these programs give a meaning to some first characters.
const noteOf = ({ sender_name, text }: InboxRow): Note => ({
  title: 'Suremail',
  text: `from ${visibleText(sender_name)}: ${beginning(visibleText(text))}`,
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
