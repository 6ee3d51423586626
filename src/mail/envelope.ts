// A message as it goes into an input box.
import type { Envelope } from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import { type Letter, payload, screenMark } from './format.js';

export const envelopeOf = (message: MessageRow): Envelope => {
  const letter: Letter = {
    id: message.id,
    text: message.text,
    senderName: message.sender_name,
    senderSession: message.sender_session,
    command: message.command === 1,
  };
  return { payload: payload(letter), mark: screenMark(letter) };
};

// Whoever submitted it: it stands on the screen or in what has scrolled off it.
export async function isInTranscript({ pane }: Tracker, message: MessageRow): Promise<boolean> {
  const all = await pane.capture({ history: true, join: true });
  return all.includes(envelopeOf(message).mark);
}
