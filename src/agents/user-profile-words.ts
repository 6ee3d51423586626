// What is wrong in the file of a user's agent, in one sentence: the field, its value, and what would be right.
import { z } from 'zod';
import { schema } from './user-profile-schema.js';

// Of those that must be there if their block is.
const EXAMPLES: Record<string, string> = {
  'editor.keys': 'keys: [C-g]',
  'editor.file': "file: '*/scribe-prompt-*.md'",
  'stash.key': 'key: C-s',
  'stash.taken': 'taken: stashed',
  'lineKeys.start': 'start: { key: C-a, moves: line }',
  'lineKeys.end': 'end: { key: C-e, moves: line }',
  'lineKeys.killToEnd': 'killToEnd: { key: C-k, kills: line, joins: true }',
  'lineKeys.start.key': 'key: C-a',
  'lineKeys.start.moves': 'moves: line',
  'lineKeys.end.key': 'key: C-e',
  'lineKeys.end.moves': 'moves: line',
  'lineKeys.killToEnd.key': 'key: C-k',
  'lineKeys.killToEnd.kills': 'kills: line',
  'lineKeys.killToEnd.joins': 'joins: true',
  'interrupt.exitWindowMs': 'exitWindowMs: 2000',
  'interrupt.exitsWhenEmpty': 'exitsWhenEmpty: false',
  'mcp.option': "option: '--mcp-config={file}'",
  'pace.stepMs': 'stepMs: 12',
  'pace.enterMs': 'enterMs: 150',
  'protocols.protocol': 'protocol: direct',
};

type Path = readonly PropertyKey[];

export function explain({ issues }: z.ZodError, content: unknown): string {
  const issue = issues[0] as z.core.$ZodIssue;
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(path).join(', ');
    return `${[...path, issue.keys[0]].join('.')}: there is no such key; the keys${path.length ? ` of ${path.join('.')}` : ''} are ${known}`;
  }
  const value = valueAt(content, path);
  const field = path.join('.');
  const example = EXAMPLES[path.filter((step) => typeof step !== 'number').join('.')];
  if (value === undefined && issue.code !== 'custom')
    return `${field}: is required${example ? `, such as "${example}"` : ''}`;
  if (value === null) return `${field}: has no value; ${issue.message}`;
  const shown = typeof value === 'object' ? '' : ` ${JSON.stringify(value)}`;
  return `${field}${value === undefined ? '' : shown}: ${issue.message}`;
}

const valueAt = (content: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key],
    content,
  );

// The keys that the schema has at a place.
function keysAt(path: Path): string[] {
  let at: unknown = schema;
  for (const step of path) {
    const inside = bare(at);
    if (inside instanceof z.ZodArray) at = inside.element;
    else if (inside instanceof z.ZodObject) at = inside.shape[String(step)];
  }
  const found = bare(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

function bare(type: unknown): unknown {
  if (type instanceof z.ZodOptional || type instanceof z.ZodDefault) return bare(type.unwrap());
  return type instanceof z.ZodPipe ? bare(type.in) : type;
}
