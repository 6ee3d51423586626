// A message as it goes into an input box: whole, or as a bell whose text comes by the agent's own hook.
import { BELL } from '../agents/index.js';
import { type Envelope, squash } from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import { bellLine, type Letter, payload, screenMark } from './format.js';

export type Form = 'whole' | 'bell';

export interface Typed extends Envelope {
  form: Form;
}

export const envelopeOf = (message: MessageRow, form: Form = 'whole'): Typed => {
  const letter: Letter = {
    id: message.id,
    text: message.text,
    senderName: message.sender_name,
    senderSession: message.sender_session,
    command: message.command === 1,
  };
  return { payload: form === 'bell' ? bellLine(letter) : payload(letter), mark: screenMark(letter), form };
};

// Whoever submitted it: it stands on the screen or in what has scrolled off it. A bell of it does not stand for the whole.
export async function isInTranscript({ pane }: Tracker, message: MessageRow, form: Form): Promise<boolean> {
  const { mark } = envelopeOf(message);
  const all = await pane.capture({ history: true, join: true });
  if (message.command === 1) return all.includes(mark);
  const marks = squash(all).split(squash(mark)).slice(1);
  return marks.some((behind) => behind.startsWith(squash(BELL)) === (form === 'bell'));
}
