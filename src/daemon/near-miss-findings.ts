// What almost was a signal, as the doctor says it.
import type { Finding } from '../api/types.js';
import type { Session } from '../sessions/index.js';
import type { NearMiss } from '../signals/index.js';
import { note } from './finding.js';

const SHOWN = 100;

export function ofNearMisses({ name }: Session, misses: readonly NearMiss[]): Finding[] {
  const last = misses.at(-1);
  if (!last) return [];
  const text = last.text.length > SHOWN ? `${last.text.slice(0, SHOWN)}…` : last.text;
  const times = misses.length === 1 ? 'once' : `${misses.length} times`;
  const message = `it reported ${times} what is no signal; last by its ${last.door}: ${text} (${last.reason})`;
  return [note(name, message, '"sm logs" has them all; docs/signals.md tells how a signal looks')];
}
