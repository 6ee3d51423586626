// Profiles that a user adds as data alone: one YAML file an agent, checked field by field.
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { GENERIC, type Profile } from './profile.js';

const ms = z.int().min(0).max(60_000);
const keys = z.array(z.string().min(1)).min(1);
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
  trims: z.enum(['nothing', 'newline', 'newlines', 'blanks']).default('newline'),
  retakes: z.boolean().default(false),
  caretMoves: z.enum(['grapheme', 'code_point']).default('grapheme'),
  ignoresEmpty: z.boolean().default(false),
  placeholder: pattern.optional(),
  harmsDialogs: z.boolean().default(false),
});

const lineKeys = z.strictObject({
  start: z.strictObject({ key: z.string(), moves }),
  end: z.strictObject({ key: z.string(), moves }),
  killToEnd: z.strictObject({ key: z.string(), kills: moves, joins: z.boolean() }),
  backspace: z.string().default('BSpace'),
  echoMs: ms.default(250),
});

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
    stash: z.strictObject({ key: z.string(), taken: z.string().min(1) }).optional(),
    lineKeys: lineKeys.optional(),
    interrupt: z
      .strictObject({ exitWindowMs: ms, exitsWhenEmpty: z.boolean(), placeholder: pattern.optional() })
      .optional(),
    submitKey: z.string().optional(),
    enterGapMs: ms.optional(),
    cursorAtCaret: z.boolean().optional(),
    cursorShownInBox: z.boolean().optional(),
    pace: z.strictObject({ stepMs: ms, enterMs: ms }).optional(),
    refusalCeiling: z.number().min(0).max(1).optional(),
  })
  .refine(({ editor, cursorShownInBox }) => !editor?.harmsDialogs || cursorShownInBox, {
    path: ['cursorShownInBox'],
    message: 'must be true where editor.harmsDialogs is: it is what tells a dialog from the box',
  });

const OFFERED: readonly { protocol: string; needs?: string }[] = [
  { protocol: 'direct' },
  { protocol: 'editor', needs: 'editor' },
  { protocol: 'stash', needs: 'stash' },
  { protocol: 'sentinel' },
];

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
  const read = schema.safeParse(yamlOf(file) ?? {});
  if (!read.success) {
    const { path: field, message } = read.error.issues[0] as z.core.$ZodIssue;
    throw new Error(`${file}: ${field.join('.') || 'the file'}: ${message}`);
  }
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(read.data).filter(([, value]) => value !== undefined),
  );
  // What it can do is offered in the usual order unless it says otherwise.
  if (!given.protocols)
    given.protocols = OFFERED.filter(({ needs }) => !needs || needs in given).map(({ protocol }) => ({
      protocol,
    }));
  return { ...GENERIC, title: name, programs: [name], ...given, name } as Profile;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
