// How an answer finds its way back: from an agent to who sent what it is handling, from a person to who wrote to the inbox.
import type { ReplyRequest, ReplyResponse } from '../api/types.js';
import { type Beside, Handling, isNotice, MailError, type Sender } from '../mail/index.js';
import type { Session } from '../sessions/index.js';
import type { InboxRow, MessageRow } from '../store/index.js';
import { answer, keyOf, optionsOf, type SendDeps } from './sending.js';

type Answered = Pick<MessageRow, 'id' | 'thread' | 'sender_session' | 'sender_name'>;

export async function reply(
  deps: SendDeps,
  { to, text, from, ...how }: ReplyRequest,
  header: string | undefined,
): Promise<ReplyResponse> {
  const { office, people } = deps;
  const sender = office.identify(from ?? {});
  const key = keyOf({ reply: true, to, text, ...how }, header);
  // What was answered then may not be what is handled now.
  const known = office.sending.recall(sender, key);
  if (known) return answered(answer(deps, known));
  const item = sender.session === null ? inboxItem(deps, to) : undefined;
  const message: Answered = item ?? (await handled(deps, sender, to));
  const options = { ...optionsOf(how), inReplyTo: message.id, thread: message.thread, key };
  const target = targetOf(deps, message);
  const mail: Beside =
    target === 'person' ? people.letter({ text, sender, ...options }) : { steps: [], ids: [] };
  // Who answers has read it.
  const beside = item ? { ...mail, steps: [...mail.steps, people.readStep(item)] } : mail;
  const sent = await office.send(target === 'person' ? [] : [target], text, sender, options, beside);
  if (!sent.repeated) {
    people.announce(mail.ids, 'arrived');
    if (item && item.read_at === null) people.announce([item.id], 'read');
  }
  return answered(answer(deps, sent));
}

const answered = (sent: Omit<ReplyResponse, 'answers'>): ReplyResponse => ({
  ...sent,
  answers: (sent.messages[0] ?? sent.inbox[0])?.in_reply_to ?? null,
});

async function handled(
  { office, people }: SendDeps,
  { session: id, name }: Sender,
  to: string | undefined,
): Promise<MessageRow> {
  const session = id === null ? undefined : office.deps.registry.get(id);
  if (!session) throw new MailError('gone', `the session of ${name} has gone`);
  const { ledger, proofs } = office;
  const handling = new Handling({ ledger, inbox: people.inbox, proofs });
  // An agent may answer before what shows that it took the message has been read: else the one before would be answered.
  const coming = to === undefined ? handling.coming(session) : undefined;
  if (coming) await proofs.wait(coming, 'received', SHOWN_MS, new AbortController().signal);
  return handling.find(session, to);
}

// What an agent has taken is shown within some hundred milliseconds.
const SHOWN_MS = 2000;

// A person names the mail, or whose newest unread it is; with unread mail of one sender alone there is nothing to name.
function inboxItem({ people }: SendDeps, to: string | undefined): InboxRow {
  const { inbox } = people;
  if (to !== undefined) {
    const found = people.look(to) ?? inbox.unreadFrom(to);
    if (found) return found;
    throw unnamed(`the inbox has no mail with that id, and none unread from: ${to}`, to);
  }
  const unread = inbox.unread(MOST);
  const senders = new Set(unread.map(({ sender_session, sender_name }) => sender_session ?? sender_name));
  const newest = unread.at(-1);
  if (newest && senders.size === 1) return newest;
  throw newest
    ? unnamed(`${senders.size} senders wait to be read: which of them is answered?`, null)
    : unnamed('nothing in the inbox is unread', null);
}

const MOST = 1000;

const unnamed = (message: string, value: string | null): MailError =>
  new MailError('not_found', message, {
    field: 'to',
    value,
    expected: 'the id of mail in the inbox, or the name of who sent it; "sm inbox --all" lists it',
  });

function targetOf({ office }: SendDeps, message: Answered): Session | 'person' {
  const { sender_session, sender_name, id } = message;
  if (isNotice(message))
    throw new MailError('invalid', `#${id} is word of sm itself: there is nobody to answer`, {
      field: 'to',
      value: id,
      expected: 'a message of a session or of a person',
    });
  if (sender_session === null) return 'person';
  const session = office.deps.registry.get(sender_session);
  if (session && session.row.state !== 'gone') return session;
  throw new MailError('gone', `${sender_name}, who sent #${id}, has gone: the answer is not kept`, {
    field: 'to',
    value: id,
    expected: 'a message whose sender is still there; "sm ls" lists the sessions',
  });
}
