// The scripted agents of test/agents as subjects of a soak: quick to start, and without a mind of their own.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../build-copy.mjs';

const PROFILE = `programs: []
protocols: [{ protocol: direct }, { protocol: editor }]
editor: { keys: [C-g], file: '*/fake-prompt-*.md', quietMs: 20, enterGapMs: 20, submittedMs: 20, restoredMs: 20, caretMoves: code_point }
pace: { stepMs: 3, enterMs: 60 }
`;

const fake = (title, ...args) => ({
  title,
  version: () => 'scripted',
  command: () => [process.execPath, path.join(ROOT, 'test/agents/box.mjs'), '--editor', 'C-g', ...args],
  fake: true,
  profile: { name: 'fake-editor', yaml: PROFILE },
  ready: (screen) => screen.includes('>'),
  settleMs: 500,
  editorKeys: ['C-g'],
});

export const FAKES = {
  'fake-box': fake('a scripted box'),
  'fake-busy': fake('a scripted box that works', '--busy', '150', '--alt'),
};

// What a scripted agent took, by its own log.
export class FakeSubmissions {
  #before = 0;

  constructor(file) {
    this.file = file;
  }

  #all() {
    if (!fs.existsSync(this.file)) return [];
    const lines = fs.readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).filter(({ ev }) => ev === 'submit');
  }

  mark() {
    this.#before = this.#all().length;
  }

  fresh() {
    return this.#all()
      .slice(this.#before)
      .map(({ text }) => text);
  }

  arrival(mark) {
    return this.#all().find(({ text }) => text.includes(mark))?.t;
  }

  request() {
    return undefined;
  }

  quiet = true;
}
