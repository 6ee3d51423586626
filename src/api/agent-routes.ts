// The endpoints for the agents that are known, and our hooks in their settings.
import { createRoute, z } from '@hono/zod-openapi';
import * as a from './agent-schemas.js';
import { body, failures, json } from './route-parts.js';

const agentRef = z.object({
  agent: z.string().openapi({ param: { name: 'agent', in: 'path' }, description: 'the name of its profile' }),
});

export const listAgents = createRoute({
  method: 'get',
  path: '/agents',
  summary: 'The agents that are known; those that you added come first',
  responses: { 200: json(z.object({ agents: z.array(a.Agent) }), 'agents') },
});

export const getAgent = createRoute({
  method: 'get',
  path: '/agents/{agent}',
  summary: 'One agent, with all that its profile says',
  request: { params: agentRef },
  responses: {
    200: json(z.object({ agent: a.Agent, profile: z.record(z.string(), z.unknown()) }), 'the agent'),
    ...failures,
  },
});

const onHooks = (verb: 'status' | 'install' | 'uninstall', summary: string) =>
  createRoute({
    method: 'post',
    path: `/agents/{agent}/hooks/${verb}`,
    summary,
    request: { params: agentRef, ...body(a.HooksRequest) },
    responses: { 200: json(a.Hooks, 'as it is now'), ...failures },
  });

export const hooksStatus = onHooks('status', "Whether our hooks are in the agent's own settings");
export const installHooks = onHooks(
  'install',
  "Put our hooks into the agent's own settings, beside the user's",
);
export const uninstallHooks = onHooks('uninstall', 'Take them out again');
