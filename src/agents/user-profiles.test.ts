import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GENERIC } from './profile.js';
import { readUserProfiles } from './user-profiles.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smp-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const EDITOR = "editor: { keys: [C-x, C-e], file: '*.md' }";
const read = (yaml: string) => {
  fs.writeFileSync(path.join(folder, 'scribe.yaml'), yaml);
  return readUserProfiles(folder);
};
const offered = (yaml: string): (string | undefined)[] | undefined =>
  read(yaml)[0]?.protocols.map(({ protocol }) => protocol);

test('no folder has no profiles; an empty file is the generic one under its name', () => {
  expect(readUserProfiles(path.join(folder, 'none'))).toEqual([]);
  expect(read('')).toEqual([
    { ...GENERIC, name: 'scribe', title: 'scribe', programs: ['scribe'], packages: [] },
  ]);
});

test('what it can do is offered in the usual order unless it says otherwise', () => {
  expect(offered(EDITOR)).toEqual(['direct', 'editor', 'sentinel']);
  expect(offered('stash: { key: C-s, taken: stashed }')).toEqual(['direct', 'stash', 'sentinel']);
  expect(offered(`protocols: [{ protocol: editor }]\n${EDITOR}`)).toEqual(['editor']);
  expect(offered('protocols: [{ protocol: sentinel }]')).toEqual(['sentinel']);
});

const LINE_KEYS = (start: string): string =>
  `lineKeys: { start: { key: ${start}, moves: line }, end: { key: C-e, moves: line }, killToEnd: { key: C-k, kills: line, joins: true } }`;

describe('what is wrong is refused with the file, the field, the value and what would be right', () => {
  test.each([
    ["editor: { keys: [C-x, Ctrl-E], file: '*.md' }", 'editor.keys.1 "Ctrl-E"'],
    ['stash: { key: CtrlS, taken: stashed }', 'stash.key "CtrlS"'],
    ['submitKey: Return', 'submitKey "Return"'],
    [LINE_KEYS('"^ a"'), 'lineKeys.start.key "^ a"'],
  ])('a key: %s', (yaml, field) => {
    expect(() => read(yaml)).toThrow(`scribe.yaml: ${field}: must be a key as tmux names it: C-g,`);
  });

  test.each(['editor', 'stash', 'interrupt'])('the protocol %s without its block', (protocol) => {
    expect(() => read(`protocols: [{ protocol: direct }, { protocol: ${protocol} }]`)).toThrow(
      `scribe.yaml: protocols.1.protocol "${protocol}": needs a block "${protocol}:"`,
    );
  });

  test.each([
    [
      "editor: { keys: [C-g], file: '*.md', harmsDialogs: true }",
      'scribe.yaml: cursorShownInBox: must be true',
    ],
    ['colour: red', 'scribe.yaml: the file: Unrecognized key: "colour"'],
    ['enterGapMs: -1', 'scribe.yaml: enterGapMs -1: '],
    ['a: [', 'scribe.yaml: '],
  ])('%s', (yaml, words) => {
    expect(() => read(yaml)).toThrow(words);
  });
});
