// Handlers for messages: sending them, and what became of them.
import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from '../api/routes.js';
import type { Registry } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { Env } from './auth.js';
import { presentMessage, presentWithEvents } from './present.js';
import { type SendDeps, send } from './sending.js';

export interface MessageHandlerDeps extends SendDeps {
  registry: Registry;
}

export function addMessageHandlers(app: OpenAPIHono<Env>, deps: MessageHandlerDeps): void {
  const { registry, office } = deps;

  app.openapi(routes.sendMessage, async (c) =>
    c.json(await send(deps, c.req.valid('json'), c.req.header('idempotency-key')), 202),
  );

  app.openapi(routes.listMessages, (c) => {
    const { session, pending, dead, thread, q, before, limit } = c.req.valid('query');
    const id = session === undefined ? null : registry.resolve(session).id;
    const { messages } = office.ledger;
    const listed = (): MessageRow[] => {
      if (thread !== undefined) return messages.inThread(thread, limit, { session: id, pending });
      if (q !== undefined || before !== undefined)
        return messages.page(limit, {
          ...(before !== undefined && { before: office.find(before) }),
          ...(q !== undefined && { text: q }),
          session: id,
        });
      if (dead) return messages.dead(limit, id);
      return pending ? messages.waiting(id, limit) : messages.recent(limit, id ?? undefined);
    };
    return c.json({ messages: listed().map((row) => presentMessage(row, office)) }, 200);
  });

  app.openapi(routes.getMessage, (c) => {
    return c.json(presentWithEvents(office.find(c.req.valid('param').message), office), 200);
  });

  app.openapi(routes.cancelMessage, async (c) => {
    const row = await office.cancel(office.find(c.req.valid('param').message));
    return c.json(presentMessage(row, office), 200);
  });

  app.openapi(routes.changeMessage, async (c) => {
    const message = office.find(c.req.valid('param').message);
    return c.json(presentMessage(await office.change(message, c.req.valid('json')), office), 200);
  });

  app.openapi(routes.moveMessage, async (c) => {
    const { before } = c.req.valid('json');
    const message = office.find(c.req.valid('param').message);
    const moved = await office.move(message, before === null ? undefined : office.find(before));
    return c.json(presentMessage(moved, office), 200);
  });

  app.openapi(routes.redeliverMessage, async (c) => {
    const message = office.find(c.req.valid('param').message);
    return c.json(presentMessage(await office.redeliver(message, 'user'), office), 200);
  });

  app.openapi(routes.waitForMessage, async (c) => {
    const message = office.find(c.req.valid('param').message);
    const query = c.req.valid('query');
    const row = await office.proofs.wait(message, query.for, query.timeout * 1000, c.req.raw.signal);
    const now = office.proofs.outcome(row, query.for);
    const outcome = now === 'open' ? ('timeout' as const) : now;
    return c.json({ ...presentMessage(row, office), outcome }, 200);
  });
}
