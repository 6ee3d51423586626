// Reminders over HTTP: who is meant where nobody is named, and what is refused.
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClerkDesk } from '../../test/support/clerk-desk.js';
import { Reminders } from '../mail/reminders.js';
import { identifySender, type SenderClaim } from '../mail/senders.js';
import type { Env } from './auth.js';
import { answerError, answerInvalid } from './errors.js';
import { addReminderHandlers, type ReminderHandlerDeps } from './reminder-handlers.js';

let clerk: ClerkDesk;
let reminders: Reminders;
let app: OpenAPIHono<Env>;

beforeEach(async () => {
  clerk = await ClerkDesk.open();
  reminders = new Reminders({ speaker: clerk.speaker, clockwork: clerk.machine.clockwork });
  const office = {
    identify: (claim: SenderClaim) => identifySender(clerk.registry, claim),
    deps: { registry: clerk.registry, clock: clerk.machine.clock },
  };
  app = new OpenAPIHono<Env>({
    defaultHook: async (result, c) =>
      result.success
        ? undefined
        : answerInvalid(c, result.error.issues, await c.req.json().catch(() => undefined)),
  });
  app.onError((error, c) => answerError(error, c, () => {}));
  addReminderHandlers(app, { office, reminders } as unknown as ReminderHandlerDeps);
});
afterEach(async () => {
  await reminders.dispose();
  await clerk.desk.close();
});

async function ask(method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const response = await app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, json: await response.json() };
}

test('it comes to the session that asks, else to a person, or to whom it names', async () => {
  const to = async (more: object): Promise<unknown> => {
    const { json } = await ask('POST', '/reminders', { text: 'x', in_seconds: 60, ...more });
    return (json as { to: unknown }).to;
  };
  expect(await to({ from: { session: 'other' } })).toEqual({ id: 'other', name: 'other-name' });
  expect(await to({})).toBeNull();
  expect(await to({ from: { session: 'deadbeef', inherited: true } })).toBeNull();
  expect(await to({ to: 's', from: { session: 'other' } })).toEqual({ id: 's', name: 's' });
  expect(await to({ to: '@me', from: { session: 'other' } })).toBeNull();
  expect(await to({ to: 'other*', from: { session: 's' } })).toEqual({ id: 'other', name: 'other-name' });
});

test('it is listed with its times, and cancelled by the beginning of its id', async () => {
  const now = clerk.machine.now;
  const { status, json } = await ask('POST', '/reminders', { text: 'x', every_seconds: 600 });
  const reminder = json as { id: string };
  expect(status).toBe(201);
  expect(json).toMatchObject({
    due_at: new Date(now + 600_000).toISOString(),
    every_seconds: 600,
    fired: 0,
    state: 'waiting',
  });
  expect((await ask('GET', '/reminders')).json).toEqual({ reminders: [reminder] });
  expect((await ask('DELETE', `/reminders/${reminder.id.slice(0, 5)}`)).json).toMatchObject({
    id: reminder.id,
    state: 'cancelled',
  });
  expect((await ask('GET', '/reminders')).json).toEqual({ reminders: [] });
  expect(await ask('DELETE', `/reminders/${reminder.id}`)).toMatchObject({
    status: 409,
    json: { error: { code: 'too_late', field: 'reminder', value: reminder.id } },
  });
});

test.each([
  [{ text: 'x' }, 400, 'in_seconds'],
  [{ text: 'x', in_seconds: -1 }, 400, 'in_seconds'],
  [{ text: 'x', at: '1970-01-01T00:00:00Z' }, 400, 'at'],
  [{ text: 'x', in_seconds: 1, to: 'nobody' }, 404, 'session'],
  [{ text: 'x', in_seconds: 1, to: '@all' }, 400, 'to'],
  [{ text: '', in_seconds: 1 }, 400, 'text'],
  [{ text: 'x', in_seconds: 1, from: { name: 'sm' } }, 400, 'from.name'],
  [{ text: 'x', in_seconds: 1, from: { session: 'deadbeef' } }, 404, 'from.session'],
  [{ text: 'x', in_seconds: 1, from: { session: 'a (b)', inherited: true } }, 404, 'from.session'],
  [{ text: 'x', in_seconds: 1, when: 'now' }, 400, 'when'],
])('%j is refused, and the field is named', async (body, status, field) => {
  expect(await ask('POST', '/reminders', body)).toMatchObject({ status, json: { error: { field } } });
});
