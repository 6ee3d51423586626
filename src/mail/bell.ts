// Chooses how a message is typed: a long prompt as a bell, where the agent's hooks are known to bring its text.
import { type BellRules, supports } from '../agents/index.js';
import type { MessageRow } from '../store/index.js';
import { isShort, ridersOf } from './batch.js';
import type { Delivery } from './delivery.js';
import { envelopeOf, type Typed } from './envelope.js';
import type { Ledger } from './ledger.js';
import { speaksAs } from './rules.js';
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
export function along(delivery: Delivery, message: MessageRow, rules?: BellRules): MessageRow[] {
  const { ledger, config } = delivery.deps;
  const most = config.maxBatchSize;
  const queue = ledger.messages.pending(message.recipient, QUEUE_LOOK + most);
  const behind = queue.slice(queue.findIndex(({ id }) => id === message.id) + 1);
  const fits = (together: readonly MessageRow[]): boolean =>
    isShort(together) && !(rules && isLong(together.map(({ text }) => `\n\n${text}`).join('\n'), rules));
  return ridersOf(message, behind, { most, fits });
}

// What an attempt has typed: the last one, where none is named.
export const typedAs = ({ deps: { ledger } }: Delivery, message: MessageRow, attempt?: number): Typed =>
  envelopeOf([message, ...ridersIn(ledger, message.id, attempt)], formOf(ledger, message.id, attempt));
