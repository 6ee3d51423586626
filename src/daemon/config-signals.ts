// What the configuration may say of signals: what is done because of them, and who infers them where an agent says nothing.
import { z } from 'zod';
import type { Config, Inference as InferenceConfig, SignalAction } from '../mail/index.js';
import { PLACEHOLDERS, STATE_WORD, unknownPlaceholders } from '../signals/index.js';
import {
  COMMAND,
  inside,
  type Kind,
  type Shown,
  shape,
  showHook,
  showTime,
  time,
  WEB_ADDRESS,
  WEBHOOK,
} from './config-values.js';

const STATE = z.string().regex(STATE_WORD);
const STATES = 'a state, or a list of them such as [needs_input, error]';
const WHO = 'the name of a session, a pattern such as "worker-*", a group such as "@reviewers", or "*"';
const TO = 'parent, the name of a session, a pattern, a group such as "@reviewers", or "@me"';
const SURE = 'a number from 0 to 1';
const LIMIT = time('1s', '1h', { bare: 'seconds' });

const MAIL = z.strictObject(
  {
    to: z.string(TO).trim().min(1, TO),
    text: z
      .string('a text')
      .refine((text) => unknownPlaceholders(text).length === 0, {
        error: `a text in which only ${PLACEHOLDERS.map((word) => `{${word}}`).join(', ')} stand in braces`,
      })
      .optional(),
  },
  shape('to and text', 'of the form { to: parent }'),
);

const ENTRY = z
  .strictObject(
    {
      on: inside<string[]>({
        schema: z.union([STATE.transform((state) => [state]), z.array(STATE).min(1)]),
        expected: STATES,
      }).optional(),
      session: z.string(WHO).trim().min(1, WHO).default('*'),
      desktop: z.boolean('true or false').optional(),
      webhook: WEBHOOK.optional(),
      command: inside<string[]>(COMMAND).optional(),
      timeout: inside<number>(LIMIT).optional(),
      mail: MAIL.optional(),
    },
    shape(
      'on, session, desktop, webhook, command, timeout and mail',
      'of the form { on: [needs_input], desktop: true }',
    ),
  )
  .refine(({ desktop, webhook, command, mail }) => desktop || webhook || command || mail, {
    error: 'something to do: desktop: true, webhook, command or mail',
    path: [],
  });

const COMMAND_LIMIT_MS = 60_000;

// One action for each thing to do.
function actionsIn({ on, session, ...does }: z.output<typeof ENTRY>): SignalAction[] {
  const { desktop, webhook, command, timeout, mail } = does;
  const effects: SignalAction['effect'][] = [
    ...(desktop ? [{ kind: 'desktop' } as const] : []),
    ...(webhook ? [{ kind: 'webhook', hook: webhook } as const] : []),
    ...(command
      ? [
          {
            kind: 'command',
            argv: command,
            timeoutMs: timeout ?? COMMAND_LIMIT_MS,
          } as const,
        ]
      : []),
    ...(mail ? [{ kind: 'mail', to: mail.to, text: mail.text ?? null } as const] : []),
  ];
  return effects.map((effect) => ({ on: on ?? null, session, effect }));
}

export const SIGNAL_ACTIONS: Kind = {
  expected: 'a list, such as [{ on: [needs_input, error], desktop: true }]',
  schema: z.array(ENTRY).transform((entries) => entries.flatMap(actionsIn)),
  show: (actions: Config['signalActions']) => actions.map(showAction),
  secret: true,
};

export function showAction({ on, session, effect }: SignalAction): string {
  const when = `${on?.join(' or ') ?? 'what asks for attention'} of ${session}`;
  switch (effect.kind) {
    case 'desktop':
      return `${when}: a note on the desktop`;
    case 'webhook':
      return `${when}: webhook ${showHook(effect.hook)}`;
    case 'command':
      return `${when}: command ${JSON.stringify(effect.argv)} for at most ${showTime(effect.timeoutMs)}`;
    case 'mail':
      return `${when}: mail to ${effect.to}`;
  }
}

const BUDGET = /^(\d{1,6})\/(m|h|d)$/;
const PER = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const VARIABLE = 'the name of a variable of the environment, such as OPENAI_API_KEY';

const ENDPOINT = z.strictObject(
  {
    url: WEB_ADDRESS,
    model: z.string('the name of a model').min(1, 'the name of a model'),
    // Never the key itself.
    key_env: z
      .string(VARIABLE)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, VARIABLE)
      .optional(),
  },
  shape('url, model and key_env', 'of the form { url: "http://localhost:11434/v1", model: llama3.2 }'),
);

const INFERRING = z
  .strictObject({
    command: inside<string[]>(COMMAND).optional(),
    endpoint: ENDPOINT.optional(),
    silence: inside<number>(time('1s', '24h', { bare: 'seconds' })).default(30_000),
    timeout: inside<number>(time('1s', '10m', { bare: 'seconds' })).default(20_000),
    budget: z
      .string('so many in a time, such as 60/h')
      .regex(BUDGET, 'so many in a time, such as 60/h')
      .default('60/h'),
    confidence: z.number(SURE).min(0, SURE).max(1, SURE).default(0.6),
  })
  .refine(({ command, endpoint }) => (command === undefined) !== (endpoint === undefined))
  .transform(({ command, endpoint, silence, timeout, budget, confidence }): InferenceConfig => {
    const [, count = '', per = 'h'] = BUDGET.exec(budget) ?? [];
    return {
      by: endpoint
        ? { kind: 'endpoint', url: endpoint.url, model: endpoint.model, keyEnv: endpoint.key_env ?? null }
        : { kind: 'command', argv: command ?? [] },
      silenceMs: silence,
      timeoutMs: timeout,
      budget: { count: Number(count), perMs: PER[per as keyof typeof PER] },
      confidence,
    };
  });

export const INFERENCE: Kind = {
  expected:
    'false, or either command or endpoint, beside silence, timeout, budget and confidence, such as { command: [classify] }',
  // No value at all is a line that was not finished.
  schema: z.preprocess((value) => (value === false ? null : (value ?? '')), INFERRING.nullable()),
  show: (inference: Config['inference']) => (inference === null ? false : showInference(inference)),
};

function showInference({ by, silenceMs, timeoutMs, budget, confidence }: InferenceConfig): Shown {
  const [unit] = Object.entries(PER).find(([, ms]) => ms === budget.perMs) ?? ['h'];
  return {
    ...(by.kind === 'command'
      ? { command: [...by.argv] }
      : { endpoint: { url: by.url, model: by.model, ...(by.keyEnv !== null && { key_env: by.keyEnv }) } }),
    silence: showTime(silenceMs),
    timeout: showTime(timeoutMs),
    budget: `${budget.count}/${unit}`,
    confidence,
  };
}
