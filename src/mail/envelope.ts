// A message as it goes into an input box.
import { type Envelope, hasId } from '../composer/index.js';
import type { MessageRow } from '../store/index.js';
import type { Pane } from '../tmux/index.js';
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

export const SENT_OR_CLEARED =
  'a person sent it or cleared it; a command carries no id, so the transcript does not tell which';

// Whoever submitted it: it stands on the screen or in what has scrolled off it. The words of a command may stand there for
// other reasons.
export async function traceOf(pane: Pane, envelope: Envelope): Promise<'sent' | 'none' | 'unknown'> {
  const all = await pane.capture({ history: true, join: true });
  if (!all.includes(envelope.mark)) return 'none';
  return hasId(envelope) ? 'sent' : 'unknown';
}
