// What is written of messages: each step alone, for whoever puts them together into one unit.
import type { Folded, MessagePhase, MessageRow, NewMessage } from './message-row.js';
import { TOLD } from './tellings.js';
import type { Step } from './writer.js';

// Something may still happen to them.
const OPEN: readonly MessagePhase[] = ['pending', 'attempting', 'accepted'];

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

export const insertMessage = (message: NewMessage): Step => ({
  sql: `INSERT INTO messages (id, recipient, sender_session, sender_name, text, command, mode, past_draft, speaks, surety,
          expires_at, when_idle, force, notify_delivery, notify_after, notify_stop, quiet, in_reply_to, thread, created_at,
          state, receipt)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 'queued'
        WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ? AND removed_at IS NULL)`,
  values: [
    message.id,
    message.recipient,
    message.senderSession,
    message.senderName,
    message.text,
    bit(message.command),
    message.mode,
    message.pastDraft,
    message.speaks,
    message.surety,
    message.expiresAt,
    bit(message.whenIdle),
    bit(message.force),
    bit(message.notify.onDelivery),
    message.notify.after,
    bit(message.notify.onStop),
    bit(message.notify.quiet),
    message.inReplyTo,
    message.thread,
    message.createdAt,
    message.recipient,
  ],
  expect: 1,
});

export const insertEvent = (messageId: string, at: number, kind: string, data: string): Step => ({
  sql: 'INSERT INTO message_events (message_id, at, kind, data) VALUES (?, ?, ?, ?)',
  values: [messageId, at, kind, data],
});

// `from` fences: a message that has moved on meanwhile (cancelled, say) is not moved back.
export const updateFolded = (
  messageId: string,
  from: Pick<Folded, 'state' | 'receipt'>,
  folded: Folded,
): Step => ({
  // One that was given up and is delivered again may be given up again: its sender is to hear of that too.
  sql: `UPDATE messages SET state = ?, receipt = ?, attempts = ?, failures = ?, not_before = ?, lead = ?, held = ?,
          settled_at = ?, turn = ?, told = CASE state WHEN 'dead' THEN told & ~${TOLD.givenUp} ELSE told END
        WHERE id = ? AND state = ? AND receipt = ?`,
  values: [
    folded.state,
    folded.receipt,
    folded.attempts,
    folded.failures,
    folded.not_before,
    folded.lead,
    folded.held,
    folded.settled_at,
    folded.turn,
    messageId,
    from.state,
    from.receipt,
  ],
  expect: 1,
});

export const cancelWaiting = (recipient: string, at: number): Step => ({
  sql: `UPDATE messages SET state = 'cancelled', held = NULL, settled_at = ? WHERE recipient = ? AND (state IN ('pending', 'attempting', 'accepted'))`,
  values: [at, recipient],
});

// A place in a queue, and whose it is to be.
export interface Place {
  id: string;
  from: number;
  to: number;
}

// Those that wait, in another order; each must still wait, in the place that it had: no two may get the same one. First out
// of the way, for that reason.
export const takePlaces = (places: readonly Place[]): Step[] => [
  ...places.map(({ id, from, to }) => ({
    sql: "UPDATE messages SET seq = ? WHERE id = ? AND seq = ? AND state = 'pending'",
    values: [-to, id, from],
    expect: 1,
  })),
  ...places.map(({ to }) => ({ sql: 'UPDATE messages SET seq = ? WHERE seq = ?', values: [to, -to] })),
];

export const changeWaiting = (
  messageId: string,
  { mode, past_draft, when_idle }: Pick<MessageRow, 'mode' | 'past_draft' | 'when_idle'>,
): Step => ({
  sql: "UPDATE messages SET mode = ?, past_draft = ?, when_idle = ? WHERE id = ? AND state = 'pending'",
  values: [mode, past_draft, when_idle, messageId],
  expect: 1,
});

// Fails the unit (Unmet) where its recipient is removed at that moment.
export const liftDeadline = (messageId: string): Step => ({
  sql: `UPDATE messages SET expires_at = NULL
        WHERE id = ? AND EXISTS (SELECT 1 FROM sessions WHERE id = recipient AND removed_at IS NULL)`,
  values: [messageId],
  expect: 1,
});

// The oldest that were over before that moment, with all that happened to them; never what still waits.
export function purgeMessages(before: number, limit: number): Step[] {
  const over = `SELECT seq FROM messages WHERE settled_at < ? AND state NOT IN (${OPEN.map((state) => `'${state}'`).join(', ')}) ORDER BY seq LIMIT ?`;
  return [
    {
      sql: `DELETE FROM message_events WHERE message_id IN (SELECT id FROM messages WHERE seq IN (${over}))`,
      values: [before, limit],
    },
    { sql: `DELETE FROM messages WHERE seq IN (${over})`, values: [before, limit] },
  ];
}
