// Handlers for signals.
import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from '../api/routes.js';
import type { Config } from '../mail/index.js';
import { type Registry, SessionError } from '../sessions/index.js';
import { askingFor, type SignalDesk } from '../signals/index.js';
import type { Env } from './auth.js';
import { presentSignal } from './present-signal.js';

export interface SignalHandlerDeps {
  registry: Registry;
  config: Config;
  signals: SignalDesk;
}

export function addSignalHandlers(app: OpenAPIHono<Env>, deps: SignalHandlerDeps): void {
  const { registry, config, signals } = deps;

  app.openapi(routes.reportSignal, async (c) => {
    const session = registry.resolve(c.req.valid('param').session);
    const { key, ...said } = c.req.valid('json');
    const reported = await signals.report({
      ...said,
      key: key ?? c.req.header('idempotency-key'),
      session: session.id,
      at: signals.deps.clock(),
    });
    if (reported.outcome === 'refused') {
      const { reason, ...input } = reported;
      throw new SessionError('invalid', reason, input);
    }
    const { outcome, signal } = reported;
    return c.json(
      { outcome, signal: presentSignal(signal, registry, config) },
      outcome === 'new' ? 201 : 200,
    );
  });

  app.openapi(routes.listSignals, (c) => {
    const { session, since, ...query } = c.req.valid('query');
    const listed = signals.list({
      ...query,
      session: session === undefined ? undefined : registry.resolve(session).id,
      since: since === undefined ? undefined : Date.parse(since),
    });
    return c.json({ signals: listed.map((signal) => presentSignal(signal, registry, config)) }, 200);
  });

  app.openapi(routes.attention, (c) => {
    const sessions = askingFor(registry.list(), config).map(({ session: { id, name, row }, urgency }) => ({
      id,
      name,
      seq: row.signal_seq,
      state: row.signal_state ?? '',
      message: row.signal_message ?? '',
      at: new Date(row.signal_at ?? 0).toISOString(),
      urgency,
    }));
    return c.json({ sessions }, 200);
  });
}
