// Handlers for reminders.
import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from '../api/routes.js';
import type { Reminder, RemindRequest } from '../api/types.js';
import { MailError, type PostOffice, type Reminders, type Sender, senderPresent } from '../mail/index.js';
import type { TimerRow } from '../store/index.js';
import type { Env } from './auth.js';
import { recipientsOf } from './sending.js';

export interface ReminderHandlerDeps {
  office: PostOffice;
  reminders: Reminders;
}

export function addReminderHandlers(app: OpenAPIHono<Env>, { office, reminders }: ReminderHandlerDeps): void {
  app.openapi(routes.remind, async (c) => {
    const reminder = await remind(office, reminders, c.req.valid('json'));
    return c.json(present(reminder, office), 201);
  });

  app.openapi(routes.listReminders, (c) => {
    const rows = reminders.list(c.req.valid('query').limit);
    return c.json({ reminders: rows.map((row) => present(row, office)) }, 200);
  });

  app.openapi(routes.cancelReminder, async (c) => {
    const cancelled = await reminders.cancel(reminders.find(c.req.valid('param').reminder));
    return c.json(present(cancelled, office), 200);
  });
}

export function remind(office: PostOffice, reminders: Reminders, request: RemindRequest): Promise<TimerRow> {
  const { text, to, every_seconds: every } = request;
  const sender = office.identify(request.from ?? {});
  const owner = senderPresent(office.deps.registry, sender);
  const target = to === undefined ? owner : oneOf(office, to, sender);
  const everyMs = every === undefined ? null : every * 1000;
  return reminders.remind({ target, owner, text, dueAt: dueAt(request, office.deps.clock()), everyMs });
}

// A session, or null for a person.
function oneOf(office: PostOffice, to: string, sender: Sender): string | null {
  const { sessions } = recipientsOf(office, [to], sender, { command: false });
  if (sessions.length <= 1) return sessions[0]?.id ?? null;
  throw new MailError('invalid', `"${to}" means ${sessions.length} sessions, and a reminder is for one`, {
    field: 'to',
    value: to,
    expected: `one of: ${sessions.map(({ name }) => name).join(', ')}`,
  });
}

function dueAt({ at, in_seconds, every_seconds }: RemindRequest, now: number): number {
  if (at === undefined) return now + (in_seconds ?? every_seconds ?? 0) * 1000;
  const due = Date.parse(at);
  if (due > now) return due;
  throw new MailError('invalid', `at: ${at} is over`, { field: 'at', value: at, expected: 'a time to come' });
}

function present(row: TimerRow, office: PostOffice): Reminder {
  const named = (id: string | null): Reminder['to'] =>
    id === null ? null : { id, name: office.deps.registry.get(id)?.name ?? id };
  return {
    id: row.id,
    to: named(row.target),
    from: named(row.owner),
    text: row.text,
    due_at: new Date(row.due_at).toISOString(),
    every_seconds: row.every_ms === null ? null : row.every_ms / 1000,
    fired: row.fired,
    state: row.state,
    created_at: new Date(row.created_at).toISOString(),
  };
}
