// Handlers for the short endpoints: the same mail as everywhere, in few words.
import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from '../api/short-routes.js';
import { type DraftDesk, heldOf, MailError, type People, type PostOffice } from '../mail/index.js';
import { type Registry, type Session, SessionError } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { Env } from './auth.js';
import type { Prospects } from './estimate.js';
import { send } from './sending.js';
import { shortAnswer } from './short-answer.js';

// Reminds a session later, whatever happens to the daemon until then.
export interface Reminding {
  remind(reminder: {
    target: string;
    owner: string;
    text: string;
    dueAt: number;
    everyMs: null;
  }): Promise<{ id: string; due_at: number }>;
}

export interface ShortHandlerDeps {
  registry: Registry;
  office: PostOffice;
  desk: DraftDesk;
  people: People;
  reminders: Reminding;
}

// How long urgent mail is waited for.
const URGENT_MS = 5000;
const MOST_LISTED = 10_000;

export function addShortHandlers(app: OpenAPIHono<Env>, deps: ShortHandlerDeps): void {
  const { registry, office, desk, people, reminders } = deps;
  const { messages } = office.ledger;

  app.openapi(routes.shortSend, async (c) => {
    const { text, sender_session_id, ...more } = c.req.valid('json');
    const mode = more.delivery_mode ?? 'sequential';
    const session = resolve(registry, 'session_id', c.req.valid('param').session_id);
    const sender = sender_session_id
      ? resolve(registry, 'sender_session_id', sender_session_id).id
      : undefined;
    const isUrgent = mode === 'urgent';
    const planned = (stored?: string) =>
      office.plan(session, office.identify({ session: sender }), { command: false, mode }, stored);
    // As it was before it was stored.
    const plan = isUrgent ? undefined : await planned();
    const stored = await send(
      { office, people },
      {
        to: [session.id],
        text,
        mode,
        notify_on_delivery: more.notify_on_delivery ?? false,
        ...(sender && { from: { session: sender } }),
        ...(more.timeout_seconds && { timeout_seconds: more.timeout_seconds }),
        ...(more.notify_after_seconds && { notify_after_seconds: more.notify_after_seconds }),
      },
      c.req.header('idempotency-key'),
    ).catch((error: unknown) => {
      throw inShort(error);
    });
    const row = office.find(stored.messages[0]?.id ?? '');
    const now = isUrgent ? await untilDelivered(office, row, c.req.raw.signal) : row;
    c.header(routes.MESSAGE_HEADER, now.id);
    // One that was stored before is not behind itself.
    const latest = stored.repeated && !isUrgent ? await planned(now.id) : plan;
    return c.json(shortAnswer(lookAt(office, now, latest)), 200);
  });

  app.openapi(routes.shortQueue, (c) => {
    const session = resolve(registry, 'session_id', c.req.valid('param').session_id);
    const accepted = messages.accepted(session.id);
    const pending = [...accepted, ...messages.waiting(session.id, MOST_LISTED)];
    return c.json(
      {
        session_id: session.id,
        is_idle: office.statusOf(session).state === 'idle',
        pending_count: accepted.length + messages.waitingCount(session.id),
        pending_messages: pending.map(({ id, sender_name, created_at, expires_at }) => ({
          id,
          sender: sender_name,
          queued_at: time(created_at),
          timeout_at: expires_at === null ? null : time(expires_at),
        })),
        saved_user_input: desk.drafts.openFor(session.id).at(-1)?.text ?? null,
      },
      200,
    );
  });

  app.openapi(routes.shortRemind, async (c) => {
    const { session_id, delay_seconds, message } = c.req.valid('json');
    const session = resolve(registry, 'session_id', session_id);
    const { id, due_at } = await reminders.remind({
      target: session.id,
      owner: session.id,
      text: message,
      dueAt: Math.round(office.deps.clock() + delay_seconds * 1000),
      everyMs: null,
    });
    return c.json({ status: 'scheduled' as const, id, session_id: session.id, due_at: time(due_at) }, 200);
  });
}

const time = (ms: number): string => new Date(ms).toISOString();

// What is wrong is said of the field that it came in.
function resolve(registry: Registry, field: string, ref: string): Session {
  try {
    return registry.resolve(ref);
  } catch (error) {
    if (!(error instanceof SessionError) || !error.input) throw error;
    throw new SessionError(error.problem, error.message, { ...error.input, field });
  }
}

// Here a recipient is called `session_id`, and there is no typing a line into a shell.
function inShort(error: unknown): unknown {
  if (!(error instanceof MailError) || error.input?.field !== 'to') return error;
  const { problem, message, input } = error;
  const expected = problem === 'shell' || problem === 'no_agent' ? 'a session with an agent' : input.expected;
  return new MailError(problem, message, { ...input, field: 'session_id', expected });
}

// Until it is proved, or is over, or the time is. What its agent only has in a queue is not proved.
async function untilDelivered(
  { proofs, deps: { clock } }: PostOffice,
  message: MessageRow,
  signal: AbortSignal,
): Promise<MessageRow> {
  const end = clock() + URGENT_MS;
  const row = await proofs.wait(message, 'submitted', URGENT_MS, signal);
  return row.state === 'accepted' ? proofs.wait(row, 'received', Math.max(0, end - clock()), signal) : row;
}

function lookAt({ ledger: { messages } }: PostOffice, row: MessageRow, plan: Prospects['plan']) {
  const first = messages.next(row.recipient);
  return {
    row,
    plan,
    position: messages.position(row),
    held: heldOf(row)?.reason,
    ahead: first && first.id !== row.id ? { held: heldOf(first)?.reason } : undefined,
    interrupted: messages.events(row.id).some(({ kind }) => kind === 'interrupted'),
  };
}
