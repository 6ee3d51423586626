// Our hooks in the text of a settings file: put in behind the user's, and taken out. Nothing else in it changes.
import { applyEdits, type Edit, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { append, innerText, nodeAt, type Place, removal } from './json-text.js';

interface HookGroup {
  hooks: Readonly<Record<string, unknown>>[];
  [other: string]: unknown;
}
export type HookSettings = Record<string, HookGroup[]>;

// The JSON in a text, without the mark that may stand before it.
export const jsonIn = (text: string): string => text.slice(markOf(text).length);

const markOf = (text: string): string => (text.startsWith('\ufeff') ? '\ufeff' : '');

export const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

export function withHooks(before: string, ours: HookSettings): string {
  const given = jsonIn(before);
  const text = isBlank(given) ? `{}${given || '\n'}` : given;
  const root = parseTree(text);
  const added = nodeAt(root, ['hooks'])
    ? Object.entries(ours).reduce(
        (so, [event, groups]) =>
          nodeAt(root, ['hooks', event])
            ? groups.reduce((all, value) => append(all, ['hooks', event], { value }), so)
            : append(so, ['hooks'], { key: event, value: groups }),
        text,
      )
    : append(text, [], { key: 'hooks', value: ours });
  return markOf(before) + added;
}

// A list that held only ours goes with them, unless it stood empty in `before`: then it is the user's.
export function withoutHooks(now: string, before: string, isOurs: (hook: unknown) => boolean): string {
  const text = jsonIn(now);
  const known = jsonIn(before);
  const knownRoot = parseTree(known);
  const edits: Edit[] = [];
  // What stood between the brackets of a list without items.
  const emptied = (...place: Place): string | undefined => {
    const list = nodeAt(knownRoot, place);
    return list?.children?.length === 0 ? innerText(known, list) : undefined;
  };
  // True when the list as a whole is to go.
  const takeOut = (list: Node | undefined, isGone: (item: Node) => boolean, inner?: string): boolean => {
    const gone = list?.children?.filter(isGone) ?? [];
    if (!list || gone.length === 0) return false;
    if (gone.length === list.children?.length && inner === undefined) return true;
    edits.push(...removal(list, gone, inner ?? ''));
    return false;
  };
  const isGone = (hook: Node): boolean => isOurs(getNodeValue(hook));
  const isGoneGroup = (group: Node): boolean => takeOut(nodeAt(group, ['hooks']), isGone);
  const isGoneEvent = (event: Node): boolean =>
    takeOut(contentOf(event), isGoneGroup, emptied('hooks', keyOf(event)));
  const isGoneProperty = (property: Node): boolean =>
    keyOf(property) === 'hooks' && takeOut(contentOf(property), isGoneEvent, emptied('hooks'));
  takeOut(parseTree(text), isGoneProperty, emptied() ?? '');
  return markOf(now) + applyEdits(text, edits);
}

const keyOf = (property: Node): string => property.children?.[0]?.value;
const contentOf = (property: Node): Node | undefined => property.children?.[1];
