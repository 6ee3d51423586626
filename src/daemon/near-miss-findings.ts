// What almost was a signal, as the doctor says it.
import type { Finding } from '../api/types.js';
import type { Session } from '../sessions/index.js';
import { MOST_KEPT, type NearMiss } from '../signals/index.js';
import { note } from './finding.js';

const SHOWN = 100;

export function ofNearMisses({ name }: Session, misses: readonly NearMiss[]): Finding[] {
  const last = misses.at(-1);
  if (!last) return [];
  const text = last.text.length > SHOWN ? `${last.text.slice(0, SHOWN)}…` : last.text;
  const many = misses.length < MOST_KEPT ? `${misses.length} times` : `${MOST_KEPT} times or more`;
  const times = misses.length === 1 ? 'once' : many;
  const message = `it reported ${times} what is no signal; last by its ${last.door}: ${text} (${last.reason})`;
  return [
    note(
      name,
      message,
      '"sm logs" has the first ten of each minute; docs/signals.md tells how a signal looks',
    ),
  ];
}
