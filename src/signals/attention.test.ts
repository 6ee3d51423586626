// Who asks for attention.
import { expect, test } from 'vitest';
import type { Status } from '../agents/index.js';
import { blankRow, Session } from '../sessions/session.js';
import { reported } from '../sessions/status.js';
import { askingFor } from './attention.js';

const config = { signalStates: { blocked: { urgency: 'normal', attention: true } } } as const;

function session(state: string | null, at: number, status: Partial<Status> = {}): Session {
  const known = { epoch: 1, state: 'idle', since: 0, source: 'hook', detail: null, ...status };
  const row = { ...blankRow(`${state} ${at}`, 0), state: 'live' as const, status: JSON.stringify(known) };
  return new Session({ ...row, signal_state: state, signal_at: at }, {} as never);
}
const asking = (...sessions: Session[]): string[] =>
  askingFor(sessions, config).map(({ session: { id } }) => id);

test('the most urgent first, then whoever has waited longest; nobody whose state asks for none', () => {
  const all = [
    session('completed', 1),
    session('working', 1),
    session('needs_input', 5),
    session('blocked', 2),
    session('error', 3),
    session(null, 0),
    session('configured_no_more', 1),
  ];
  expect(asking(...all)).toEqual(['error 3', 'needs_input 5', 'completed 1', 'blocked 2']);
});

test('one that works again since has what it asked for; a screen alone does not tell', () => {
  expect(asking(session('needs_input', 5, { state: 'busy', since: 6 }))).toEqual([]);
  expect(asking(session('needs_input', 5, { state: 'busy', since: 4 }))).toEqual(['needs_input 5']);
  expect(asking(session('needs_input', 5, { state: 'busy', since: 6, source: 'screen' }))).toEqual([
    'needs_input 5',
  ]);
});

test('one that has gone on does not ask again once it rests: answered, or dismissed with Escape', () => {
  const tell = (one: Session, state: Status['state'], since: number): void => {
    Object.assign(one.row, reported(one, { state, since, source: 'hook', detail: null }));
  };
  const answered = session('needs_input', 5, { state: 'waiting', since: 5 });
  const dismissed = session('needs_input', 5, { state: 'waiting', since: 5 });
  const worked = session('completed', 5);
  const untouched = session('completed', 6, { state: 'busy', since: 4 });
  expect(asking(answered, dismissed, worked)).toHaveLength(3);
  for (const one of [answered, worked]) {
    tell(one, 'busy', 7);
    tell(one, 'idle', 8);
  }
  tell(dismissed, 'idle', 7);
  tell(untouched, 'idle', 9);
  expect(asking(answered, dismissed, worked, untouched)).toEqual(['completed 6']);
});
