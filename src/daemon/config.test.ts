// The configuration file: what it sets, what it refuses, and in which words.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GENERIC, Profiles } from '../agents/index.js';
import { DEFAULT_CONFIG, pastDraftOf } from '../mail/config.js';
import { configValues, loadConfig } from './config.js';

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
  ['input_stale_timeout: 1h30m', { inputStaleMs: 5_400_000 }],
  [
    'sm_send:\n  input_stale_timeout: 90\n  input_poll_interval: 2',
    { inputStaleMs: 90_000, inputPollMs: 2000 },
  ],
  ['sm_send:\n  max_batch_size: 3\n  default_timeout: 5m', { maxBatchSize: 3, defaultTimeoutMs: 300_000 }],
  ['sm_send:\n', {}],
  ['default_timeout: 0', {}],
  ['max_attempts: 3', { maxAttempts: 3 }],
  ['queue_limit: 10', { queueLimit: 10 }],
  ['history_days: 0', { historyDays: 0 }],
  ['desktop_notes: false', { desktopNotes: false }],
  ['listen_host: 0.0.0.0', { listenHost: '0.0.0.0' }],
  ['listen_host: "::"', { listenHost: '::' }],
  ['dashboard_names: [devbox.lan, "devbox.lan:8080"]', { dashboardNames: ['devbox.lan', 'devbox.lan:8080'] }],
  ['spawn_agent: claude  --model opus', { spawnAgent: ['claude', '--model', 'opus'] }],
  ['spawn_agent: [my agent, -x]', { spawnAgent: ['my agent', '-x'] }],
  [
    'webhooks: [{ url: "https://example.org/hook", secret: 0123456789abcdef }, { url: "http://[::1]:9/x" }]',
    {
      webhooks: [
        { url: 'https://example.org/hook', secret: '0123456789abcdef' },
        { url: 'http://[::1]:9/x' },
      ],
    },
  ],
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
    ['listen_host: devbox', 'listen_host "devbox": must be an address of this machine'],
    ['dashboard_names: ["http://devbox"]', 'a name such as devbox.lan:4747'],
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
    [
      'past_drafts: never',
      'there is no key "past_drafts"; the keys are input_poll_interval, input_stale_timeout,',
    ],
    ['toString: never', 'there is no key "toString"'],
    ['- past_draft', 'must hold lines of the form "key: value"'],
    ['just words', 'must hold lines of the form "key: value"'],
    ['tell_person: true\nspawn_agent: *claude', '2: is no valid YAML: *claude names nothing'],
    ['tell_person: true\npast_draft: [', 'is no valid YAML: '],
    ['tell_person: true\ntell_person: false', ':2: is no valid YAML: '],
    ['# mine\n\npast_draft: sometimes', ':3: past_draft "sometimes": must be'],
    ['interrupt_and_diff:\n  - claude\n  - 7', ':3: interrupt_and_diff[1] "7": must be the name of an agent'],
    ['a: 1\npast_draft: x\n', /:1: there is no key "a".*; line 2: past_draft "x": must be/],
    ['sm_send:\n  max_batch_size: 0', ':2: max_batch_size "0": must be a whole number from 1 to 100'],
    [
      'sm_send:\n  past_draft: now',
      ':2: past_draft does not belong below sm_send: there are input_poll_interval,',
    ],
    ['sm_send: 5', ':1: sm_send: must hold lines'],
    ['max_batch_size: 2\nsm_send: { max_batch_size: 3 }', ':2: max_batch_size is set in line 1 already'],
    ['default_timeout: 500ms', 'from 1s to 365d; 0 for none'],
    ['max_attempts: 2.5', 'max_attempts "2.5": must be a whole number from 1 to 1000'],
    ['history_days: -1', 'history_days "-1": must be a whole number from 0 to 36500'],
    ['spawn_agent: claude "a b"', 'spawn_agent "claude "a b"": must be a command line such as'],
    ['spawn_agent: claude; rm -r x', 'must be a command line such as'],
    [
      'webhooks:\n  - url: https://a.example\n  - url: ftp://b',
      ':3: webhooks[1].url: must be a URL that begins',
    ],
    ['webhooks: [{ url: "https://a.example", token: x }]', 'webhooks[0]: must be url and secret, not token'],
    ['webhooks: [https://a.example]', 'webhooks[0]: must be of the form { url:'],
    ['signal_states: [blocked]', 'signal_states "["blocked"]": must be states with their rules, such as'],
    ['signal_states: { Blocked: {} }', 'must be a name of up to 32 lower case letters'],
    ['signal_states: { blocked: high }', 'signal_states.blocked "high": must be of the form { urgency:'],
    [
      'signal_states: { a: { urgency: huge } }',
      'signal_states.a.urgency "huge": must be low, normal or high',
    ],
    ['signal_states: { a: { colour: red } }', 'must be urgency and attention, not colour'],
    ['webhooks: { url: "https://a.example" }', 'webhooks: must be a list, such as'],
    ['inference: true', 'inference "true": must be false, or either command or endpoint'],
    [
      'inference: { command: a, endpoint: { url: "http://a", model: b } }',
      'must be false, or either command or endpoint',
    ],
    ['inference: {}', 'must be false, or either command or endpoint'],
    ['inference: { comand: a }', 'either command or endpoint, beside silence, timeout'],
    [
      'inference: { command: a, budget: 60 }',
      'inference.budget "60": must be so many in a time, such as 60/h',
    ],
    ['inference: { command: a, silence: 0 }', 'inference.silence "0": must be seconds, or a time'],
    ['inference: { command: a, confidence: 60 }', 'inference.confidence "60": must be a number from 0 to 1'],
    ['inference: { endpoint: { url: "http://a" } }', 'must be the name of a model'],
    [
      'inference: { endpoint: { url: "http://a", model: b, key: c } }',
      'must be url, model and key_env, not key',
    ],
    [
      'inference: { endpoint: { url: "http://a", model: b, key_env: sk-123 } }',
      'must be the name of a variable of the environment',
    ],
    ['signal_actions: { desktop: true }', 'signal_actions: must be a list, such as'],
    [
      'signal_actions: [desktop]',
      'signal_actions[0]: must be of the form { on: [needs_input], desktop: true }',
    ],
    ['signal_actions: [{ on: error }]', 'signal_actions[0]: must be something to do: desktop: true, webhook'],
    ['signal_actions: [{ on: error, mial: x }]', 'signal_actions[0]: must be on, session, desktop'],
    ['signal_actions: [{ on: Error, desktop: true }]', 'signal_actions[0].on: must be a state, or a list'],
    [
      'signal_actions: [{ on: [error, erorr], desktop: true }]',
      'signal_actions[0].on[1] "erorr": must be one of working, idle, needs_input, needs_testing, completed, error',
    ],
    [
      'signal_actions:\n  - { desktop: true }\n  - { on: bogus, desktop: true }',
      ':3: signal_actions[1].on "bogus": must be one of working,',
    ],
    ['signal_states: { any: {} }', 'that begins with a letter, other than "any"'],
    ['signal_actions: [{ command: [true] }]', 'must be a command line such as "notify-team --quiet"'],
    ['signal_actions: [{ webhook: { url: x } }]', 'signal_actions[0].webhook.url: must be a URL'],
    ['signal_actions: [{ command: "a | b" }]', 'signal_actions[0].command: must be a command line such as'],
    ['signal_actions: [{ command: a, timeout: 2h }]', 'signal_actions[0].timeout: must be seconds'],
    ['signal_actions: [{ mail: boss }]', 'signal_actions[0].mail: must be of the form { to: parent }'],
    [
      'signal_actions: [{ mail: { to: parent, text: "{nmae}" } }]',
      'signal_actions[0].mail.text: must be a text in which only {name}, {session}',
    ],
  ])('%j', (text, words) => {
    const act = (): unknown => load(text);
    expect(act).toThrow(words);
    expect(act).toThrow(file);
    expect(act).not.toThrow(/\n/);
  });

  test('a secret is in no error', () => {
    for (const text of ['webhooks: [{ secret: hush }]', 'webhooks: { url: "https://hush.example" }'])
      expect(() => load(text)).toThrow(/^(?!.*hush)/);
  });

  test('a file that cannot be read', () => {
    fs.mkdirSync(file);
    expect(() => loadConfig(file, profiles)).toThrow(/config\.yaml cannot be read: /);
  });
});

