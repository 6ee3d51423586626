// Handlers for the agents that are known, and for our hooks in their settings.
import path from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import {
  HookFileError,
  type HookPlan,
  hookState,
  installHooks,
  type Profile,
  type Profiles,
  uninstallHooks,
} from '../agents/index.js';
import * as routes from '../api/routes.js';
import type { Agent, Hooks } from '../api/types.js';
import { SessionError } from '../sessions/index.js';
import { lookAtAgentFiles } from './agent-files.js';
import type { Env } from './auth.js';

export interface AgentHandlerDeps {
  profiles: Profiles;
  home: string;
  // The folder of our scripts.
  hooks: string;
}

type Where = Readonly<Record<string, string>>;

export function addAgentHandlers(app: OpenAPIHono<Env>, deps: AgentHandlerDeps): void {
  const { profiles } = deps;

  app.openapi(routes.listAgents, (c) =>
    c.json({ agents: profiles.all.map((one) => presentAgent(one, profiles)) }, 200),
  );

  app.openapi(routes.getAgent, (c) => {
    const profile = find(deps, c.req.valid('param').agent);
    const { door: _, ...data } = profile;
    return c.json({ agent: presentAgent(profile, profiles), profile: data as Record<string, unknown> }, 200);
  });

  const act = (name: string, env: Where, change?: (plan: HookPlan) => boolean): Hooks => {
    const plan = planFor(deps, find(deps, name), env);
    try {
      const changed = change?.(plan) ?? false;
      return { agent: name, file: plan.file, state: hookState(plan), changed };
    } catch (error) {
      if (!(error instanceof HookFileError)) throw error;
      throw new SessionError('conflict', error.message);
    }
  };
  app.openapi(routes.hooksStatus, (c) =>
    c.json(act(c.req.valid('param').agent, c.req.valid('json').env), 200),
  );
  app.openapi(routes.installHooks, (c) =>
    c.json(act(c.req.valid('param').agent, c.req.valid('json').env, installHooks), 200),
  );
  app.openapi(routes.uninstallHooks, (c) =>
    c.json(act(c.req.valid('param').agent, c.req.valid('json').env, uninstallHooks), 200),
  );
}

function find({ profiles, home }: AgentHandlerDeps, name: string): Profile {
  const profile = profiles.all.find((one) => one.name === name);
  if (profile) return profile;
  const isNew = lookAtAgentFiles(path.join(home, 'agents'), []).profiles.names.includes(name);
  throw new SessionError('not_found', `no such agent: ${name}`, {
    field: 'agent',
    value: name,
    expected: isNew
      ? 'its file to be read first: "sm down", then "sm up"'
      : `one of: ${profiles.names.join(', ')}`,
  });
}

function planFor({ profiles, home, hooks }: AgentHandlerDeps, profile: Profile, env: Where): HookPlan {
  const maker = profile.door?.hooks;
  if (!maker) {
    const others = profiles.all.flatMap(({ name, door }) => (door?.hooks ? [name] : []));
    throw new SessionError('invalid', `${profile.title} has no settings that take hooks of ours`, {
      field: 'agent',
      value: profile.name,
      expected: `one of: ${others.join(', ')}`,
    });
  }
  return {
    file: maker.file(env),
    ours: maker.ours({ home, hooks }),
    scripts: hooks,
    backups: path.join(home, 'hooks-backup'),
  };
}

const presentAgent = (profile: Profile, profiles: Profiles): Agent => ({
  name: profile.name,
  title: profile.title,
  from: profiles.isBuiltIn(profile) ? 'built in' : 'file',
  programs: [...profile.programs],
  packages: [...profile.packages],
  protocols: profile.protocols.map(({ protocol, since, not }) => ({
    protocol,
    since: since ?? null,
    not: [...(not ?? [])],
  })),
  door: profile.door?.name ?? null,
  interrupt_keys: profile.interruptKeys ? [...profile.interruptKeys] : null,
  hooks: profile.door?.hooks !== undefined,
});
