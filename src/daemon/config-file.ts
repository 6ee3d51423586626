// The configuration file as it is written: its keys with their values and lines, and what is no YAML, with its line.
import fs from 'node:fs';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { SECTION } from './config-keys.js';

export interface Problem {
  // Null: of the file as a whole.
  line: number | null;
  message: string;
}

export interface Entry {
  key: string;
  // Below `sm_send:`, where the key stands there.
  section: string | null;
  value: unknown;
  line: number;
  // The line of what is at that path inside the value.
  lineAt: (path: readonly PropertyKey[]) => number;
}

// What is wrong is said, and where.
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly file: string,
    readonly problems: readonly Problem[],
  ) {
    super(sentence(file, problems));
  }
}

// One line for all of them; the file is named once.
function sentence(file: string, problems: readonly Problem[]): string {
  const [first, ...others] = problems;
  const place = (line: number | null, name: string): string =>
    line === null ? name : name ? `${name}:${line}:` : `line ${line}:`;
  const rest = others.map(({ line, message }) => `; ${place(line, '')} ${message}`);
  return `${place(first?.line ?? null, file)} ${first?.message ?? 'is refused'}${rest.join('')}`;
}

// Null when there is none.
export function readSource(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(file, [{ line: null, message: `cannot be read: ${(error as Error).message}` }]);
  }
}

export function parseEntries(file: string, source: string): Entry[] {
  const lines = new LineCounter();
  const document = parseDocument(source, { prettyErrors: false, lineCounter: lines });
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    line: lineOf(pos[0]),
    message: `is no valid YAML: ${message}`,
  }));
  // An alias of what is nowhere named is found by nobody else before it is needed.
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document)) return;
      const line = lineOf(alias.range?.[0] ?? 0);
      problems.push({
        line,
        message: `is no valid YAML: *${alias.source} names nothing; put it in quotes if it is a text`,
      });
    },
  });
  if (problems.length > 0) throw new ConfigError(file, problems.slice(0, 1));
  const { contents } = document;
  // A file of comments alone sets nothing.
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  const form = 'must hold lines of the form "key: value", such as "past_draft: stale"';
  if (!isMap(contents)) throw new ConfigError(file, [{ line: null, message: form }]);
  const top = entriesOf(document, contents, null, lineOf);
  return top.flatMap((entry) => {
    if (entry.key !== SECTION || entry.value === null) return entry.key === SECTION ? [] : [entry];
    const inside = contents.get(SECTION, true);
    if (isMap(inside)) return entriesOf(document, inside, SECTION, lineOf);
    throw new ConfigError(file, [{ line: entry.line, message: `${SECTION}: must hold lines "key: value"` }]);
  });
}

const entriesOf = (
  document: Document,
  map: YAMLMap,
  section: string | null,
  lineOf: (offset: number) => number,
): Entry[] =>
  map.items.map(({ key, value }) => {
    const line = lineOf(startOf(key) ?? 0);
    const node = isNode(value) ? value : undefined;
    return {
      key: String(isScalar(key) ? key.value : key),
      section,
      value: node ? node.toJS(document) : null,
      line,
      lineAt: (path) => {
        const start = startOf(deepest(node, path));
        return start === undefined ? line : lineOf(start);
      },
    };
  });

// The node at the path, or the nearest above it that is there.
function deepest(node: Node | undefined, path: readonly PropertyKey[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined || node === undefined || !('get' in node)) return node;
  const inside = (node as YAMLMap).get(step as string, true);
  return isNode(inside) ? deepest(inside, rest) : node;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
