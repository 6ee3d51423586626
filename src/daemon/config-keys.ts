// The keys of the configuration file: what each means, what it may be, and how its value is written.
import { z } from 'zod';
import type { Config } from '../mail/index.js';

interface Key {
  field: keyof Config;
  about: string;
  schema: z.ZodType;
  expected: string;
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS;

// A bare number is seconds, unless that could be taken for something else.
const time = (least: string, most: string, { bare }: { bare: 'seconds' | 'refused' }) => {
  const [low, high] = [toMs(least) ?? 0, toMs(most) ?? 0];
  const written =
    bare === 'seconds'
      ? 'seconds, or a time such as "500ms", "30s" or "2m"'
      : 'a time such as "12h" or "30d"';
  return {
    expected: `${written}, from ${least} to ${most}`,
    schema: z
      .union([z.number(), z.string()])
      .transform((value) =>
        typeof value === 'string' ? toMs(value) : bare === 'seconds' ? value * UNITS.s : undefined,
      )
      .refine((ms) => ms !== undefined && ms >= low && ms <= high),
  };
};

export const CONFIG_KEYS = {
  input_stale_timeout: {
    field: 'inputStaleMs',
    about: 'a draft that nobody has touched for this long is stale',
    ...time('1s', '24h', { bare: 'seconds' }),
  },
  typing_pause: {
    field: 'typingPauseMs',
    about: 'a person who pressed a key so recently is still typing',
    ...time('500ms', '60s', { bare: 'seconds' }),
  },
  past_draft: {
    field: 'pastDraft',
    about: 'whether mail may go past a draft: auto, now, stale or never',
    schema: z.enum(['auto', 'now', 'stale', 'never']),
    expected: 'auto, now, stale or never',
  },
  hold_max: {
    field: 'holdMaxMs',
    about: 'how long held keys wait for a daemon that died before they are freed',
    ...time('500ms', '10s', { bare: 'seconds' }),
  },
  tell_person: {
    field: 'tellPerson',
    about: 'a note in the status line of tmux after a delivery past a draft',
    schema: z.boolean(),
    expected: 'true or false',
  },
  draft_retention: {
    field: 'draftRetentionMs',
    about: 'how long saved drafts are kept',
    ...time('1h', '3650d', { bare: 'refused' }),
  },
  interrupt_and_diff: {
    field: 'interruptAndDiff',
    about: 'agents on which a draft may be read by interrupting (Ctrl-C) where nothing better works',
    schema: z.array(z.string()),
    expected: 'a list of names of agents, such as [claude]',
  },
  use_doors: {
    field: 'doors',
    about: "agents' own ways in are used; without them everything goes through the input box",
    schema: z.boolean(),
    expected: 'true or false',
  },
  brief_agents: {
    field: 'brief',
    about: 'agents are told what mail is when they are started by sm',
    schema: z.boolean(),
    expected: 'true or false',
  },
} as const satisfies Record<string, Key>;

export type ConfigKey = keyof typeof CONFIG_KEYS;

export function readValue(key: ConfigKey, value: unknown): { value: unknown } | { expected: string } {
  const { schema, expected }: Key = CONFIG_KEYS[key];
  const read = schema.safeParse(value);
  return read.success ? { value: read.data } : { expected };
}

// As one would write it into the file.
export function formatValue(
  value: Config[(typeof CONFIG_KEYS)[ConfigKey]['field']],
): string | boolean | string[] {
  if (typeof value === 'number') {
    const unit = (Object.keys(UNITS) as Unit[]).findLast((each) => value % UNITS[each] === 0) ?? 'ms';
    return `${value / UNITS[unit]}${unit}`;
  }
  return typeof value === 'object' ? [...value] : value;
}

function toMs(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits) * UNITS[unit as Unit];
}
