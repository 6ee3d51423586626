// Chooses how a message is typed: a long prompt as a bell, where the agent's hooks are known to bring its text.
import { type BellRules, supports } from '../agents/index.js';
import type { MessageRow } from '../store/index.js';
import { isShort, ridersOf } from './batch.js';
import type { Delivery } from './delivery.js';
import { envelopeOf, type Typed } from './envelope.js';
import type { Ledger } from './ledger.js';
import { senderOf, speaksAs } from './rules.js';
import { QUEUE_LOOK } from './turn-in-line.js';
import { formOf, ridersIn } from './whereabouts.js';

// Once a message came back from its agent it goes whole: what a bell did not bring is not rung for again.
const cameBack = ({ messages }: Ledger, { id }: MessageRow): boolean =>
  messages.events(id).some(({ kind }) => kind === 'returned' || kind === 'again');

const isLong = (text: string, { typed }: BellRules): boolean =>
  text.length > typed.characters || text.split('\n').length > typed.lines;

// The text behind a bell is on disk when this resolves: before a key is pressed.
export async function choose(delivery: Delivery, message: MessageRow): Promise<Typed> {
  const rules = await rulesFor(delivery, message);
  const together: [MessageRow, ...MessageRow[]] = [message, ...along(delivery, message, rules)];
  const whole = envelopeOf(together);
  if (!rules || !isLong(message.text, rules) || whole.payload.length > rules.most) return whole;
  const { doors, ledger } = delivery.deps;
  const { bell } = doors.of(delivery.session) ?? {};
  const isPut = bell && !cameBack(ledger, message) && bell.put({ id: message.id, text: whole.payload });
  return isPut ? envelopeOf([message], 'bell') : whole;
}

// Undefined where it is typed whole, however long it is.
async function rulesFor(delivery: Delivery, message: MessageRow): Promise<BellRules | undefined> {
  const rules = delivery.session.profile.bell;
  const door = delivery.deps.doors.of(delivery.session);
  if (!rules || !door?.bell || message.command === 1 || speaksAs(message) !== 'prompt') return undefined;
  return supports(rules, (await delivery.ways()).version) ? rules : undefined;
}

// What goes along with it in one delivery. Nothing makes a text long that would be rung for then, or goes with one that is.
// Into the box goes nothing of a sender whose earlier mail is in the agent's own queue.
export function along(
  delivery: Delivery,
  message: MessageRow,
  by: 'door' | BellRules | undefined,
): MessageRow[] {
  const { ledger, config, clock } = delivery.deps;
  const rules = by === 'door' ? undefined : by;
  const most = config.maxBatchSize;
  const queued = by === 'door' ? [] : ledger.messages.accepted(message.recipient).map(senderOf);
  return ridersOf(message, ledger.messages.pending(message.recipient, QUEUE_LOOK + most), {
    most,
    now: clock(),
    fits: (together) => isShort(together) && !(rules && isLong(joined(together), rules)),
    isBehind: (one) => queued.includes(senderOf(one)),
  });
}

const joined = (messages: readonly MessageRow[]): string =>
  messages.map(({ text }) => `\n\n${text}`).join('\n');

// What an attempt has typed: the last one, where none is named.
export const typedAs = ({ deps: { ledger } }: Delivery, message: MessageRow, attempt?: number): Typed =>
  envelopeOf([message, ...ridersIn(ledger, message.id, attempt)], formOf(ledger, message.id, attempt));
