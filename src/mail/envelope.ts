// A message as it goes into an input box: whole, or as a bell whose text comes by the agent's own hook.
import { BELL } from '../agents/index.js';
import { type Envelope, hasId, squash } from '../composer/index.js';
import type { MessageRow } from '../store/index.js';
import type { Pane } from '../tmux/index.js';
import { bellLine, type Letter, payload, screenMark } from './format.js';

export type Form = 'whole' | 'bell';

export interface Typed extends Envelope {
  form: Form;
  // Those that go along with the first; a bell stands for one alone.
  riders: readonly string[];
}

const letterOf = (message: MessageRow): Letter => ({
  id: message.id,
  text: message.text,
  senderName: message.sender_name,
  senderSession: message.sender_session,
  command: message.command === 1,
});

export function envelopeOf(
  [first, ...riders]: readonly [MessageRow, ...MessageRow[]],
  form: Form = 'whole',
): Typed {
  const letters = [first, ...riders].map(letterOf);
  const text = form === 'bell' ? bellLine(letterOf(first)) : letters.map(payload).join('\n\n');
  // By the last of them: of a text that is higher than its box only the end shows.
  const mark = screenMark(letterOf(riders.at(-1) ?? first));
  return { payload: text, mark, form, riders: riders.map(({ id }) => id) };
}

export const SENT_OR_CLEARED =
  'a person sent it or cleared it; a command carries no id, so the transcript does not tell which';

// Whoever submitted it: it stands on the screen or in what has scrolled off it. The words of a command may stand there for
// other reasons, and a bell of a message does not stand for the whole.
export async function traceOf(pane: Pane, typed: Typed): Promise<'sent' | 'none' | 'unknown'> {
  const all = squash(await pane.capture({ history: true, join: true }));
  const marks = all.split(squash(typed.mark)).slice(1);
  if (!hasId(typed)) return marks.length > 0 ? 'unknown' : 'none';
  const isSent = marks.some((behind) => behind.startsWith(squash(BELL)) === (typed.form === 'bell'));
  return isSent ? 'sent' : 'none';
}
