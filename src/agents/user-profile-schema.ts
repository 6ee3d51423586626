// What may stand in the file of a user's agent. Every rule says in its error what would be right.
import { z } from 'zod';
import type { ProtocolName } from '../composer/index.js';
import { isKeyName, KEY_NAMES } from '../tmux/index.js';
import { baseName } from './recognise.js';

const MS = 'must be milliseconds, a whole number from 0 to 60000';
const ms = z.int(MS).min(0, MS).max(60_000, MS);
// A key that waits longer would outlast the watchdog of its hold.
const ECHO_MS = 'must be milliseconds, 0 to 1000';
const echo = z.int(ECHO_MS).min(0, ECHO_MS).max(1000, ECHO_MS);
const text = z.string('must be text').min(1, 'must not be empty');
const flag = z.boolean('must be true or false');
// As processes are compared with it.
const program = text.refine((word) => baseName(word) === word, {
  error: ({ input }) =>
    `must be the name alone, without folder or ending, such as ${baseName(String(input)) || 'scribe'}`,
});
const choice = <T extends string>(...words: readonly T[]) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
const key = z.string(KEY_NAMES).refine(isKeyName, KEY_NAMES);
// Starts something, so it must not be one that only types, and not one that submits the draft.
const trigger = key
  .refine((word) => !types(word), 'must be a key that types no text, such as C-g, M-e or F2')
  .refine(
    (word) => !/^(?:(?:KP)?Enter|C-m|\^m)$/i.test(word),
    'must be a key that submits nothing, such as C-g',
  );
const moves = choice('row', 'line');
const pattern = text.refine(isPattern, 'must be a regular expression');
const VERSION = 'must be a version of three numbers, such as 1.4.0';
const version = z.string(VERSION).regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/, VERSION);
const block = <T extends z.ZodRawShape>(shape: T, example?: string) =>
  z.strictObject(shape, `must be a block of keys${example ? `, such as ${example}` : ''}`);

const KEYS = 'must be a list of keys, such as [C-g] or [C-x, e]';
const FILE = 'must be a pattern of letters, digits and . / * ? [ ] - _';
// Its editor would be handed our text where Enter has not taken it yet.
const behindEnter = (other: string): string =>
  `must be false where editor.${other} is true: an agent that takes the file back would get our text into its box again`;
