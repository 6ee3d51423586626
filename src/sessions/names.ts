// Names and ids of sessions: finding one by what a person wrote, and giving one that is free.
import { GENERIC, type Profile, type Profiles } from '../agents/index.js';
import { SessionError } from './errors.js';

interface Named {
  id: string;
  name: string;
}

export function resolveRef<T extends Named>(sessions: readonly T[], ref: string): T {
  const exact = sessions.find(({ id, name }) => name === ref || id === ref);
  if (exact) return exact;
  const matching = /^[0-9a-f]{3,8}$/.test(ref) ? sessions.filter(({ id }) => id.startsWith(ref)) : [];
  if (matching.length === 1) return matching[0] as T;
  const names = sessions.map(({ name }) => name);
  const expected = names.length
    ? `one of: ${names.slice(0, 20).join(', ')}`
    : 'there are no sessions; "sm new" starts one';
  const input = { field: 'session', value: ref, expected };
  if (matching.length > 1)
    throw new SessionError('ambiguous', `"${ref}" is the beginning of several session ids`, input);
  throw new SessionError('not_found', `no such session: ${ref}`, input);
}

// Ids, and the names that Suremail itself and a person send under.
const meansAnother = (name: string): boolean => /^[0-9a-f]{8}$/.test(name) || /^(?:sm|user)$/i.test(name);

// A name that was asked for must be free; one of our own choosing gets a number.
export function uniqueName(sessions: readonly Named[], asked: string | undefined, fallback: string): string {
  const taken = new Set(sessions.map(({ name }) => name));
  if (asked !== undefined) {
    if (!taken.has(asked)) return asked;
    throw new SessionError('name_taken', `a session named "${asked}" exists`, {
      field: 'name',
      value: asked,
      expected: 'a name that no session has',
    });
  }
  const base =
    fallback
      .replace(/[^A-Za-z0-9._-]/g, '')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 50) || 'session';
  const safe = meansAnother(base) ? `s-${base}` : base;
  if (!taken.has(safe)) return safe;
  for (let n = 2; ; n++) if (!taken.has(`${safe}-${n}`)) return `${safe}-${n}`;
}

// The profile that was asked for, or the one that recognises the command.
export function chooseProfile(
  profiles: Profiles,
  name: string | undefined,
  argv: readonly string[],
): Profile {
  if (name === undefined) return profiles.recognise(argv) ?? GENERIC;
  const profile = profiles.find(name);
  if (profile) return profile;
  const expected = `one of: ${[GENERIC.name, ...profiles.names].join(', ')}`;
  throw new SessionError('invalid', `no such agent: ${name}`, { field: 'agent', value: name, expected });
}
