// A message as it goes into an input box.
import type { Envelope } from '../composer/index.js';
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
