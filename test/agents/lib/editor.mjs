// The key that opens the external editor, and the hand-off of the draft to it as a file.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { logEvent } from './log.mjs';

const TRIM = {
  newline: (text) => text.replace(/\n$/, ''),
  newlines: (text) => text.replace(/\n+$/, ''),
  blanks: (text) => text.trimEnd(),
};

// One key or several in turn; a key that does not fit ends the chord and keeps its own meaning.
export class Chord {
  #keys;
  #at = 0;

  constructor(keys) {
    this.#keys = keys;
  }

  // 'none': not ours; 'part' and 'done': eaten, but for `rest`, text that was read with a letter of the chord.
  take(event) {
    if (this.#keys.length === 0) return { kind: 'none' };
    const found = match(event, this.#keys[this.#at]);
    if (!found) {
      if (this.#at === 0) return { kind: 'none' };
      this.#at = 0;
      return this.take(event);
    }
    this.#at = (this.#at + 1) % this.#keys.length;
    return { kind: this.#at === 0 ? 'done' : 'part', rest: found.rest };
  }
}

function match(event, key) {
  if (event.type === 'key') return event.name === key ? {} : null;
  if (event.type !== 'text' || !event.text.startsWith(key)) return null;
  const text = event.text.slice(key.length);
  return text ? { rest: { type: 'text', text } } : {};
}

// Blocks until the editor has ended, as the real ones do: what is typed meanwhile stays in the terminal.
function runEditor(draft, editorFile) {
  const file = path.join(os.tmpdir(), `${editorFile}-${randomBytes(6).toString('hex')}.md`);
  fs.writeFileSync(file, draft, { mode: 0o600 });
  logEvent('editor', { file, text: draft });
  const command = process.env.VISUAL || process.env.EDITOR || 'vi';
  const { status } = spawnSync('sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit' });
  return { file, status };
}

function takeFile(draft, { file, status }) {
  const text = status === 0 && fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : draft;
  fs.rmSync(file, { force: true });
  logEvent('edited', { text, changed: text !== draft, code: status ?? -1 });
  return text;
}

// `redraw` is called when the text is taken later than this returns.
export function editDraft(buffer, options, redraw) {
  const { editorFile, editorPlaceholder, editorTrims, editorIgnoresEmpty, editorMovesCaret, editorReads } =
    options;
  const draft = editorPlaceholder ? buffer.labelled() : buffer.expanded();
  const call = runEditor(draft, editorFile);
  const take = () => {
    const text = takeFile(draft, call);
    const trimmed = TRIM[editorTrims](text);
    // One that reads it late takes it whatever it holds.
    if (!editorReads && (text === draft || (trimmed === '' && editorIgnoresEmpty))) {
      if (editorMovesCaret) buffer.cursor = buffer.text.length;
    } else buffer.replace(trimmed);
  };
  if (!editorReads) return take();
  setTimeout(() => {
    take();
    redraw();
  }, editorReads);
}
