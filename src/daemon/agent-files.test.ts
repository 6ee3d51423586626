// Files of agents that are refused keep no daemon from starting that has understood them once.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentFilesSeen, lookAtAgentFiles, openAgentFiles } from './agent-files.js';

let home: string;
let folder: string;
let good: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'sma-'));
  folder = path.join(home, 'agents');
  good = path.join(home, 'agents.good');
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

function write(name: string, yaml: string): void {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, name), yaml);
}
const open = () => {
  const { added, problem } = openAgentFiles(folder, good);
  return { titles: added.map(({ title }) => title), problem };
};

test('a bad edit keeps the last good ones, over every restart, until it is mended', () => {
  write('scribe.yaml', 'title: Scribe');
  write('jotter.yml', 'title: Jotter');
  expect(open()).toEqual({ titles: ['Jotter', 'Scribe'], problem: null });
  expect(fs.statSync(good).mode & 0o777).toBe(0o600);
  write('scribe.yaml', 'submitKey: x');
  const problem = `${folder}/scribe.yaml: submitKey "x": must be a key that types no text, such as Enter`;
  for (let starts = 0; starts < 2; starts++)
    expect(open()).toEqual({ titles: ['Jotter', 'Scribe'], problem: expect.stringContaining(problem) });
  write('scribe.yaml', 'title: Another');
  expect(open()).toEqual({ titles: ['Jotter', 'Another'], problem: null });
});

test('whatever is wrong: a first file, a folder that is none', () => {
  expect(open()).toEqual({ titles: [], problem: null });
  write('scribe.yaml', '');
  expect(open()).toEqual({ titles: [], problem: expect.stringContaining('scribe.yaml: is empty') });
  fs.rmSync(folder, { recursive: true });
  fs.writeFileSync(folder, '');
  expect(open()).toEqual({ titles: [], problem: expect.stringContaining('must be a folder of files') });
});

test('a first start with a bad file fails, and so does one whose last good ones are not understood', () => {
  write('scribe.yaml', 'submitKey: x');
  expect(open).toThrow('scribe.yaml: submitKey "x"');
  for (const kept of ['null', '{', '{"scribe.yaml":"colour: red"}']) {
    fs.writeFileSync(good, kept);
    expect(open).toThrow('scribe.yaml: submitKey "x"');
  }
});

test('as they are now, beside what was read', () => {
  write('scribe.yaml', 'title: Scribe');
  const { added } = openAgentFiles(folder, good);
  const state = () => lookAtAgentFiles(folder, added).state;
  expect(state()).toBe('same');
  write('scribe.yaml', 'title: Another');
  expect(state()).toBe('changed');
  write('scribe.yaml', 'title: 3');
  expect(lookAtAgentFiles(folder, added)).toMatchObject({
    state: 'broken',
    problem: expect.stringContaining('scribe.yaml: title 3: must be text'),
  });
  write('scribe.yaml', 'title: Scribe');
  expect(state()).toBe('same');
});

test('what was found last is told without another look', () => {
  write('scribe.yaml', 'title: Scribe');
  const seen = new AgentFilesSeen(openAgentFiles(folder, good));
  write('scribe.yaml', 'title: 3');
  expect(seen.problem).toBeNull();
  expect(seen.look().state).toBe('broken');
  expect(seen.problem).toContain('scribe.yaml: title 3: must be text');
  expect(new AgentFilesSeen(openAgentFiles(folder, good)).problem).toContain('title 3');
});
