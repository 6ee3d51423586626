// The HTTP application: every route of the contract with its handler.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, TypedResponse } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { stream, streamSSE } from 'hono/streaming';
import { MAX_BODY_BYTES } from '../api/limits.js';
import type { Home } from '../api/locate.js';
import * as routes from '../api/routes.js';
import { senderPresent } from '../mail/index.js';
import { adoptSession, listCandidates, SessionError, startSession } from '../sessions/index.js';
import { type AgentHandlerDeps, addAgentHandlers } from './agent-handlers.js';
import { type Doorkeeper, type Env, guard } from './auth.js';
import { describeApi } from './document.js';
import { addDraftHandlers, type DraftHandlerDeps } from './draft-handlers.js';
import { answerError, answerInvalid, failure } from './errors.js';
import type { Feed } from './feed.js';
import { streamFeed } from './feed-stream.js';
import { addHostHandlers, type HostHandlerDeps, requireReached } from './host-handlers.js';
import { addMessageHandlers } from './message-handlers.js';
import type { Metrics } from './metrics.js';
import { addOpsHandlers, type OpsHandlerDeps } from './ops-handlers.js';
import { followOutput, lastLines } from './output.js';
import { countStates } from './overview.js';
import { addPages, isPublic } from './pages.js';
import { presentSession } from './present.js';
import { addReminderHandlers, type ReminderHandlerDeps } from './reminder-handlers.js';
import { addShortHandlers } from './short-handlers.js';
import { addSignInHandlers, type SignInDeps } from './sign-in-handlers.js';
import { addSignalHandlers, type SignalHandlerDeps } from './signal-handlers.js';
import { addTalkHandlers, type TalkHandlerDeps } from './talk-handlers.js';

export interface AppDeps
  extends DraftHandlerDeps,
    ReminderHandlerDeps,
    TalkHandlerDeps,
    SignalHandlerDeps,
    HostHandlerDeps {
  home: Home;
  agents: AgentHandlerDeps;
  admit: Doorkeeper;
  signIn: Omit<SignInDeps, 'url' | 'log'>;
  // Where the built files of the dashboard are.
  pages: string;
  version: string;
  feed: Feed;
  metrics: Metrics;
  ops: OpsHandlerDeps;
  startedAt: number;
  tmuxVersion: string;
  url: () => string;
  stop: () => void;
  log: (message: string, details: Record<string, unknown>) => void;
}

export function createApp(deps: AppDeps): OpenAPIHono<Env> {
  const { registry, office, people } = deps;
  const root = new OpenAPIHono<Env>({
    defaultHook: async (result, c) => {
      if (result.success) return undefined;
      const input =
        result.target === 'json'
          ? await c.req.json().catch(() => undefined)
          : result.target === 'param'
            ? c.req.param()
            : c.req.query();
      return answerInvalid(c, result.error.issues, input);
    },
  });
  const app = root.basePath('/api/v1');
  const tooLarge = { code: 'too_large', message: `the body is larger than ${MAX_BODY_BYTES} bytes` };
  // Everywhere, also where there is nothing.
  root.use(guard(deps.admit, isPublic));
  const limited = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => failure(c, 413, tooLarge) });
  root.use((c, next) => {
    // Counting a body as it streams is costly; most say how long they are.
    const length = c.req.header('content-length');
    return length === undefined || Number(length) > MAX_BODY_BYTES ? limited(c, next) : next();
  });
  app.onError((error, c) => answerError(error, c, deps.log));
  app.notFound((c) =>
    failure(c, 404, {
      code: 'no_such_endpoint',
      message: `no endpoint ${c.req.method} ${c.req.path}; see /api/v1/openapi.json`,
    }),
  );

  app.openapi(routes.status, (c) => {
    const pending = [...office.ledger.messages.waitingCounts().values()].reduce((sum, n) => sum + n, 0);
    return c.json(
      {
        pid: process.pid,
        version: deps.version,
        home: deps.home.folder,
        url: deps.url(),
        socket: deps.home.socket,
        started_at: new Date(deps.startedAt).toISOString(),
        node: process.version,
        tmux: deps.tmuxVersion,
        paused: office.paused,
        sessions: countStates(registry),
        pending,
        unread: people.inbox.unreadCount(),
        memory_bytes: process.memoryUsage.rss(),
        config_problem: deps.live.problem,
      },
      200,
    );
  });

  app.openapi(routes.stop, (c) => {
    deps.stop();
    return c.json({ stopping: true as const, pid: process.pid }, 202);
  });

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

  app.openapi(routes.setPaused, async (c) => {
    const { paused } = c.req.valid('json');
    await office.setPaused(paused);
    return c.json({ paused }, 200);
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

  app.openapi(routes.feed, (c) =>
    streamSSE(c, (out) => streamFeed(deps, c.req.header('last-event-id'), out)),
  );

  // One that asks for the upgrade does not come here.
  const wantsSocket = (c: Context<Env>, instead = '') => {
    c.header('upgrade', 'websocket');
    const error = {
      code: 'upgrade_required',
      message: `this endpoint speaks WebSocket${instead}`,
      field: 'upgrade',
      value: c.req.header('upgrade') ?? null,
      expected: 'websocket',
    };
    return c.json({ error }, 426);
  };
  app.openapi(routes.feedSocket, (c) => wantsSocket(c, '; the same feed is at /api/v1/events'));
  app.openapi(routes.sessionTerminal, (c) => wantsSocket(c));

  // Where a scraper looks for it.
  root.get('/metrics', async (c) =>
    c.body(await deps.metrics.text(), 200, { 'content-type': deps.metrics.contentType }),
  );

  addMessageHandlers(app, deps);
  addDraftHandlers(app, deps);
  addAgentHandlers(app, deps.agents);
  addReminderHandlers(app, deps);
  addOpsHandlers(app, deps.ops);
  addTalkHandlers(app, deps);
  addSignalHandlers(app, deps);
  addHostHandlers(app, deps);
  addShortHandlers(root, deps);
  addSignInHandlers(app, { ...deps.signIn, url: deps.url, log: deps.log });

  app.get('/openapi.json', (c) => c.json(describeApi([app, root], deps.version)));
  addPages(root, deps.pages);
  return app;
}
