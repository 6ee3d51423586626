// The HTTP application: every route of the contract with its handler.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { MAX_BODY_BYTES } from '../api/limits.js';
import type { Home } from '../api/locate.js';
import * as routes from '../api/routes.js';
import { type AgentHandlerDeps, addAgentHandlers } from './agent-handlers.js';
import { type Doorkeeper, type Env, guard } from './auth.js';
import { describeApi } from './document.js';
import { addDraftHandlers, type DraftHandlerDeps } from './draft-handlers.js';
import { answerError, answerInvalid, failure } from './errors.js';
import type { Feed } from './feed.js';
import { streamFeed } from './feed-stream.js';
import { addHostHandlers, type HostHandlerDeps } from './host-handlers.js';
import { addMessageHandlers } from './message-handlers.js';
import type { Metrics } from './metrics.js';
import { addOpsHandlers, type OpsHandlerDeps } from './ops-handlers.js';
import { countStates } from './overview.js';
import { addPages, isPublic } from './pages.js';
import { addReminderHandlers, type ReminderHandlerDeps } from './reminder-handlers.js';
import { addSessionHandlers } from './session-handlers.js';
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
  isStopping: () => boolean;
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
        stopping: deps.isStopping(),
        sessions: countStates(registry),
        pending,
        unread: people.inbox.unreadCount(),
        memory_bytes: process.memoryUsage.rss(),
        config_problem: deps.live.problem,
        agents_problem: deps.agentFiles.problem,
      },
      200,
    );
  });

  app.openapi(routes.stop, (c) => {
    deps.stop();
    return c.json({ stopping: true as const, pid: process.pid }, 202);
  });

  app.openapi(routes.setPaused, async (c) => {
    const { paused } = c.req.valid('json');
    await office.setPaused(paused);
    return c.json({ paused }, 200);
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

  addSessionHandlers(app, deps);
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
