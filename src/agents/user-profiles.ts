// Profiles that a user adds as data alone: one YAML file an agent, checked field by field.
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ProtocolName } from '../composer/index.js';
import { isKeyName, KEY_NAMES } from '../tmux/index.js';
import { GENERIC, type Profile } from './profile.js';

const ms = z.int().min(0).max(60_000);
const key = z.string().refine(isKeyName, KEY_NAMES);
const keys = z.array(key).min(1);
const moves = z.enum(['row', 'line']);
const pattern = z.string().refine(isPattern, 'must be a regular expression');

const editor = z.strictObject({
  keys,
  markGapMs: ms.default(0),
  file: z.string().regex(/^[\w./*?[\]-]+$/, 'a pattern of letters, digits and . / * ? [ ] - _'),
  callMs: ms.default(1000),
  quietMs: ms.default(60),
  enterGapMs: ms.default(60),
  submittedMs: ms.default(60),
  restoredMs: ms.default(60),
  shownMs: ms.default(300),
  seesMark: z.enum(['always', 'if_typed']).optional(),
  caretAfter: z.enum(['end', 'newlines_short']).optional(),
  trims: z.enum(['nothing', 'newline', 'newlines', 'blanks']).default('newline'),
  retakes: z.boolean().default(false),
  caretMoves: z.enum(['grapheme', 'code_point']).default('grapheme'),
  ignoresEmpty: z.boolean().default(false),
  placeholder: pattern.optional(),
  harmsDialogs: z.boolean().default(false),
});

const lineKeys = z.strictObject({
  start: z.strictObject({ key, moves }),
  end: z.strictObject({ key, moves }),
  killToEnd: z.strictObject({ key, kills: moves, joins: z.boolean() }),
  backspace: key.default('BSpace'),
  echoMs: ms.default(250),
});

// What a protocol has to be told. The keys of the sentinel can also be found by a trial.
const NEEDS: Partial<Record<ProtocolName, 'editor' | 'stash' | 'interrupt'>> = {
  editor: 'editor',
  stash: 'stash',
  interrupt: 'interrupt',
};

const schema = z
  .strictObject({
    title: z.string().optional(),
    programs: z.array(z.string()).optional(),
    packages: z.array(z.string()).default([]),
    protocols: z
      .array(
        z.strictObject({
          protocol: z.enum(['direct', 'editor', 'stash', 'sentinel', 'interrupt']),
          since: z.string().optional(),
          not: z.array(z.string()).optional(),
        }),
      )
      .optional(),
    editor: editor.optional(),
    stash: z.strictObject({ key, taken: z.string().min(1) }).optional(),
    lineKeys: lineKeys.optional(),
    interrupt: z
      .strictObject({ exitWindowMs: ms, exitsWhenEmpty: z.boolean(), placeholder: pattern.optional() })
      .optional(),
    interruptKeys: z.array(key).min(1).optional(),
    submitKey: key.optional(),
    enterGapMs: ms.optional(),
    cursorAtCaret: z.boolean().optional(),
    cursorShownInBox: z.boolean().optional(),
    pace: z.strictObject({ stepMs: ms, enterMs: ms }).optional(),
    refusalCeiling: z.number().min(0).max(1).optional(),
  })
  .refine(({ editor, cursorShownInBox }) => !editor?.harmsDialogs || cursorShownInBox, {
    path: ['cursorShownInBox'],
    message: 'must be true where editor.harmsDialogs is: it is what tells a dialog from the box',
  })
  .superRefine((given, context) => {
    for (const [i, { protocol }] of (given.protocols ?? []).entries()) {
      const block = NEEDS[protocol];
      if (!block || given[block]) continue;
      const message = `needs a block "${block}:" beside it that says how`;
      context.addIssue({ code: 'custom', path: ['protocols', i, 'protocol'], message });
    }
  });

// What it can do is offered in this order unless it says otherwise.
const OFFERED = ['direct', 'editor', 'stash', 'sentinel'] as const;

// Every `NAME.yaml` in the folder; a file that is not understood is an error that names file, field and what would be right.
export function readUserProfiles(folder: string): Profile[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => readProfile(path.join(folder, name)));
}

function yamlOf(file: string): unknown {
  try {
    return parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

function readProfile(file: string): Profile {
  const name = path.basename(file).replace(/\.ya?ml$/, '');
  const content = yamlOf(file) ?? {};
  const read = schema.safeParse(content);
  if (!read.success) {
    const { path: field, message } = read.error.issues[0] as z.core.$ZodIssue;
    throw new Error(`${file}: ${field.join('.') || 'the file'}${shownAt(content, field)}: ${message}`);
  }
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(read.data).filter(([, value]) => value !== undefined),
  );
  const has = (block: string | undefined): boolean => block === undefined || block in given;
  given.protocols ??= OFFERED.filter((protocol) => has(NEEDS[protocol])).map((protocol) => ({ protocol }));
  return { ...GENERIC, title: name, programs: [name], ...given, name } as Profile;
}

// The value that a path leads to, if it is a plain one.
function shownAt(content: unknown, field: readonly PropertyKey[]): string {
  const value = field.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key],
    content,
  );
  return value === undefined || typeof value === 'object' ? '' : ` ${JSON.stringify(value)}`;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
