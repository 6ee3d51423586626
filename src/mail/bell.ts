// Chooses how a message is typed: a long prompt as a bell, where the agent's hooks are known to bring its text.
import { type BellRules, supports } from '../agents/index.js';
import type { MessageRow } from '../store/index.js';
import type { Delivery } from './delivery.js';
import { speaksAs } from './door-way.js';
import { envelopeOf, type Typed } from './envelope.js';
import type { Ledger } from './ledger.js';
import { formOf } from './whereabouts.js';

// Once a message came back from its agent it goes whole: what a bell did not bring is not rung for again.
const cameBack = ({ messages }: Ledger, { id }: MessageRow): boolean =>
  messages.events(id).some(({ kind }) => kind === 'returned' || kind === 'again');

const isLong = ({ text }: MessageRow, { typed }: BellRules): boolean =>
  text.length > typed.characters || text.split('\n').length > typed.lines;

// The text behind a bell is on disk when this resolves: before a key is pressed.
export async function choose(delivery: Delivery, message: MessageRow): Promise<Typed> {
  const whole = envelopeOf(message);
  const { doors, ledger } = delivery.deps;
  const rules = delivery.session.profile.bell;
  const door = doors.of(delivery.session);
  if (!rules || !door?.bell || message.command === 1 || speaksAs(message) !== 'prompt') return whole;
  if (!isLong(message, rules) || whole.payload.length > rules.most || cameBack(ledger, message)) return whole;
  if (!supports(rules, (await delivery.ways()).version)) return whole;
  const { id } = message;
  return door.bell.put({ id, text: whole.payload }) ? envelopeOf(message, 'bell') : whole;
}

// What an attempt has typed: the last one, where none is named.
export const typedAs = ({ deps: { ledger } }: Delivery, message: MessageRow, attempt?: number): Typed =>
  envelopeOf(message, formOf(ledger, message.id, attempt));
