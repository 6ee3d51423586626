// The configuration file: what it sets, what it refuses, and in which words.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GENERIC, Profiles } from '../agents/index.js';
import { DEFAULT_CONFIG, pastDraftOf } from '../mail/config.js';
import { configValues, freshness, loadConfig } from './config.js';

const profiles = new Profiles();
let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smc-'));
  file = path.join(folder, 'config.yaml');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const load = (text: string) => {
  fs.writeFileSync(file, text);
  return loadConfig(file, profiles);
};

test('no file, an empty one and one of comments set nothing', () => {
  expect(loadConfig(file, profiles)).toMatchObject({ config: DEFAULT_CONFIG, source: null });
  for (const text of ['', '\n', '# nothing yet\n', '---\n'])
    expect(load(text)).toMatchObject({ config: DEFAULT_CONFIG, source: text });
});

test.each([
  ['input_stale_timeout: 90', { inputStaleMs: 90_000 }],
  ['input_stale_timeout: 2m', { inputStaleMs: 120_000 }],
  ['input_stale_timeout: "1.5h"', { inputStaleMs: 5_400_000 }],
  ['typing_pause: 1.5', { typingPauseMs: 1500 }],
  ['past_draft: never', { pastDraft: 'never' }],
  ['hold_max: 800ms', { holdMaxMs: 800 }],
  ['tell_person: false', { tellPerson: false }],
  ['draft_retention: 7d', { draftRetentionMs: 7 * 86_400_000 }],
  ['interrupt_and_diff: [claude]', { interruptAndDiff: ['claude'] }],
  ['interrupt_and_diff: []', {}],
])('%s', (text, change) => expect(load(text).config).toEqual({ ...DEFAULT_CONFIG, ...change }));

describe('one sentence names the key, the value and what would be right', () => {
  test.each([
    ['past_draft: sometimes', 'past_draft "sometimes": must be auto, now, stale or never'],
    ['past_draft:', 'past_draft: has no value; must be auto, now, stale or never, or take the line out'],
    ['input_stale_timeout: soon', 'input_stale_timeout "soon": must be seconds, or a time such as'],
    ['input_stale_timeout: 0', 'input_stale_timeout "0": must be seconds, or a time such as'],
    ['typing_pause: -2', 'typing_pause "-2": must be'],
    ['typing_pause: .nan', 'typing_pause'],
    ['hold_max: 2m', 'from 500ms to 10s'],
    ['tell_person: "yes"', 'tell_person "yes": must be true or false'],
    // Thirty what?
    ['draft_retention: 30', 'draft_retention "30": must be a time such as "12h" or "30d"'],
    ['interrupt_and_diff: claude', 'interrupt_and_diff "claude": must be a list of names of agents'],
    ['interrupt_and_diff: [cluade]', 'interrupt_and_diff "cluade": must be an agent whose profile offers'],
    ['interrupt_and_diff: [generic]', 'interrupt_and_diff "generic": must be an agent whose profile offers'],
    [
      'interrupt_and_diff: [claude, bash]',
      'interrupt_and_diff "bash": must be an agent whose profile offers the protocol interrupt: claude, codex,',
    ],
    ['past_drafts: never', 'there is no key "past_drafts"; the keys are input_stale_timeout, typing_pause,'],
    ['toString: never', 'there is no key "toString"'],
    ['- past_draft', 'must hold lines of the form "key: value"'],
    ['just words', 'must hold lines of the form "key: value"'],
    ['tell_person: true\npast_draft: [', 'is no valid YAML: line'],
    ['tell_person: true\ntell_person: false', 'is no valid YAML: line 2'],
  ])('%j', (text, words) => {
    const act = (): unknown => load(text);
    expect(act).toThrow(words);
    expect(act).toThrow(file);
    expect(act).not.toThrow(/\n/);
  });

  test('a file that cannot be read', () => {
    fs.mkdirSync(file);
    expect(() => loadConfig(file, profiles)).toThrow(/config\.yaml cannot be read: /);
  });
});

test('an agent of the user that offers it may be interrupted', () => {
  const scribe = { ...GENERIC, name: 'scribe', protocols: [{ protocol: 'interrupt' as const }] };
  fs.writeFileSync(file, 'interrupt_and_diff: [scribe]');
  expect(loadConfig(file, new Profiles([scribe])).config.interruptAndDiff).toEqual(['scribe']);
});

test('the values as one would write them, and where each comes from', () => {
  const values = configValues(load('draft_retention: 36h\ninterrupt_and_diff: [claude]\ntell_person: true'));
  expect(Object.fromEntries(values.map(({ key, value, from }) => [key, [value, from]]))).toEqual({
    input_stale_timeout: ['2m', 'default'],
    typing_pause: ['2s', 'default'],
    past_draft: ['auto', 'default'],
    hold_max: ['3s', 'default'],
    tell_person: [true, 'file'],
    draft_retention: ['36h', 'file'],
    interrupt_and_diff: [['claude'], 'file'],
    use_doors: [true, 'default'],
    brief_agents: [true, 'default'],
  });
  // What is shown can be written into the file as it is.
  const text = values.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`).join('\n');
  expect(configValues(load(text)).map(({ value }) => value)).toEqual(values.map(({ value }) => value));
});

test('a file that is written after it was read is noticed', () => {
  const loaded = loadConfig(file, profiles);
  expect(freshness(loaded, profiles)).toEqual({ kind: 'same' });
  fs.writeFileSync(file, 'tell_person: false');
  expect(freshness(loaded, profiles)).toEqual({ kind: 'changed' });
  fs.writeFileSync(file, 'tell_person: perhaps');
  expect(freshness(loaded, profiles)).toMatchObject({
    kind: 'broken',
    why: expect.stringContaining('tell_person'),
  });
});

test('the nearest that says something counts: message, session, configuration', () => {
  const config = { ...DEFAULT_CONFIG, pastDraft: 'stale' } as const;
  expect(pastDraftOf({ past_draft: 'now' }, { past_draft: 'never' }, config)).toBe('now');
  expect(pastDraftOf({ past_draft: null }, { past_draft: 'never' }, config)).toBe('never');
  expect(pastDraftOf({ past_draft: null }, { past_draft: null }, config)).toBe('stale');
  expect(pastDraftOf(null, { past_draft: null }, config)).toBe('stale');
});
