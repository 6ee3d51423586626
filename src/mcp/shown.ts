// What tools show of sessions and messages: what a model can act on, and no more.
import type { Message, SendResponse, Session } from '../api/types.js';

export const shownSession = (session: Session, me: Session | null) => ({
  name: session.name,
  id: session.id,
  agent: session.agent,
  state: session.state,
  status: session.status.state,
  ...(session.status.detail && { detail: session.status.detail }),
  ...(session.signal_state !== null && {
    signal: {
      state: session.signal_state,
      message: session.signal_message,
      seq: session.signal_seq,
      at: session.signal_at,
    },
  }),
  cwd: session.cwd,
  waiting_messages: session.pending,
  ...(session.held && { held: session.held }),
  ...(session.id === me?.id && { you: true }),
});

export const shownMessage = (message: Message) => ({
  id: message.id,
  to: message.to.name,
  from: message.from.name,
  mode: message.mode,
  state: message.state,
  receipt: message.receipt,
  ...(message.queue_position !== null && { queue_position: message.queue_position }),
  ...(message.held && { waits_because: message.held_detail ?? message.held }),
  ...(message.expires_at && { expires_at: message.expires_at }),
  ...(message.in_reply_to && { in_reply_to: message.in_reply_to }),
  sent_at: message.created_at,
});

// What was stored for sessions, and what went to the person.
export const shownSent = ({ messages, inbox }: Pick<SendResponse, 'messages' | 'inbox'>) => ({
  messages: messages.map(shownMessage),
  ...(inbox.length > 0 && { to_the_person: inbox.map(({ id }) => ({ id })) }),
});
