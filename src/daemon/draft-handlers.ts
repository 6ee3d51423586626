// Handlers for saved drafts, the configuration and the doctor.
import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from '../api/routes.js';
import type { ConfigReport } from '../api/types.js';
import type { DraftDesk } from '../mail/index.js';
import type { Registry } from '../sessions/index.js';
import type { AgentFilesSeen } from './agent-files.js';
import type { Env } from './auth.js';
import { configValues } from './config.js';
import { type DoctorDeps, examine } from './doctor.js';
import type { LiveConfig } from './live-config.js';
import { presentDraft } from './present.js';

export interface DraftHandlerDeps {
  registry: Registry;
  desk: DraftDesk;
  live: LiveConfig;
  // Where it listens, and whether SM_PORT says so.
  port: () => { value: number; from: 'environment' | 'default' };
  agentFiles: AgentFilesSeen;
  doctor: Omit<DoctorDeps, 'config' | 'agentFiles'>;
}

export function addDraftHandlers(app: OpenAPIHono<Env>, deps: DraftHandlerDeps): void {
  const { registry, desk } = deps;

  app.openapi(routes.listDrafts, (c) => {
    const { session, state, limit } = c.req.valid('query');
    const rows = desk.list({
      session: session === undefined ? undefined : registry.resolve(session).id,
      state: state === 'all' ? undefined : state,
      limit,
    });
    return c.json({ drafts: rows.map(presentDraft) }, 200);
  });

  app.openapi(routes.getDraft, (c) => c.json(presentDraft(desk.find(c.req.valid('param').draft)), 200));

  app.openapi(routes.restoreDraft, async (c) => {
    const { draft, caretBack } = await desk.restore(desk.find(c.req.valid('param').draft));
    return c.json({ ...presentDraft(draft), caret_back: caretBack }, 200);
  });

  app.openapi(routes.copyDraft, async (c) => {
    const { draft, buffer } = await desk.copy(desk.find(c.req.valid('param').draft));
    return c.json({ draft: presentDraft(draft), buffer }, 200);
  });

  app.openapi(routes.getConfig, (c) => c.json(reportConfig(deps), 200));

  app.openapi(routes.doctor, async (c) => {
    const report = await examine(
      { ...deps.doctor, config: reportConfig(deps), agentFiles: deps.agentFiles.look() },
      c.req.valid('query').client,
    );
    return c.json(report, 200);
  });
}

// The file is read first: whoever asks has just written it.
export function reportConfig({
  live,
  port,
  agentFiles,
}: Pick<DraftHandlerDeps, 'live' | 'port' | 'agentFiles'>): ConfigReport {
  live.look();
  const { loaded, problem } = live;
  const about = 'its port on 127.0.0.1, from SM_PORT when it starts';
  return {
    file: loaded.file,
    exists: loaded.source !== null && loaded.source !== '',
    state: problem === null ? 'good' : 'broken',
    problem,
    agents_problem: agentFiles.look().problem,
    values: [...configValues(loaded), { key: 'port', ...port(), line: null, about }],
  };
}