test('what is done because of signals: one action for each thing to do', () => {
  const { config, lines } = load(
    [
      'signal_states: { blocked: {} }',
      'signal_actions:',
      '  - { on: [blocked, error], session: "@team", desktop: true, webhook: { url: "https://a.example/x", secret: 0123456789abcdef } }',
      '  - { on: completed, command: [notify, "a b"], timeout: 5s }',
      '  - { mail: { to: parent } }',
    ].join('\n'),
  );
  expect(config.signalActions).toEqual([
    { on: ['blocked', 'error'], session: '@team', effect: { kind: 'desktop' } },
    {
      on: ['blocked', 'error'],
      session: '@team',
      effect: { kind: 'webhook', hook: { url: 'https://a.example/x', secret: '0123456789abcdef' } },
    },
    {
      on: ['completed'],
      session: '*',
      effect: { kind: 'command', argv: ['notify', 'a b'], timeoutMs: 5000 },
    },
    { on: null, session: '*', effect: { kind: 'mail', to: 'parent', text: null } },
  ]);
  const shown = configValues({ file: '', source: '', config, lines }).find(
    ({ key }) => key === 'signal_actions',
  );
  expect(shown?.value).toEqual([
    'blocked or error of @team: a note on the desktop',
    'blocked or error of @team: webhook https://a.example/x (signed)',
    'completed of *: command ["notify","a b"] for at most 5s',
    'what asks for attention of *: mail to parent',
  ]);
});

