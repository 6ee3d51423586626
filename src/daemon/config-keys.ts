// The keys of the configuration file: what each means, and what it may be.
import type { Config } from '../mail/index.js';
import { INFERENCE, SIGNAL_ACTIONS } from './config-signals.js';
import {
  ADDRESS,
  AGENT_COMMAND,
  AGENT_NAMES,
  choice,
  count,
  HOST_NAMES,
  type Kind,
  type Shown,
  SIGNAL_STATES,
  time,
  WEBHOOKS,
  YES_OR_NO,
} from './config-values.js';

interface Key extends Kind {
  field: keyof Config;
  about: string;
}

export const CONFIG_KEYS = {
  input_poll_interval: {
    field: 'inputPollMs',
    about: 'the longest time between looks where no event tells of a change',
    ...time('100ms', '10m', { bare: 'seconds' }),
  },
  input_stale_timeout: {
    field: 'inputStaleMs',
    about: 'a draft that nobody has touched for this long is stale',
    ...time('1s', '24h', { bare: 'seconds' }),
  },
  default_timeout: {
    field: 'defaultTimeoutMs',
    about: 'a message that says nothing else expires after this; 0: never',
    ...time('1s', '365d', { bare: 'seconds', zero: 'none' }),
  },
  max_batch_size: {
    field: 'maxBatchSize',
    about: 'so many messages go as one delivery at most',
    ...count(1, 100),
  },
  max_attempts: {
    field: 'maxAttempts',
    about: 'after so many failed attempts a message goes to the dead letters',
    ...count(1, 1000),
  },
  queue_limit: {
    field: 'queueLimit',
    about: 'so many messages may wait for one session',
    ...count(1, 1_000_000),
  },
  typing_pause: {
    field: 'typingPauseMs',
    about: 'a person who pressed a key so recently is still typing',
    ...time('500ms', '60s', { bare: 'seconds' }),
  },
  past_draft: {
    field: 'pastDraft',
    about: 'whether mail may go past a draft: auto, now, stale or never',
    ...choice('auto', 'now', 'stale', 'never'),
  },
  hold_max: {
    field: 'holdMaxMs',
    about: 'how long held keys wait for a daemon that died before they are freed',
    ...time('500ms', '10s', { bare: 'seconds' }),
  },
  tell_person: {
    field: 'tellPerson',
    about: 'a note in the status line of tmux after a delivery past a draft',
    ...YES_OR_NO,
  },
  draft_retention: {
    field: 'draftRetentionMs',
    about: 'how long saved drafts are kept',
    ...time('1h', '3650d', { bare: 'refused' }),
  },
  history_days: {
    field: 'historyDays',
    about: 'messages that are over for so many days are deleted; 0: never',
    ...count(0, 36_500, ' (days; 0: never)'),
  },
  interrupt_and_diff: {
    field: 'interruptAndDiff',
    about: 'agents on which a draft may be read by interrupting (Ctrl-C) where nothing better works',
    ...AGENT_NAMES,
  },
  use_doors: {
    field: 'doors',
    about: "agents' own ways in are used; without them everything goes through the input box",
    ...YES_OR_NO,
  },
  brief_agents: {
    field: 'brief',
    about: 'agents are told what mail is when they are started by sm',
    ...YES_OR_NO,
  },
  spawn_agent: {
    field: 'spawnAgent',
    about: 'the command line of the agent that sm spawn starts',
    ...AGENT_COMMAND,
  },
  desktop_notes: {
    field: 'desktopNotes',
    about: 'mail to a person is also shown as a notification of the desktop',
    ...YES_OR_NO,
  },
  signal_states: {
    field: 'signalStates',
    about:
      'states of signals beside those that there are: a name, its urgency, whether it asks for attention',
    ...SIGNAL_STATES,
  },
  signal_fresh: {
    field: 'signalFreshMs',
    about: 'what an agent reported so recently is not overruled by what is inferred from its screen',
    ...time('1s', '365d', { bare: 'seconds' }),
  },
  listen_host: {
    field: 'listenHost',
    about: 'the address at which the dashboard can be reached; beyond this machine only with a password',
    ...ADDRESS,
  },
  dashboard_names: {
    field: 'dashboardNames',
    about: 'names by which browsers may know this machine, each with its port, as their Host header has it',
    ...HOST_NAMES,
  },
  signal_actions: {
    field: 'signalActions',
    about: 'what is done because of a signal: a list of on, session, and desktop, webhook, command or mail',
    ...SIGNAL_ACTIONS,
  },
  inference: {
    field: 'inference',
    about: 'who says what state an agent is in that has fallen silent and signals nothing; false: nobody',
    ...INFERENCE,
  },
  webhooks: {
    field: 'webhooks',
    about: 'where mail to a person is also sent: a list of url and secret',
    ...WEBHOOKS,
  },
} as const satisfies Record<string, Key>;

export type ConfigKey = keyof typeof CONFIG_KEYS;

// These may also stand below `sm_send:`.
export const SECTION = 'sm_send';
export const SECTION_KEYS: readonly ConfigKey[] = [
  'input_poll_interval',
  'input_stale_timeout',
  'default_timeout',
  'max_batch_size',
];

export const isKey = (key: string): key is ConfigKey => Object.hasOwn(CONFIG_KEYS, key);

// What is wrong with it: where inside the value, and what would be right.
export interface Wrong {
  path: readonly PropertyKey[];
  expected: string;
}

export function readValue(key: ConfigKey, value: unknown): { value: unknown } | Wrong {
  const { schema, expected }: Key = CONFIG_KEYS[key];
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data };
  const [issue] = read.error.issues;
  const deep = issue !== undefined && issue.path.length > 0 && issue.code !== 'invalid_union';
  return deep ? { path: issue.path, expected: issue.message } : { path: [], expected };
}

export const isSecret = (key: ConfigKey): boolean => (CONFIG_KEYS[key] as Key).secret === true;

// As one would write it into the file; of a secret only that there is one.
export const showValue = (key: ConfigKey, config: Config): Shown =>
  CONFIG_KEYS[key].show(config[CONFIG_KEYS[key].field] as never);
