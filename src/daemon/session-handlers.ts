// Handlers for sessions: who they are, starting and ending them, and what their panes show.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { TypedResponse } from 'hono';
import { stream } from 'hono/streaming';
import * as routes from '../api/routes.js';
import { type PostOffice, senderPresent } from '../mail/index.js';
import {
  adoptSession,
  listCandidates,
  type Registry,
  SessionError,
  startSession,
} from '../sessions/index.js';
import type { Env } from './auth.js';
import { requireReached } from './host-handlers.js';
import { followOutput, lastLines } from './output.js';
import { presentSession } from './present.js';

export interface SessionHandlerDeps {
  registry: Registry;
  office: PostOffice;
}

export function addSessionHandlers(app: OpenAPIHono<Env>, { registry, office }: SessionHandlerDeps): void {
  app.openapi(routes.listSessions, (c) => {
    const counts = office.ledger.messages.waitingCounts();
    return c.json(
      { sessions: registry.list().map((session) => presentSession(session, office, counts)) },
      200,
    );
  });

  app.openapi(routes.startSession, async (c) => {
    const { from, ...options } = c.req.valid('json');
    const parent = senderPresent(registry, office.identify(from ?? {}));
    const session = await startSession(registry, { ...options, parent });
    return c.json(presentSession(session, office), 201);
  });

  app.openapi(routes.adoptSession, async (c) => {
    return c.json(presentSession(await adoptSession(registry, c.req.valid('json')), office), 201);
  });

  app.openapi(routes.listPanes, async (c) => {
    const { host, socket: asked } = c.req.valid('query');
    const socket = await registry.deps.servers.locate(host, asked);
    const found = await listCandidates(registry.deps.servers.at(socket), registry.deps.profiles);
    const panes = found.map(({ pane, target, program, agent, cwd, title }) => ({
      pane,
      target,
      program,
      agent,
      cwd,
      title,
      session: registry.inPane(socket, pane)?.id ?? null,
    }));
    return c.json({ panes: panes.sort((a, b) => Number(b.agent !== null) - Number(a.agent !== null)) }, 200);
  });

  app.openapi(routes.getSession, (c) =>
    c.json(presentSession(registry.resolve(c.req.valid('param').session), office), 200),
  );

  app.openapi(routes.updateSession, async (c) => {
    const session = registry.resolve(c.req.valid('param').session);
    const { name, paused, past_draft, groups, busy } = c.req.valid('json');
    if (name !== undefined && name !== session.name) await registry.rename(session, name);
    if (paused !== undefined) await registry.setPaused(session, paused);
    if (past_draft !== undefined) await registry.change(session, { past_draft });
    if (groups !== undefined) await registry.setGroups(session, groups);
    if (busy !== undefined) await registry.setBusy(session, busy);
    return c.json(presentSession(session, office), 200);
  });

  app.openapi(routes.killSession, async (c) => {
    const session = registry.resolve(c.req.valid('param').session);
    const keepPane = c.req.valid('query').keep;
    if (!keepPane) requireReached(session, registry);
    const cancelled = await office.removeSession(session, { keepPane });
    return c.json({ id: session.id, name: session.name, cancelled }, 200);
  });

  app.openapi(routes.sessionOutput, async (c) => {
    const session = registry.resolve(c.req.valid('param').session);
    const { follow, ...options } = c.req.valid('query');
    if (!follow) return c.text(await lastLines(session, options), 200);
    if (!session.tracker) throw new SessionError('conflict', `the pane of ${session.name} is gone`);
    c.header('content-type', 'text/plain; charset=utf-8');
    const response: Response = stream(c, async (out) => {
      const gone = new AbortController();
      out.onAbort(() => gone.abort());
      await followOutput(session, options, async (data) => void (await out.write(data)), gone.signal);
    });
    return response as Response & TypedResponse<string, 200, 'text'>;
  });

  app.openapi(routes.sessionScreen, async (c) => {
    const session = registry.resolve(c.req.valid('param').session);
    const { tracker } = session;
    if (!tracker) throw new SessionError('conflict', `the pane of ${session.name} is gone`);
    // Before it is looked at: what changes meanwhile has another one.
    const etag = `"${tracker.since}-${tracker.changes}-${c.req.valid('query').format}"`;
    c.header('etag', etag);
    c.header('cache-control', 'private, no-cache');
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    return c.text(await tracker.pane.capture({ styles: c.req.valid('query').format === 'ansi' }), 200);
  });

  app.openapi(routes.whoAmI, (c) => {
    const { socket, pane, session: id, threads } = c.req.valid('query');
    const place = socket !== undefined && pane !== undefined ? { socket, pane } : undefined;
    const sender = office.identify({
      pane: place,
      session: id,
      inherited: true,
      threads: threads?.split(','),
    });
    const session = sender.session === null ? undefined : registry.get(sender.session);
    if (!session) throw new SessionError('not_found', 'this is no session');
    return c.json(presentSession(session, office), 200);
  });
}
