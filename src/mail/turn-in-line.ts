// Whose turn it is in a queue: the first that may go now, never ahead of what the same sender sent before.
import { type Status, surenessOf } from '../agents/index.js';
import type { MessageRow } from '../store/index.js';
import { LONGEST_RETRY_MS } from './failing.js';
import type { Hold } from './gate.js';
import { senderOf } from './rules.js';

// So many of a queue are looked at for one that may go.
export const QUEUE_LOOK = 50;
// A program of which nothing else is known counts as idle once it has printed nothing for this long.
const SILENT_MS = 5000;

export interface Circumstances {
  now: number;
  status: Pick<Status, 'state' | 'source'>;
  // Since when its agent is busy by its own word.
  busySince: number | null;
  // When it printed last, where that is known.
  lastOutputAt: number | undefined;
}

type Waiting = Pick<
  MessageRow,
  'mode' | 'when_idle' | 'not_before' | 'failures' | 'sender_session' | 'sender_name' | 'created_at'
>;

// Why a message has to let others go first; undefined where it may go.
export function gateOf(
  message: Waiting,
  { now, status, busySince, lastOutputAt }: Circumstances,
): Hold | undefined {
  const { not_before: notBefore, failures } = message;
  // What is further off than any retry was reckoned by a clock that was ahead: that time is not waited for.
  if (notBefore !== null && notBefore > now && notBefore <= now + LONGEST_RETRY_MS)
    return {
      reason: 'failed_before',
      detail: `${failures} ${failures === 1 ? 'attempt has' : 'attempts have'} failed; the next one waits a while`,
      retryAt: notBefore,
    };
  if (busySince !== null && message.mode === 'sequential')
    return {
      reason: 'busy',
      detail: 'its agent has said that it is busy ("sm busy"); "sm ready" lets mail go on',
    };
  const isGuess = status.state === 'unknown' || surenessOf(status) === 'guess';
  if (message.when_idle === 0 || (status.state === 'idle' && !isGuess)) return undefined;
  if (!isGuess)
    return { reason: 'not_idle', detail: `it is to go once its agent is idle; it is ${status.state}` };
  const quietAt = Math.max(lastOutputAt ?? 0, message.created_at) + SILENT_MS;
  if (now >= quietAt) return undefined;
  return {
    reason: 'not_idle',
    detail: 'it is to go once its program is idle; nothing tells that but its silence',
    retryAt: quietAt,
  };
}

export type Turn<Row> = { message: Row } | { message: Row; hold: Hold } | undefined;

// Each sender's mail keeps its order; others need not wait for one whose mail may not go yet.
export function firstInLine<Row extends Waiting>(queue: readonly Row[], facts: Circumstances): Turn<Row> {
  const blocked = new Set<string>();
  let first: Turn<Row>;
  for (const message of queue) {
    const sender = senderOf(message);
    const hold = gateOf(message, facts);
    if (!hold && !blocked.has(sender)) return { message };
    blocked.add(sender);
    if (hold) first ??= { message, hold };
  }
  return first;
}