const editor = block(
  {
    keys: z
      .array(key, KEYS)
      .min(1, KEYS)
      .superRefine(([first], context) => {
        if (first !== undefined && types(first)) {
          const message = `would be typed into the draft; the first must be a key that types no text: [C-g], or a chord such as [C-x, ${first}]`;
          context.addIssue({ code: 'custom', path: [0], message });
        } else
          for (const { message } of trigger.safeParse(first).error?.issues.slice(0, 1) ?? [])
            context.addIssue({ code: 'custom', path: [0], message });
      }),
    markGapMs: ms.default(0),
    file: z.string(FILE).regex(/^[\w./*?[\]-]+$/, FILE),
    callMs: ms.default(1000),
    quietMs: ms.default(60),
    enterGapMs: ms.default(60),
    submittedMs: ms.default(60),
    restoredMs: ms.default(60),
    shownMs: ms.default(300),
    seesMark: choice('always', 'if_typed').optional(),
    caretAfter: choice('end', 'newlines_short').optional(),
    trims: choice('nothing', 'newline', 'newlines', 'blanks').default('newline'),
    retakes: flag.default(false),
    opensBehindEnter: flag.default(false),
    removesFile: flag.default(false),
    caretMoves: choice('grapheme', 'code_point').default('grapheme'),
    ignoresEmpty: flag.default(false),
    placeholder: pattern.optional(),
    harmsDialogs: flag.default(false),
  },
  "{ keys: [C-g], file: '*/scribe-prompt-*.md' }",
).superRefine((given, context) => {
  if (!given.opensBehindEnter) return;
  for (const field of ['retakes', 'removesFile'] as const)
    if (given[field])
      context.addIssue({ code: 'custom', path: ['opensBehindEnter'], message: behindEnter(field) });
});

const lineKeys = block({
  start: block({ key: trigger, moves }, '{ key: C-a, moves: line }'),
  end: block({ key: trigger, moves }, '{ key: C-e, moves: line }'),
  killToEnd: block({ key: trigger, kills: moves, joins: flag }, '{ key: C-k, kills: line, joins: true }'),
  backspace: trigger.default('BSpace'),
  echoMs: ms.default(250),
});

const pace = block({ stepMs: ms, enterMs: ms, echoMs: echo.optional(), textMs: echo.optional() }).refine(
  ({ echoMs, textMs }) => textMs === undefined || echoMs !== undefined,
  {
    path: ['textMs'],
    message:
      'needs "echoMs:" beside it, such as echoMs: 400: keys that edit wait until the text before them is to be seen',
  },
);

const PROTOCOLS =
  'must be a list of at least one, such as [{ protocol: direct }]; leave it out for the usual ones';
const protocols = z
  .array(
    z.strictObject(
      {
        protocol: choice('direct', 'editor', 'stash', 'sentinel', 'interrupt'),
        since: version.optional(),
        not: z.array(version, 'must be a list of versions, such as [1.5.2]').optional(),
      },
      {
        error: ({ input }) =>
          `must be a block: { protocol: ${typeof input === 'string' ? input : 'direct'} }`,
      },
    ),
    PROTOCOLS,
  )
  .min(1, PROTOCOLS);

// What a protocol has to be told. The keys of the sentinel can also be found by a trial.
export const NEEDS: Partial<Record<ProtocolName, 'editor' | 'stash' | 'interrupt'>> = {
  editor: 'editor',
  stash: 'stash',
  interrupt: 'interrupt',
};

const MCP = 'must hold {file}, which stands for a file that lists servers, such as --mcp-config={file}';
const mcp = block(
  { option: text.refine((word) => word.includes('{file}'), MCP) },
  "{ option: '--mcp-config={file}' }",
).transform(({ option }) => ({ how: 'file' as const, option }));

const STOPS = 'must be a list of keys, such as [Escape]';
const SHARE = 'must be a number from 0 to 1';

export const schema = block({
  title: text.optional(),
  programs: z.array(program, 'must be a list, such as [scribe]').optional(),
  packages: z.array(text, "must be a list, such as ['@example/scribe']").default([]),
  protocols: protocols.optional(),
  editor: editor.optional(),
  stash: block({ key: trigger, taken: text }, '{ key: C-s, taken: stashed }').optional(),
  lineKeys: lineKeys.optional(),
  interrupt: block({ exitWindowMs: ms, exitsWhenEmpty: flag, placeholder: pattern.optional() }).optional(),
  interruptKeys: z.array(trigger, STOPS).min(1, STOPS).optional(),
  mcp: mcp.optional(),
  submitKey: key.refine((word) => !types(word), 'must be a key that types no text, such as Enter').optional(),
  enterGapMs: ms.optional(),
  cursorAtCaret: flag.optional(),
  cursorShownInBox: flag.optional(),
  keepsKeys: flag.optional(),
  pace: pace.optional(),
  refusalCeiling: z.number(SHARE).min(0, SHARE).max(1, SHARE).optional(),
})
  .refine(({ editor, cursorShownInBox }) => !editor?.harmsDialogs || cursorShownInBox, {
    path: ['cursorShownInBox'],
    message: 'must be true where editor.harmsDialogs is: it is what tells a dialog from the box',
  })
  .superRefine((given, context) => {
    const seen = new Set<ProtocolName>();
    for (const [i, { protocol, since, not }] of (given.protocols ?? []).entries()) {
      const wrong = (field: string, message: string): void =>
        context.addIssue({ code: 'custom', path: ['protocols', i, field], message });
      if (seen.has(protocol)) wrong('protocol', 'is there twice; must be named once');
      seen.add(protocol);
      const needed = NEEDS[protocol];
      if (needed && !given[needed]) wrong('protocol', `needs a block "${needed}:" beside it that says how`);
      for (const [field, value] of Object.entries({ since, not }))
        if (value !== undefined && given.packages.length === 0)
          wrong(field, 'needs "packages:" in the file, which tell the version of the agent');
    }
  });

// Such a key is text to a program: one character, also with Shift, a blank, or a digit of the keypad.
function types(word: string): boolean {
  const key = word.replace(/^(?:S-)+(?=.)/i, '');
  return [...key].length === 1 || /^(?:Space|KP[0-9/*+.-])$/i.test(key);
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
