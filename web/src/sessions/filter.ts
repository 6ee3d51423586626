// Which sessions a search means: every word must be found in its name, agent, host, folder, groups, state or message. Pure.
import type { Session } from '../../../src/api/types.js';

export function matches(session: Session, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = [
    session.name,
    session.id,
    session.agent,
    session.host ?? 'here',
    session.cwd,
    ...session.groups,
    session.state,
    session.status.state,
    session.signal_state ?? '',
    session.signal_message ?? '',
    session.held ?? '',
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
