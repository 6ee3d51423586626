import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GENERIC } from './profile.js';
import { ignoredFiles, readUserProfiles } from './user-profiles.js';

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

test('no folder has no profiles; what a file does not say is as in the generic one', () => {
  expect(readUserProfiles(path.join(folder, 'none'))).toEqual([]);
  expect(read('title: Scribe')).toEqual([
    { ...GENERIC, name: 'scribe', title: 'Scribe', programs: ['scribe'], packages: [] },
  ]);
});

test('a file may end in .yml; others are ignored, and named', () => {
  for (const name of ['b.yml', 'c.json', '.d.yaml']) fs.writeFileSync(path.join(folder, name), 'title: B');
  expect(readUserProfiles(folder).map(({ name }) => name)).toEqual(['b']);
  expect(ignoredFiles(folder)).toEqual([path.join(folder, 'c.json')]);
});

test('what it can do is offered in the usual order unless it says otherwise', () => {
  expect(offered(EDITOR)).toEqual(['direct', 'editor', 'sentinel']);
  expect(offered('stash: { key: C-s, taken: stashed }')).toEqual(['direct', 'stash', 'sentinel']);
  expect(offered(`protocols: [{ protocol: editor }]\n${EDITOR}`)).toEqual(['editor']);
  expect(offered('protocols: [{ protocol: sentinel }]')).toEqual(['sentinel']);
});

