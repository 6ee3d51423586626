// What the configuration may say of signals: what is done because of them.
import { z } from 'zod';
import type { Config, SignalAction } from '../mail/index.js';
import { PLACEHOLDERS, STATE_WORD, unknownPlaceholders } from '../signals/index.js';
import { COMMAND, type Kind, shape, showHook, showTime, time, WEBHOOK } from './config-values.js';

const STATE = z.string('a state, such as needs_input').regex(STATE_WORD, 'a state, such as needs_input');
const STATES = 'a state, or a list of them such as [needs_input, error]';
const WHO = 'the name of a session, a pattern such as "worker-*", a group such as "@reviewers", or "*"';
const TO = 'parent, the name of a session, a pattern, a group such as "@reviewers", or "@me"';
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
      on: z.union([STATE.transform((state) => [state]), z.array(STATE).min(1)], STATES).optional(),
      session: z.string(WHO).trim().min(1, WHO).default('*'),
      desktop: z.boolean('true or false').optional(),
      webhook: WEBHOOK.optional(),
      command: z.unknown().pipe(COMMAND.schema).optional(),
      timeout: z.unknown().pipe(LIMIT.schema).optional(),
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
            argv: command as string[],
            timeoutMs: (timeout as number | undefined) ?? COMMAND_LIMIT_MS,
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
