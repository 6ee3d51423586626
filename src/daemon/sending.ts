// How a request to send becomes messages: whom it names, what it asks for, and what it may be repeated by.
import type { SendRequest, SendResponse } from '../api/types.js';
import { type Key, MailError, type PostOffice, printOf, type SendOptions } from '../mail/index.js';
import { presentMessage, presentPlan } from './present.js';

type Request = Required<Pick<SendRequest, 'to' | 'text'>> & SendRequest;

export async function send(
  office: PostOffice,
  request: Request,
  header: string | undefined,
): Promise<SendResponse> {
  const sessions = request.to.map((ref) => office.deps.registry.resolve(ref));
  const { text, from, dry_run, wait_for } = request;
  if (wait_for) office.proofs.demand(wait_for, sessions, { command: request.command ?? false });
  const sender = office.identify(from ?? {});
  const options = optionsOf(office, request, header);
  if (dry_run) {
    const plans = await Promise.all(sessions.map((session) => office.plan(session, sender, options)));
    return { messages: [], plans: plans.map(presentPlan), repeated: false };
  }
  const { rows, repeated } = await office.send(sessions, text, sender, options);
  return { messages: rows.map((row) => presentMessage(row, office)), plans: [], repeated };
}

function optionsOf(office: PostOffice, request: Request, header: string | undefined): SendOptions {
  const { command = false, mode, force } = request;
  if (force && mode !== 'urgent')
    throw new MailError('invalid', 'force goes with mode urgent alone', {
      field: 'force',
      value: force,
      expected: 'mode "urgent" beside it, or no force',
    });
  const answered = request.in_reply_to === undefined ? undefined : office.find(request.in_reply_to);
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
    inReplyTo: answered?.id,
    thread: answered?.thread,
    key: keyOf(request, header),
  };
}

// What may differ between two tries of the same sending is left out of its print.
function keyOf({ key, from: _, dry_run: __, wait_for: ___, ...rest }: Request, header: string | undefined) {
  if (key !== undefined && header !== undefined && key !== header)
    throw new MailError('invalid', 'the field "key" and the header Idempotency-Key name different keys', {
      field: 'key',
      value: key,
      expected: `"${header}", or only one of the two`,
    });
  const name = key ?? header;
  return name === undefined ? undefined : ({ name, print: printOf(rest) } satisfies Key);
}
