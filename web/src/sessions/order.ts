// In which order sessions stand: the most pressing first, and nothing moves while somebody points at it. Pure.
import type { Session } from '../../../src/api/types.js';
import { type Around, NEEDS, type Need, needOf } from './need.js';

// Those who came while somebody was at the list stand behind all others: so nothing above or beside them moves.
export const SECTIONS = [...NEEDS, 'new'] as const;
export type Section = (typeof SECTIONS)[number];

// Where a session stands. What it needs by now may be something else.
export interface Placed {
  id: string;
  section: Section;
}

export interface Wanted extends Placed {
  section: Need;
}

export function wantedOrder(sessions: readonly Session[], around: Around): Wanted[] {
  return sessions
    .map((session) => ({ session, need: needOf(session, around) }))
    .sort(
      (a, b) =>
        NEEDS.indexOf(a.need) - NEEDS.indexOf(b.need) ||
        urgencyOf(b) - urgencyOf(a) ||
        byTime(a, b) ||
        a.session.name.localeCompare(b.session.name),
    )
    .map(({ session, need }) => ({ id: session.id, section: need }));
}

interface Ranked {
  session: Session;
  need: Need;
}

// Mail that is held up makes a session more interesting among its like.
const urgencyOf = ({ session }: Ranked): number => (session.held ? 1 : 0);

// Who waits for the person has waited longest first; the others stand by name, which never moves.
function byTime(a: Ranked, b: Ranked): number {
  if (a.need !== 'now' && a.need !== 'soon') return 0;
  return sinceOf(a.session).localeCompare(sinceOf(b.session));
}

const sinceOf = (session: Session): string => session.signal_at ?? session.status.since ?? session.created_at;

// As it stands while somebody is at it: who has gone goes, who is new comes last, and nobody changes places.
export function heldOrder(shown: readonly Placed[], wanted: readonly Placed[]): Placed[] {
  const there = new Set(wanted.map(({ id }) => id));
  const known = new Set(shown.map(({ id }) => id));
  const fresh = wanted.filter(({ id }) => !known.has(id));
  return [
    ...shown.filter(({ id }) => there.has(id)),
    ...fresh.map(({ id }) => ({ id, section: 'new' }) as const),
  ];
}

export const sameOrder = (a: readonly Placed[], b: readonly Placed[]): boolean =>
  a.length === b.length && a.every(({ id, section }, at) => b[at]?.id === id && b[at]?.section === section);
