// What a value of the configuration may be, and how it is shown: as one would write it into the file.
import { isIP } from 'node:net';
import { z } from 'zod';
import type { Config } from '../mail/index.js';
import { STATE_WORD } from '../signals/index.js';

export type Shown = string | number | boolean | string[] | Record<string, unknown>;

// How a key's value is read and shown. An issue deep inside a value brings words of its own; else `expected` says it.
export interface Kind {
  schema: z.ZodType;
  expected: string;
  show: (value: never) => Shown;
  // Its value is not to be seen in errors and logs.
  secret?: true;
}

// A value inside another one, with words of its own where it is wrong.
export const inside = <T>({ schema, expected }: Pick<Kind, 'schema' | 'expected'>) =>
  z.unknown().transform((value, context): T => {
    const read = schema.safeParse(value);
    if (!read.success) context.addIssue(expected);
    return read.data as T;
  });

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof UNITS;

interface TimeRules {
  // A bare number is seconds, unless that could be taken for something else.
  bare: 'seconds' | 'refused';
  zero?: 'none';
}

export function time(least: string, most: string, { bare, zero }: TimeRules): Kind {
  const [low, high] = [toMs(least) ?? 0, toMs(most) ?? 0];
  const written =
    bare === 'seconds'
      ? 'seconds, or a time such as "500ms", "30s" or "1h30m"'
      : 'a time such as "12h" or "30d"';
  const inRange = (ms: number): boolean => (ms >= low && ms <= high) || (zero === 'none' && ms === 0);
  return {
    expected: `${written}, from ${least} to ${most}${zero ? '; 0 for none' : ''}`,
    schema: z
      .union([z.number(), z.string()])
      .transform((value) =>
        typeof value === 'string' ? toMs(value) : bare === 'seconds' ? value * UNITS.s : undefined,
      )
      .refine((ms) => ms !== undefined && inRange(ms)),
    show: showTime,
  };
}

export const count = (least: number, most: number, meaning = ''): Kind => ({
  expected: `a whole number from ${least} to ${most}${meaning}`,
  schema: z.number().int().min(least).max(most),
  show: (value: number) => value,
});

export const YES_OR_NO: Kind = {
  expected: 'true or false',
  schema: z.boolean(),
  show: (value: boolean) => value,
};

export const choice = (...choices: readonly string[]): Kind => ({
  expected: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
  schema: z.enum(choices),
  show: (value: string) => value,
});

export const AGENT_NAMES: Kind = {
  expected: 'a list of names of agents, such as [claude]',
  schema: z.array(z.string('the name of an agent')),
  show: (value: readonly string[]) => [...value],
};

export const ADDRESS: Kind = {
  expected: 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them',
  schema: z.string().refine((text) => isIP(text) !== 0),
  show: (value: string) => value,
};

export const HOST_NAMES: Kind = {
  expected: 'a list of names, each with its port unless that is 80 or 443, such as [devbox.lan:4747]',
  schema: z.array(z.string().regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, 'a name such as devbox.lan:4747')),
  show: (value: readonly string[]) => [...value],
};

// Never a line for a shell: words with blanks or quotes in them are written as a list.
const commandSuchAs = (example: string): Kind => ({
  expected: `a command line such as "${example}", or a list of its words`,
  schema: z.union([
    z
      .string()
      .trim()
      .min(1)
      .regex(/^[^'"\\$`|&;<>]*$/)
      .transform((line) => line.split(/\s+/)),
    z.array(z.string().min(1)).min(1),
  ]),
  show: (words: readonly string[]) =>
    words.every((word) => /^[^\s'"\\$`|&;<>]+$/.test(word)) ? words.join(' ') : [...words],
});

// An agent to start, and a program of the user.
export const AGENT_COMMAND = commandSuchAs('claude --model opus');
export const COMMAND = commandSuchAs('notify-team --quiet');

// Whatever is before an @ in an address is refused by fetch, and would stand in a log.
const isWeb = (text: string): boolean =>
  /^https?:\/\//i.test(text) &&
  URL.canParse(text) &&
  new URL(text).username === '' &&
  new URL(text).password === '';

const WEB = 'a URL that begins with http:// or https://, without a name or password in it';
export const WEB_ADDRESS = z.string(WEB).refine(isWeb, { error: WEB });

// What is said of keys that are not there, and of what is no object at all.
export const shape = (keys: string, form: string) => ({
  error: ({ code, keys: others }: { code?: string; keys?: unknown }): string =>
    code === 'unrecognized_keys' ? `${keys}, not ${(others as string[]).join(' and ')}` : form,
});

export const WEBHOOK = z.strictObject(
  {
    url: WEB_ADDRESS,
    secret: z
      .string('a text of at least 16 characters')
      .min(16, 'a text of at least 16 characters')
      .optional(),
  },
  shape('url and secret', 'of the form { url: "https://example.org/hook", secret: "…" }'),
);

export const WEBHOOKS: Kind = {
  expected: 'a list, such as [{ url: "https://example.org/hook", secret: "…" }]',
  schema: z.array(WEBHOOK),
  show: (hooks: Config['webhooks']) => hooks.map(showHook),
  secret: true,
};

export const showHook = ({ url, secret }: Config['webhooks'][number]): string =>
  secret ? `${url} (signed)` : url;

const STATE = 'of the form { urgency: low | normal | high, attention: true | false }';

export const SIGNAL_STATES: Kind = {
  expected: 'states with their rules, such as { blocked: { urgency: high, attention: true } }',
  schema: z.record(
    // The wait for a signal means by "any" whichever comes.
    z
      .string()
      .regex(STATE_WORD)
      .refine((name) => name !== 'any'),
    z.strictObject(
      {
        urgency: z.enum(['low', 'normal', 'high'], 'low, normal or high').default('normal'),
        attention: z.boolean('true or false').default(true),
      },
      {
        error: ({ code, keys }) =>
          code === 'unrecognized_keys'
            ? `urgency and attention, not ${(keys as string[]).join(' and ')}`
            : STATE,
      },
    ),
    {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'a name of up to 32 lower case letters, digits, "_" and "-" that begins with a letter, other than "any"'
          : undefined,
    },
  ),
  show: (states: Config['signalStates']) =>
    Object.fromEntries(Object.entries(states).map(([name, rules]) => [name, { ...rules }])),
};

export function showTime(ms: number): string {
  if (ms === 0) return '0s';
  const unit = (Object.keys(UNITS) as Unit[]).findLast((each) => ms % UNITS[each] === 0) ?? 'ms';
  return `${ms / UNITS[unit]}${unit}`;
}

function toMs(text: string): number | undefined {
  const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
  if (text.trim().replace(part, '') !== '') return undefined;
  const parts = [...text.matchAll(part)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, digits, unit]) => sum + Number(digits) * UNITS[unit as Unit], 0);
}
