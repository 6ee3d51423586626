import { describe, expect, test } from 'vitest';
import { Profiles } from '../agents/index.js';
import { SessionName } from '../api/schemas.js';
import { chooseProfile, resolveRef, uniqueName } from './names.js';

const sessions = [
  { id: 'abc12345', name: 'api' },
  { id: 'abc99999', name: 'web' },
  { id: '0123abcd', name: 'abc' },
];

describe('what a person wrote', () => {
  test.each([
    ['web', 'web'],
    ['abc12345', 'api'],
    ['abc1', 'api'],
    ['012', 'abc'],
    // A name counts before the beginning of an id.
    ['abc', 'abc'],
  ])('%s means %s', (ref, name) => expect(resolveRef(sessions, ref).name).toBe(name));

  test('that could mean two is refused as unclear', () => {
    expect(() => resolveRef(sessions.slice(0, 2), 'abc')).toThrowError(
      expect.objectContaining({
        problem: 'ambiguous',
        input: { field: 'session', value: 'abc', expected: 'one of: api, web' },
      }),
    );
  });

  test.each(['ab', 'ap', 'API', '', 'zzz'])('%j is not guessed at', (ref) => {
    expect(() => resolveRef(sessions, ref)).toThrowError(
      expect.objectContaining({
        problem: 'not_found',
        input: expect.objectContaining({ field: 'session', value: ref, expected: 'one of: api, web, abc' }),
      }),
    );
  });

  test('without any sessions the error says how to start one', () => {
    expect(() => resolveRef([], 'api')).toThrowError(
      expect.objectContaining({
        input: expect.objectContaining({ expected: expect.stringContaining('sm new') }),
      }),
    );
  });
});

describe('a name', () => {
  test('that was asked for is given as it is, or refused', () => {
    expect(uniqueName(sessions, 'new', 'x')).toBe('new');
    expect(() => uniqueName(sessions, 'web', 'x')).toThrowError(
      expect.objectContaining({
        problem: 'name_taken',
        input: { field: 'name', value: 'web', expected: 'a name that no session has' },
      }),
    );
  });

  test.each([
    ['node', 'node'],
    ['api', 'api-2'],
    ['.hidden tool!', 'hiddentool'],
    ['', 'session'],
    ['日本', 'session'],
    ['deadbeef', 's-deadbeef'],
    ['sm', 's-sm'],
    ['User', 's-User'],
    ['x'.repeat(200), 'x'.repeat(50)],
  ])('made from %j is %j, and may be used as one', (program, name) => {
    expect(uniqueName(sessions, undefined, program)).toBe(name);
    expect(SessionName.safeParse(name).success).toBe(true);
  });

  test.each(['sm', 'user', 'User'])('that means somebody else is refused: %s', (name) => {
    const [issue] = SessionName.safeParse(name).error?.issues ?? [];
    expect(issue?.message).toMatch(/^must be another name: "(sm|user)" is what /);
    expect(SessionName.safeParse(`${name}-1`).success).toBe(true);
  });

  test('of our own choosing gets the first free number', () => {
    const taken = ['sh', 'sh-2', 'sh-4'].map((name, i) => ({ id: `0000000${i}`, name }));
    expect(uniqueName(taken, undefined, 'sh')).toBe('sh-3');
  });
});

describe('a profile', () => {
  const profiles = new Profiles();
  test('is told from the command, or the one that was asked for', () => {
    expect(chooseProfile(profiles, undefined, ['claude']).name).toBe('claude');
    expect(chooseProfile(profiles, undefined, ['cat']).name).toBe('generic');
    expect(chooseProfile(profiles, 'codex', ['cat']).name).toBe('codex');
  });

  test('that does not exist is refused with those that do', () => {
    expect(() => chooseProfile(profiles, 'clude', ['cat'])).toThrowError(
      expect.objectContaining({
        problem: 'invalid',
        input: { field: 'agent', value: 'clude', expected: expect.stringContaining('claude') },
      }),
    );
  });
});