test('the word that names a file of MCP servers', () => {
  expect(read("mcp: { option: '--servers={file}' }")[0]?.mcp).toEqual({
    how: 'file',
    option: '--servers={file}',
  });
  expect(() => read('mcp: { option: --servers }')).toThrow('mcp.option "--servers": must hold {file}');
  expect(() => read("mcp: { option: '{file}', opt: x }")).toThrow('the keys of mcp are option');
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
    ['colour: red', 'scribe.yaml: colour: there is no such key; the keys are title, programs, packages,'],
    [
      'stash: { key: C-s, taken: x, x: 1 }',
      'stash.x: there is no such key; the keys of stash are key, taken',
    ],
    [
      'protocols: [{ protocol: direct, from: 1 }]',
      'protocols.0.from: there is no such key; the keys of protocols.0 are protocol, since, not',
    ],
    ['enterGapMs: -1', 'scribe.yaml: enterGapMs -1: must be milliseconds, a whole number from 0 to 60000'],
    ['enterGapMs:', 'scribe.yaml: enterGapMs: has no value; must be milliseconds'],
    ['title: 3', 'scribe.yaml: title 3: must be text'],
    ['programs: scribe', 'scribe.yaml: programs "scribe": must be a list, such as [scribe]'],
    ['editor: { keys: [C-g] }', 'scribe.yaml: editor.file: is required, such as "file: \'*/scribe'],
    ["editor: { keys: [], file: '*.md' }", 'editor.keys: must be a list of keys, such as [C-g]'],
    ['editor: C-g', 'editor "C-g": must be a block of keys, such as { keys: [C-g], file: '],
    [
      'lineKeys: { start: C-a }',
      'lineKeys.start "C-a": must be a block of keys, such as { key: C-a, moves: line }',
    ],
    ['interruptKeys: Escape', 'interruptKeys "Escape": must be a list of keys, such as [Escape]'],
    ['programs: [/opt/bin/scribe]', 'programs.0 "/opt/bin/scribe": must be the name alone, without folder'],
    [
      'programs: [scribe.mjs]',
      'programs.0 "scribe.mjs": must be the name alone, without folder or ending, such as scribe',
    ],
    [
      'programs: [scribe, claude]',
      'programs "claude": belongs to the agent "claude" already; leave it out, or put',
    ],
    [
      "editor: { keys: [C-g], file: '*.md', trims: all }",
      'trims "all": must be nothing, newline, newlines or',
    ],
    ['lineKeys: {}', 'lineKeys.start: is required, such as "start: { key: C-a, moves: line }"'],
    ['protocols: []', 'protocols: must be a list of at least one, such as [{ protocol: direct }]'],
    ['protocols: [direct]', 'protocols.0 "direct": must be a block: { protocol: direct }'],
    [
      'protocols: [{ protocol: fly }]',
      'protocols.0.protocol "fly": must be direct, editor, stash, sentinel or',
    ],
    [
      'protocols: [{ protocol: direct }, { protocol: direct }]',
      'protocols.1.protocol "direct": is there twice',
    ],
    [
      'packages: [x]\nprotocols: [{ protocol: direct, since: abc }]',
      'since "abc": must be a version of three',
    ],
    ['packages: [x]\nprotocols: [{ protocol: direct, not: [1.5] }]', 'not.0 1.5: must be a version of three'],
    ['protocols: [{ protocol: direct, since: 1.4.0 }]', 'protocols.0.since "1.4.0": needs "packages:"'],
    ['protocols: [{ protocol: direct, not: [1.4.0] }]', 'protocols.0.not: needs "packages:"'],
    ['a: [', 'scribe.yaml: is no valid YAML: line 1: '],
    ['', 'scribe.yaml: is empty; must say something of the agent, such as "title: Scribe"'],
    ['# nothing', 'scribe.yaml: is empty'],
    ['just words', 'scribe.yaml: must hold lines of the form "key: value"'],
  ])('%s', (yaml, words) => {
    expect(() => read(yaml)).toThrow(words);
  });

  test.each([
    ["editor: { keys: [e], file: '*.md' }", 'editor.keys.0 "e": would be typed into the draft', '[C-x, e]'],
    ["editor: { keys: [S-e], file: '*.md' }", 'editor.keys.0 "S-e"', 'types no text'],
    ["editor: { keys: [Enter], file: '*.md' }", 'editor.keys.0 "Enter"', 'submits nothing'],
    ['stash: { key: s, taken: stashed }', 'stash.key "s"', 'types no text, such as C-g'],
    ['stash: { key: Space, taken: stashed }', 'stash.key "Space"', 'types no text'],
    ['submitKey: x', 'submitKey "x"', 'such as Enter'],
    [LINE_KEYS('a'), 'lineKeys.start.key "a"', 'types no text'],
  ])('a key that only types: %s', (yaml, field, right) => {
    expect(() => read(yaml)).toThrow(`scribe.yaml: ${field}`);
    expect(() => read(yaml)).toThrow(right);
  });

  test('a chord may go on with a letter', () => {
    expect(read("editor: { keys: [C-x, e], file: '*.md' }")[0]?.editor?.keys).toEqual(['C-x', 'e']);
  });

  test.each([
    ['Bad Name.yaml', 'the name "Bad Name" is no name of an agent'],
    ['generic.yaml', '"generic" is what programs without a profile have'],
  ])('the name %s', (name, words) => {
    fs.writeFileSync(path.join(folder, name), 'title: X');
    expect(() => readUserProfiles(folder)).toThrow(`${path.join(folder, name)}: ${words}`);
  });

  test.each(['retakes', 'removesFile'])('opensBehindEnter together with %s', (field) => {
    expect(() =>
      read(`editor: { keys: [C-g], file: '*.md', opensBehindEnter: true, ${field}: true }`),
    ).toThrow(
      `editor.opensBehindEnter true: must be false where editor.${field} is true: an agent that takes the file back`,
    );
  });

  test('letters that are not waited for, where nothing else is waited for either', () => {
    expect(read('pace: { stepMs: 12, enterMs: 150, echoMs: 400, textMs: 8 }')[0]?.pace.textMs).toBe(8);
    expect(() => read('pace: { stepMs: 12, enterMs: 150, textMs: 8 }')).toThrow(
      'scribe.yaml: pace.textMs 8: needs "echoMs:" beside it, such as echoMs: 400: keys that edit wait',
    );
    expect(() => read('pace: { stepMs: 12, enterMs: 150, echoMs: 400, textMs: 2000 }')).toThrow(
      'pace.textMs 2000: must be milliseconds, 0 to 1000',
    );
  });

  test('a program of two files; one of a built-in agent by its name, and none at all, are meant so', () => {
    fs.writeFileSync(path.join(folder, 'jotter.yaml'), 'programs: [scribe]');
    expect(() => read('title: X')).toThrow(
      'scribe.yaml: programs "scribe": belongs to the agent "jotter" already',
    );
    fs.writeFileSync(path.join(folder, 'jotter.yaml'), 'programs: []');
    fs.writeFileSync(path.join(folder, 'claude.yaml'), 'programs: [claude, my-claude]');
    expect(read('title: X')).toHaveLength(3);
  });

  test('a folder, a folder that is a file, two files for one agent', () => {
    fs.mkdirSync(path.join(folder, 'dir.yaml'));
    expect(() => readUserProfiles(folder)).toThrow('dir.yaml: is a folder; must be a file');
    fs.rmdirSync(path.join(folder, 'dir.yaml'));
    for (const name of ['b.yaml', 'b.yml']) fs.writeFileSync(path.join(folder, name), 'title: B');
    expect(() => readUserProfiles(folder)).toThrow('b.yml: there is a second file for the agent "b"');
    expect(() => readUserProfiles(path.join(folder, 'b.yml'))).toThrow('b.yml: must be a folder');
  });
});
