// The texts behind bells: each a file that the UserPromptSubmit hook prints as it is, when a prompt rings with its id.
import fs from 'node:fs';
import path from 'node:path';

export class Bells {
  readonly folder: string;

  // As the hook knows it.
  constructor(doorFolder: string) {
    this.folder = path.join(doorFolder, 'UserPromptSubmit.for');
  }

  // On disk when this returns: whoever types the bell may be gone the moment after.
  put(id: string, text: string): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext: text };
    const temporary = path.join(this.folder, `.${id}`);
    // What a daemon that died left of it has the wrong length.
    const file = fs.openSync(temporary, 'w', 0o600);
    try {
      fs.writeFileSync(file, `${JSON.stringify({ hookSpecificOutput })}\n`);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temporary, this.#at(id));
    syncFolder(this.folder);
  }

  // Since when it is there; undefined where it is not.
  since(id: string): number | undefined {
    return fs.statSync(this.#at(id), { throwIfNoEntry: false })?.mtimeMs;
  }

  // Only once the agent's own record shows it, or it is certain that it never will.
  forget(id: string): void {
    fs.rmSync(this.#at(id), { force: true });
  }

  #at(id: string): string {
    return path.join(this.folder, id);
  }
}

function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
