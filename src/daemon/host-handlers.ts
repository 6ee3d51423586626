// Handlers for other machines.
import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from '../api/routes.js';
import type { Host as ApiHost } from '../api/types.js';
import { type Host, type Hosts, type Registry, type Session, SessionError } from '../sessions/index.js';
import type { Env } from './auth.js';
import { checkHost } from './host-check.js';

export interface HostHandlerDeps {
  registry: Registry;
  hosts: Hosts;
}

export function addHostHandlers(app: OpenAPIHono<Env>, { registry, hosts }: HostHandlerDeps): void {
  const present = (host: Host): ApiHost => presentHost(host, registry);

  app.openapi(routes.listHosts, (c) => c.json({ hosts: hosts.list().map(present) }, 200));

  app.openapi(routes.addHost, async (c) => {
    const { name, destination } = c.req.valid('json');
    return c.json(present(await hosts.add(name, destination)), 201);
  });

  app.openapi(routes.removeHost, async (c) => {
    const host = hosts.get(c.req.valid('param').host);
    const { name } = host.row;
    const there = sessionsOn(name, registry);
    if (there.length > 0)
      throw new SessionError(
        'conflict',
        `there are sessions on ${name}: ${there.map((session) => session.name).join(', ')}; "sm kill" them first, with --keep where their panes are to stay`,
      );
    // In one breath with the look at its sessions: a session is taken in only while its host is there.
    registry.deps.servers.forget(name);
    await hosts.remove(name);
    return c.json(present(host), 200);
  });

  app.openapi(routes.checkHost, async (c) => {
    const host = hosts.get(c.req.valid('param').host);
    const { ok, steps } = await checkHost(host);
    return c.json({ host: present(host), ok, steps }, 200);
  });
}

const sessionsOn = (name: string, registry: Registry): Session[] =>
  registry.list().filter(({ host }) => host === name);

function presentHost({ row, ssh }: Host, registry: Registry): ApiHost {
  const { state, facts } = ssh;
  const isDown = state.kind === 'down';
  return {
    name: row.name,
    destination: row.destination,
    state: state.kind,
    reason: ('reason' in state ? state.reason : undefined) ?? null,
    retry_at: isDown ? new Date(state.retryAt).toISOString() : null,
    tmux: facts?.tmuxVersion ?? null,
    tmux_path: facts?.tmux ?? null,
    system: facts?.system ?? null,
    clock_skew: facts?.skewS ?? null,
    connections: ssh.connections,
    sessions: sessionsOn(row.name, registry).length,
    created_at: new Date(row.created_at).toISOString(),
  };
}

// Its pane cannot be ended while nobody can get there.
export function requireReached({ name, host, row }: Session, registry: Registry): void {
  if (host === null || row.state === 'gone') return;
  if (registry.deps.servers.hostState(host).kind === 'up') return;
  throw new SessionError(
    'conflict',
    `host ${host} is not reached, so the pane of ${name} cannot be ended; "sm kill --keep ${name}" forgets it and leaves the pane`,
  );
}
