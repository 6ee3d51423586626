// Entries put into the text of a JSON file and taken out again: every other byte stays as its owner wrote it.
// Only the parser of jsonc-parser is used: its `modify` lays the lines around an entry out anew, and without its last
// item "[1,2]" becomes "[12]".
import { type Edit, type Node, parseTree } from 'jsonc-parser';

export type Place = readonly string[];

export interface Entry {
  // Of an entry of an object.
  key?: string;
  value: unknown;
}

// Of two properties with one name the last counts.
export function nodeAt(root: Node | undefined, place: Place): Node | undefined {
  return place.reduce<Node | undefined>((node, key) => {
    const properties = node?.type === 'object' ? node.children : undefined;
    return properties?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1];
  }, root);
}

// At the end of the object or the list at a place, laid out like what is there.
export function append(text: string, place: Place, entry: Entry): string {
  const list = nodeAt(parseTree(text), place);
  if (!list) throw new Error(`no ${place.join('.')} to add to`);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const wide = (base: string): string =>
    `${keyOf(entry, ': ')}${JSON.stringify(entry.value, null, indent).replaceAll('\n', eol + base)}`;
  const narrow = `${keyOf(entry, ':')}${JSON.stringify(entry.value)}`;

  const last = list.children?.at(-1);
  if (last) {
    const head = text.slice(0, last.offset);
    const gap = head.slice(head.trimEnd().length);
    const base = gap.slice(gap.lastIndexOf('\n') + 1);
    return insert(text, endOf(last), `,${gap.includes('\n') ? eol + base + wide(base) : gap + narrow}`);
  }
  if (place.length > 0 && !text.includes('\n')) return insert(text, list.offset + 1, narrow);
  const line = text.slice(text.lastIndexOf('\n', list.offset) + 1);
  const base = line.slice(0, line.length - line.trimStart().length);
  const close = innerText(text, list).includes('\n') ? '' : eol + base;
  return insert(text, list.offset + 1, eol + base + indent + wide(base + indent) + close);
}

// Takes items out of an object or a list, with their commas. Where none is left, `inner` stands between the brackets.
export function removal(list: Node, gone: readonly Node[], inner: string): Edit[] {
  const items = list.children ?? [];
  const first = items.find((item) => !gone.includes(item));
  if (!first) return [{ ...between(list.offset + 1, endOf(list) - 1), content: inner }];
  return items.flatMap((item, i) => {
    if (!gone.includes(item)) return [];
    const [previous, next] = [items[i - 1], items[i + 1]];
    // Before the first that stays, with the gap behind it; after it, with the gap in front of it.
    if (next && item.offset < first.offset) return [between(item.offset, next.offset)];
    return previous ? [between(endOf(previous), endOf(item))] : [];
  });
}

export const innerText = (text: string, { offset, length }: Node): string =>
  text.slice(offset + 1, offset + length - 1);

const keyOf = ({ key }: Entry, colon: string): string =>
  key === undefined ? '' : JSON.stringify(key) + colon;

const endOf = ({ offset, length }: Node): number => offset + length;

const between = (start: number, end: number): Edit => ({ offset: start, length: end - start, content: '' });

const insert = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);
