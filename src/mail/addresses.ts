// What a `to` means: a session by name or id, a pattern, a group, kin, everybody, or the person. Pure.
import { resolveRef } from '../sessions/index.js';
import { MailError } from './errors.js';
import { PERSON, type Sender } from './senders.js';

export interface Addressee {
  id: string;
  name: string;
  groups: readonly string[];
  // The session whose agent started it.
  parent: string | null;
  // `away`: its program has ended, or its pane is gone. `deaf`: it runs, and takes no mail, as a shell does.
  presence: 'here' | 'away' | 'deaf';
}

export interface Addressed<T> {
  sessions: T[];
  // The inbox is meant as well, or alone.
  person: boolean;
}

// Not names of groups: each has a meaning of its own.
const RESERVED = ['me', 'all', 'parent', 'children'] as const;
export const isReserved = (group: string): boolean => (RESERVED as readonly string[]).includes(group);

// Everybody who is meant, each once, in the order of the words.
export function resolveTo<T extends Addressee>(
  all: readonly T[],
  to: readonly string[],
  sender: Sender,
): Addressed<T> {
  const sessions = new Set<T>();
  let person = false;
  for (const word of to) {
    if (isPerson(all, word)) person = true;
    else for (const one of meant(all, word, sender)) sessions.add(one);
  }
  return { sessions: [...sessions], person };
}

// In a header a person stands as "user", so an agent may answer to that name. No session is given it; one that has it all the
// same comes first.
const isPerson = (all: readonly Addressee[], word: string): boolean =>
  word === '@me' || (word === PERSON && !all.some(({ name }) => name === PERSON));

function meant<T extends Addressee>(all: readonly T[], word: string, sender: Sender): readonly T[] {
  // By far the most, and no others need to be looked at for it.
  if (!/^@|[*?]/.test(word)) return [resolveRef(all, word)];
  const others = all.filter(({ id, presence }) => id !== sender.session && presence !== 'away');
  const hearing = others.filter(({ presence }) => presence === 'here');
  if (word === '@all') return some(hearing, word, 'no other session can take mail', EVERYBODY);
  if (word === '@parent') return [parentOf(all, sender)];
  if (word === '@children') {
    const own = ownSession(all, word, sender);
    const children = others.filter(({ parent }) => parent === own.id);
    return some(children, word, `${own.name} has no children that run`, 'a session that was started by it');
  }
  if (word.startsWith('@')) {
    const name = word.slice(1);
    const members = others.filter(({ groups }) => groups.includes(name));
    return some(members, word, `nobody else is in the group "${name}"`, groupsOf(all));
  }
  const found = hearing.filter(({ name }) => matches(word, name));
  return some(found, word, `no session that takes mail has a name like ${word}`, namesOf(hearing));
}

const EVERYBODY = 'a session beside the sender; "sm ls" lists them';

function parentOf<T extends Addressee>(all: readonly T[], sender: Sender): T {
  const own = ownSession(all, '@parent', sender);
  const parent = all.find(({ id }) => id === own.parent);
  if (parent) return parent;
  const why = own.parent === null ? 'was not started by an agent' : 'was started by one that has gone';
  throw nobody('@parent', `${own.name} ${why}`, 'the name of a session; "sm ls" lists them');
}

function ownSession<T extends Addressee>(all: readonly T[], word: string, sender: Sender): T {
  const own = all.find(({ id }) => id === sender.session);
  if (own) return own;
  throw new MailError('invalid', `${word} is for agents: ${sender.name} is no session`, {
    field: 'to',
    value: word,
    expected: 'the name of a session; "sm children NAME" lists those of another',
  });
}

function some<T>(found: readonly T[], word: string, why: string, expected: string): readonly T[] {
  if (found.length > 0) return found;
  throw nobody(word, why, expected);
}

const nobody = (word: string, why: string, expected: string): MailError =>
  new MailError('not_found', `nobody is meant by "${word}": ${why}`, { field: 'to', value: word, expected });

const namesOf = (sessions: readonly Addressee[]): string =>
  sessions.length === 0 ? EVERYBODY : `a pattern of: ${listed(sessions.map(({ name }) => name))}`;

function groupsOf(sessions: readonly Addressee[]): string {
  const groups = [...new Set(sessions.flatMap(({ groups: own }) => own))].sort();
  const known = ['me', 'parent', 'children', 'all', ...groups].map((name) => `@${name}`);
  return `one of: ${listed(known)}; "sm group add NAME session…" makes one`;
}

const listed = (words: readonly string[]): string => words.slice(0, 20).join(', ');

// `*` is any number of characters, `?` is one; in a time that grows with the lengths alone, whatever the pattern.
export function matches(pattern: string, name: string): boolean {
  let [p, n] = [0, 0];
  // Where the last star was, and what it has been taken for so far.
  let [star, tried] = [-1, 0];
  while (n < name.length) {
    if (pattern[p] === '*') [star, tried] = [p++, n];
    else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) [p, n] = [p + 1, n + 1];
    else if (star >= 0) [p, n] = [star + 1, ++tried];
    else return false;
  }
  return /^\**$/.test(pattern.slice(p));
}
