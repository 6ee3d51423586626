// Whom each word of a `to` means, and what is said where it means nobody.
import { describe, expect, test } from 'vitest';
import { type Addressee, isReserved, matches, resolveTo } from './addresses.js';

const one = (id: string, name: string, more: Partial<Addressee> = {}): Addressee => ({
  id,
  name,
  groups: [],
  parent: null,
  presence: 'here',
  ...more,
});

const lead = one('aaaa0001', 'lead', { groups: ['staff'] });
const first = one('aaaa0002', 'worker-1', { parent: lead.id, groups: ['crew'] });
const second = one('aaaa0003', 'worker-2', { parent: lead.id, groups: ['crew', 'staff'] });
const ended = one('aaaa0004', 'worker-3', { parent: lead.id, groups: ['crew'], presence: 'away' });
const shell = one('aaaa0005', 'worker-sh', { parent: lead.id, groups: ['crew'], presence: 'deaf' });
const orphan = one('aaaa0006', 'orphan', { parent: 'bbbb0000' });
const all = [lead, first, second, ended, shell, orphan];

const from = ({ id, name }: Addressee) => ({ session: id, name });
const PERSON = { session: null, name: 'user' };
const meant = (to: string[], sender: { session: string | null; name: string } = PERSON) => {
  const { sessions, person } = resolveTo(all, to, sender);
  return [...sessions.map(({ name }) => name), ...(person ? ['@me'] : [])];
};

describe('means', () => {
  test.each<[string[], { session: string | null; name: string }, string[]]>([
    [['lead'], PERSON, ['lead']],
    [['aaaa0002'], PERSON, ['worker-1']],
    // By name also one that is away, and oneself: that is asked for.
    [['worker-3'], PERSON, ['worker-3']],
    [['lead'], from(lead), ['lead']],
    // A pattern never means one that is away, a shell, or the sender.
    [['worker-*'], PERSON, ['worker-1', 'worker-2']],
    [['worker-?'], from(first), ['worker-2']],
    [['*'], from(lead), ['worker-1', 'worker-2', 'orphan']],
    [['@all'], from(orphan), ['lead', 'worker-1', 'worker-2']],
    // Who was put into a group is meant, though a shell refuses it then and says so.
    [['@crew'], from(second), ['worker-1', 'worker-sh']],
    [['@staff'], PERSON, ['lead', 'worker-2']],
    [['@parent'], from(first), ['lead']],
    [['@children'], from(lead), ['worker-1', 'worker-2', 'worker-sh']],
    [['@me'], from(lead), ['@me']],
    [['user'], from(lead), ['@me']],
    // Each once, however often it is named.
    [['worker-2', '@staff', 'worker-*', '@me', 'user'], PERSON, ['worker-2', 'lead', 'worker-1', '@me']],
  ])('%j from %o: %j', (to, sender, names) => expect(meant(to, sender)).toEqual(names));

  test('a session named "user" comes before the person', () => {
    const named = one('aaaa0009', 'user');
    expect(resolveTo([named], ['user'], PERSON)).toEqual({ sessions: [named], person: false });
    expect(resolveTo([named], ['@me'], PERSON)).toEqual({ sessions: [], person: true });
  });
});

describe('means nobody', () => {
  test.each<[string, { session: string | null; name: string }, string, RegExp]>([
    ['nobody', PERSON, 'not_found', /no such session: nobody/],
    ['web-*', PERSON, 'not_found', /"web-\*": no session that takes mail has a name like web-\*/],
    ['worker-3*', PERSON, 'not_found', /"worker-3\*"/],
    ['@nobody', PERSON, 'not_found', /"@nobody": nobody else is in the group "nobody"/],
    ['@parent', from(lead), 'not_found', /lead was not started by an agent/],
    ['@parent', from(orphan), 'not_found', /orphan was started by one that has gone/],
    ['@parent', PERSON, 'invalid', /@parent is for agents: user is no session/],
    ['@children', PERSON, 'invalid', /@children is for agents/],
    ['@children', from(first), 'not_found', /worker-1 has no children that run/],
  ])('%s from %o', (word, sender, problem, words) => {
    const failed = (): unknown => {
      try {
        return resolveTo(all, [word], sender);
      } catch (error) {
        return error;
      }
    };
    expect(failed()).toMatchObject({
      problem,
      message: expect.stringMatching(words),
      input: { value: word, expected: expect.stringMatching(/./) },
    });
  });

  test('@all of the only session', () => {
    expect(() => resolveTo([lead], ['@all'], from(lead))).toThrow(/no other session can take mail/);
  });
});

describe('a pattern', () => {
  test.each([
    ['*', '', true],
    ['a*', 'a', true],
    ['*a', 'bca', true],
    ['*a', 'bcab', false],
    ['a*b*c', 'a1b2b3c', true],
    ['a*b*c', 'acb', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['a.c*', 'a.cd', true],
    ['?', '*', true],
    ['[ab]*', 'a', false],
  ])('%s and %s: %s', (pattern, name, is) => expect(matches(pattern, name)).toBe(is));

  test('of many stars takes no longer for it', () => {
    expect(matches('*a'.repeat(500), 'a'.repeat(64))).toBe(false);
  });
});

test('words with a meaning of their own are no names of groups', () => {
  expect(['me', 'all', 'parent', 'children', 'crew'].map(isReserved)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
