// How a request to send becomes messages: whom it names, what it asks for, and what it may be repeated by.
import { short } from '../api/invalid.js';
import { MAX_KEY_CHARACTERS } from '../api/message-schemas.js';
import type { SendRequest, SendResponse } from '../api/types.js';
import {
  type Addressee,
  type Key,
  MailError,
  type People,
  type PostOffice,
  printOf,
  refusalOf,
  resolveTo,
  type Sender,
  type SendOptions,
  type Sent,
} from '../mail/index.js';
import type { Session } from '../sessions/index.js';
import { presentInboxItem, presentMessage, presentPlan } from './present.js';

export interface SendDeps {
  office: PostOffice;
  people: People;
}

type Request = Required<Pick<SendRequest, 'to' | 'text'>> & SendRequest;

export async function send(
  deps: SendDeps,
  request: Request,
  header: string | undefined,
): Promise<SendResponse> {
  const { office, people } = deps;
  const { text, from, dry_run, wait_for, command = false } = request;
  const sender = office.identify(from ?? {});
  const key = keyOf(request, header);
  // Whoever was meant then may be gone by now.
  const known = dry_run ? undefined : office.sending.recall(sender, key);
  if (known) return answer(deps, known);
  const { sessions, person } = recipientsOf(office, request.to, sender, { command });
  if (person) checkForPerson(request, sessions);
  if (wait_for) office.proofs.demand(wait_for, sessions, { command });
  const options = { ...optionsOf(request), ...answeredBy(deps, request.in_reply_to), key };
  if (dry_run) {
    const plans = await Promise.all(sessions.map((session) => office.plan(session, sender, options)));
    return {
      messages: [],
      inbox: [],
      plans: [...plans.map(presentPlan), ...(person ? [INBOX_PLAN] : [])],
      repeated: false,
    };
  }
  const beside = person ? people.letter({ text, sender, ...options }) : { steps: [], ids: [] };
  const sent = await office.send(sessions, text, sender, options, beside);
  if (!sent.repeated) people.announce(beside.ids, 'arrived');
  return answer(deps, sent);
}

export const answer = ({ office, people }: SendDeps, { ids, rows, repeated }: Sent): SendResponse => ({
  messages: rows.map((row) => presentMessage(row, office)),
  // Messages are none of the inbox's.
  inbox: ids.length > rows.length ? people.among(ids).map(presentInboxItem) : [],
  plans: [],
  repeated,
});

const INBOX_PLAN: SendResponse['plans'][number] = {
  to: { id: '@me', name: '@me' },
  way: 'inbox',
  reason: 'person',
  detail: 'it goes into the inbox; "sm inbox" shows it',
  proves: 'queued',
};

// Whom a request means.
export function recipientsOf(
  office: PostOffice,
  to: readonly string[],
  sender: Sender,
  { command }: { command: boolean },
): { sessions: Session[]; person: boolean } {
  const { registry } = office.deps;
  const all = registry.list().map((session) => new Candidate(session, command));
  const { sessions, person } = resolveTo(all, to, sender);
  return { sessions: sessions.map(({ session }) => session), person };
}

// What is costly to know is asked for only where a word needs it.
class Candidate implements Addressee {
  readonly id: string;
  readonly name: string;

  constructor(
    readonly session: Session,
    readonly command: boolean,
  ) {
    this.id = session.id;
    this.name = session.name;
  }

  get groups(): string[] {
    return this.session.groups;
  }

  get parent(): string | null {
    return this.session.row.parent;
  }

  get presence(): Addressee['presence'] {
    const { state } = this.session.row;
    if (state === 'ended' || state === 'gone') return 'away';
    return refusalOf(this.session, this.command) ? 'deaf' : 'here';
  }
}

// What an inbox cannot do is refused, rather than left out without a word.
function checkForPerson(request: Request, sessions: readonly Session[]): void {
  const refused = (field: keyof Request, value: unknown): MailError =>
    new MailError(field === 'wait_for' ? 'cannot_prove' : 'invalid', `${field} is not for mail to a person`, {
      field,
      value,
      expected: 'a session, or to leave it out for @me',
    });
  if (request.command) throw refused('command', true);
  if (request.wait_for) throw refused('wait_for', request.wait_for);
  // Beside sessions it is meant for those.
  if (sessions.length > 0) return;
  for (const field of [
    'notify_on_delivery',
    'notify_after_seconds',
    'notify_on_stop',
    'timeout_seconds',
  ] as const)
    if (request[field]) throw refused(field, request[field]);
  if (request.when === 'idle') throw refused('when', 'idle');
}

// The message or the mail in the inbox that is answered, and the conversation of both.
function answeredBy(
  { office, people }: SendDeps,
  ref: string | undefined,
): Pick<SendOptions, 'inReplyTo' | 'thread'> {
  if (ref === undefined) return {};
  const { id, thread } = people.look(ref) ?? office.find(ref);
  return { inReplyTo: id, thread };
}

export type HowToSend = Omit<
  SendRequest,
  'to' | 'text' | 'from' | 'dry_run' | 'wait_for' | 'in_reply_to' | 'key'
>;

export function optionsOf(request: HowToSend): SendOptions {
  const { command = false, mode, force } = request;
  if (force && mode !== 'urgent')
    throw new MailError('invalid', 'force goes with mode urgent alone', {
      field: 'force',
      value: force,
      expected: 'mode "urgent" beside it, or no force',
    });
  return {
    command,
    mode,
    speaks: request.as,
    surety: request.surety,
    pastDraft: request.past_draft,
    timeoutMs: request.timeout_seconds === undefined ? undefined : request.timeout_seconds * 1000,
    whenIdle: request.when === 'idle',
    force,
    notify: {
      onDelivery: request.notify_on_delivery ?? false,
      after: request.notify_after_seconds === undefined ? null : request.notify_after_seconds * 1000,
      onStop: request.notify_on_stop ?? false,
      quiet: request.quiet ?? false,
    },
  };
}

type Keyed = Readonly<Record<string, unknown>> & { key?: string | undefined };

// What may differ between two tries of the same sending is left out of its print.
export function keyOf(
  { key, from: _, dry_run: __, wait_for: ___, ...rest }: Keyed,
  header: string | undefined,
): Key | undefined {
  const name = keyName(key, header);
  return name === undefined ? undefined : { name, print: printOf(rest) };
}

// By what a request may be repeated: its field or its header, which must not differ.
export function keyName(key: string | undefined, header: string | undefined): string | undefined {
  if (header !== undefined && (header === '' || header.length > MAX_KEY_CHARACTERS))
    throw new MailError('invalid', 'the header Idempotency-Key is not a key', {
      field: 'Idempotency-Key',
      value: short(header),
      expected: `1 to ${MAX_KEY_CHARACTERS} characters, or no such header`,
    });
  if (key !== undefined && header !== undefined && key !== header)
    throw new MailError('invalid', 'the field "key" and the header Idempotency-Key name different keys', {
      field: 'key',
      value: key,
      expected: `"${header}", or only one of the two`,
    });
  return key ?? header;
}
