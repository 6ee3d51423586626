// Messages over HTTP: lists hold as many as are asked for of what is asked for, whatever others have in between.
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClerkDesk } from '../../test/support/clerk-desk.js';
import { resolveRef } from '../sessions/index.js';
import type { MessageRow, NewMessage } from '../store/index.js';
import type { Env } from './auth.js';
import { addMessageHandlers, type MessageHandlerDeps } from './message-handlers.js';

let clerk: ClerkDesk;
let app: OpenAPIHono<Env>;
beforeEach(async () => {
  clerk = await ClerkDesk.open();
  const resolve = (ref: string) => resolveRef(clerk.registry.list(), ref);
  app = new OpenAPIHono<Env>();
  const office = { ledger: clerk.desk.ledger };
  addMessageHandlers(app, { office, registry: { resolve } } as unknown as MessageHandlerDeps);
});
afterEach(() => clerk.desk.close());

const texts = async (query: Record<string, string>): Promise<string[]> => {
  const response = await app.request(`/messages?${new URLSearchParams(query)}`);
  const { messages } = (await response.json()) as { messages: { text: string }[] };
  return messages.map(({ text }) => text);
};
const put = (text: string, recipient: string, more: Partial<NewMessage> = {}): Promise<MessageRow> =>
  clerk.desk.message({ text, recipient, senderSession: null, senderName: 'user', ...more });
const die = (row: MessageRow): Promise<MessageRow> =>
  clerk.desk.ledger.record(row, { kind: 'dead', reason: '8 attempts failed' });

test('dead letters of one session: the newest to or from it', async () => {
  await put('waits', 's');
  await die(await put('first', 's'));
  await die(await put('to it', 's'));
  await die(await put('from it', 'other', { senderSession: 's' }));
  for (const text of ['a', 'b', 'c']) await die(await put(text, 'other'));
  expect(await texts({ dead: 'true', session: 's', limit: '2' })).toEqual(['to it', 'from it']);
  expect(await texts({ dead: 'true', limit: '2' })).toEqual(['b', 'c']);
});

test('a conversation, and what of it concerns one session or still waits', async () => {
  const { id: thread } = await die(await put('begins', 'other'));
  await put('elsewhere', 's');
  await die(await put('given up', 's', { thread }));
  await put('from it', 'other', { thread, senderSession: 's' });
  await put('to it', 's', { thread });
  expect(await texts({ thread, limit: '2' })).toEqual(['begins', 'given up']);
  expect(await texts({ thread, session: 's', limit: '2' })).toEqual(['given up', 'from it']);
  expect(await texts({ thread, pending: 'true', limit: '1' })).toEqual(['from it']);
  expect(await texts({ thread, session: 's', pending: 'true' })).toEqual(['from it', 'to it']);
});