test('who infers states: a command or an endpoint, with what holds where nothing is said', () => {
  const { config } = load('inference: { command: "classify --fast", silence: 1m, budget: 5/d }');
  expect(config.inference).toEqual({
    by: { kind: 'command', argv: ['classify', '--fast'] },
    silenceMs: 60_000,
    timeoutMs: 20_000,
    budget: { count: 5, perMs: 86_400_000 },
    confidence: 0.6,
  });
  const loaded = load('inference: { endpoint: { url: "http://localhost:1/v1", model: m, key_env: KEY } }');
  expect(loaded.config.inference?.by).toEqual({
    kind: 'endpoint',
    url: 'http://localhost:1/v1',
    model: 'm',
    keyEnv: 'KEY',
  });
  expect(configValues(loaded).find(({ key }) => key === 'inference')?.value).toEqual({
    endpoint: { url: 'http://localhost:1/v1', model: 'm', key_env: 'KEY' },
    silence: '30s',
    timeout: '20s',
    budget: '60/h',
    confidence: 0.6,
  });
  expect(load('inference: false').config.inference).toBeNull();
});

test('an agent of the user that offers it may be interrupted', () => {
  const scribe = { ...GENERIC, name: 'scribe', protocols: [{ protocol: 'interrupt' as const }] };
  fs.writeFileSync(file, 'interrupt_and_diff: [scribe]');
  expect(loadConfig(file, new Profiles([scribe])).config.interruptAndDiff).toEqual(['scribe']);
});

test('the values as one would write them, and where each comes from', () => {
  const hook = 'webhooks: [{ url: "https://a.example", secret: 0123456789abcdef }]';
  const values = configValues(
    load(
      `draft_retention: 36h\ninterrupt_and_diff: [claude]\n\ntell_person: true\n${hook}\nsignal_states: { blocked: { urgency: high } }`,
    ),
  );
  expect(
    Object.fromEntries(values.map(({ key, value, from, line }) => [key, [value, line ?? from]])),
  ).toEqual({
    input_poll_interval: ['5s', 'default'],
    input_stale_timeout: ['2m', 'default'],
    default_timeout: ['0s', 'default'],
    max_batch_size: [10, 'default'],
    max_attempts: [8, 'default'],
    queue_limit: [1000, 'default'],
    typing_pause: ['2s', 'default'],
    past_draft: ['auto', 'default'],
    hold_max: ['3s', 'default'],
    tell_person: [true, 4],
    draft_retention: ['36h', 1],
    history_days: [90, 'default'],
    interrupt_and_diff: [['claude'], 2],
    use_doors: [true, 'default'],
    brief_agents: [true, 'default'],
    spawn_agent: ['claude', 'default'],
    desktop_notes: [true, 'default'],
    signal_states: [{ blocked: { urgency: 'high', attention: true } }, 6],
    signal_fresh: ['10m', 'default'],
    listen_host: ['127.0.0.1', 'default'],
    dashboard_names: [[], 'default'],
    signal_actions: [[], 'default'],
    inference: [false, 'default'],
    webhooks: [['https://a.example (signed)'], 5],
  });
  // What is shown can be written into the file as it is, but for secrets.
  const plain = values.filter(({ key }) => key !== 'webhooks');
  const text = plain.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`).join('\n');
  const again = configValues(load(text)).filter(({ key }) => key !== 'webhooks');
  expect(again.map(({ value }) => value)).toEqual(plain.map(({ value }) => value));
});

test('the nearest that says something counts: message, session, configuration', () => {
  const config = { ...DEFAULT_CONFIG, pastDraft: 'stale' } as const;
  expect(pastDraftOf({ past_draft: 'now' }, { past_draft: 'never' }, config)).toBe('now');
  expect(pastDraftOf({ past_draft: null }, { past_draft: 'never' }, config)).toBe('never');
  expect(pastDraftOf({ past_draft: null }, { past_draft: null }, config)).toBe('stale');
  expect(pastDraftOf(null, { past_draft: null }, config)).toBe('stale');
});
