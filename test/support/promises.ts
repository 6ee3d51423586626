// A small model of the promises, made without the code that keeps them: what the log of a message allows its agent to have seen.
import type { MessageWithEvents } from '../../src/api/types.js';

export interface Seen {
  // How often its agent logged it as submitted, whole and alone.
  times: number;
  // Where it stood among all that its agent took.
  at: number;
}

type Fact = MessageWithEvents['events'][number];

const RECEIPTS = ['queued', 'typed', 'submitted', 'received', 'done'];
const last = (events: readonly Fact[], ...kinds: string[]): Fact | undefined =>
  events.findLast(({ kind }) => kinds.includes(kind));

// Everything that is wrong with what is claimed of one message, in words.
export function faultsOf(message: MessageWithEvents, seen: Seen): string[] {
  const { events, state, receipt, expires_at } = message;
  const wrong: string[] = [];
  const end = last(
    events,
    'submitted',
    'received',
    'done',
    'cancelled',
    'expired',
    'dead',
    'uncertain',
  )?.kind;
  const isUncertain = end === 'uncertain';
  const again = events.some(({ kind }) => kind === 'again');
  const proved = RECEIPTS.indexOf(receipt) >= RECEIPTS.indexOf('submitted') && !isUncertain;
  if (proved && seen.times !== 1 && !(again && seen.times > 1))
    wrong.push(`${receipt}, and taken ${seen.times} times`);
  if (isUncertain && seen.times > 1) wrong.push(`uncertain, and taken ${seen.times} times`);
  if (['expired', 'dead'].includes(state) && seen.times > 0) wrong.push(`${state}, and taken all the same`);
  if (state === 'cancelled' && seen.times > 0 && !givenUp(events))
    wrong.push('cancelled, and taken all the same');
  if (['pending', 'attempting'].includes(state)) wrong.push(`still ${state}: ${message.held_detail}`);
  wrong.push(...outOfTurn(events));
  if (expires_at !== null) {
    const late = events.find(({ kind, at }) => kind === 'attempt' && at > expires_at);
    if (late) wrong.push(`an attempt began at ${late.at}, after its time was over at ${expires_at}`);
    const early = events.find(({ kind, at }) => kind === 'expired' && at < expires_at);
    if (early) wrong.push(`it expired at ${early.at}, before its time at ${expires_at}`);
  } else if (state === 'expired') wrong.push('expired without a deadline');
  return wrong;
}

// Given up while its text might have stood in the box: then it may have been taken.
const givenUp = (events: readonly Fact[]): boolean =>
  events.some(({ kind }) => kind === 'typed' || kind === 'attempt');

// Whatever comes first: nothing is typed without an attempt, submitted without one, received before it was on its way, or
// done before it was received; and attempts are counted without a gap.
function outOfTurn(events: readonly Fact[]): string[] {
  const wrong: string[] = [];
  let attempts = 0;
  const had = new Set<string>();
  if (events[0]?.kind !== 'queued') wrong.push(`its life begins with ${events[0]?.kind}`);
  for (const { kind, data } of events) {
    if (kind === 'attempt') {
      if (data.n !== attempts + 1) wrong.push(`attempt ${data.n} after ${attempts}`);
      attempts = Number(data.n);
    }
    if (['typed', 'submitted', 'accepted', 'refused', 'uncertain'].includes(kind) && attempts === 0)
      wrong.push(`${kind} without an attempt`);
    if (kind === 'received' && attempts === 0) wrong.push('received without an attempt');
    if (kind === 'done' && !had.has('received')) wrong.push('done without being received');
    if (['cancelled', 'expired'].some((over) => had.has(over))) wrong.push(`${kind} after it was over`);
    had.add(kind);
  }
  return wrong;
}

// Of one sender to one recipient, those of one mode arrive in the order in which they were sent. One that was delivered more
// than once, or that nobody is sure of, proves nothing here.
export function outOfOrder(messages: readonly (MessageWithEvents & Seen)[]): string[] {
  const lanes = new Map<string, (MessageWithEvents & Seen)[]>();
  for (const message of messages) {
    if (message.times !== 1 || message.events.some(({ kind }) => kind === 'again' || kind === 'returned'))
      continue;
    const lane = `${message.from.name} ${message.to.id} ${message.mode} ${message.when}`;
    lanes.set(lane, [...(lanes.get(lane) ?? []), message]);
  }
  return [...lanes].flatMap(([lane, sent]) =>
    sent.flatMap((message, i) =>
      i > 0 && message.at < (sent[i - 1] as Seen).at
        ? [`${lane}: ${message.id} came before ${sent[i - 1]?.id}`]
        : [],
    ),
  );
}
