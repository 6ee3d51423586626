// Handlers for saved drafts, the configuration and the doctor.
import type { OpenAPIHono } from '@hono/zod-openapi';
import * as routes from '../api/routes.js';
import type { ConfigReport } from '../api/types.js';
import type { DraftDesk } from '../mail/index.js';
import type { Registry } from '../sessions/index.js';
import type { AgentFiles } from './agent-files.js';
import type { Env } from './auth.js';
import { configValues, freshness, type LoadedConfig } from './config.js';
import { type DoctorDeps, examine } from './doctor.js';
import { presentDraft } from './present.js';

export interface DraftHandlerDeps {
  registry: Registry;
  desk: DraftDesk;
  loaded: LoadedConfig;
  agentFiles: () => AgentFiles;
  doctor: Omit<DoctorDeps, 'config' | 'agentFiles'>;
}

export function addDraftHandlers(app: OpenAPIHono<Env>, deps: DraftHandlerDeps): void {
  const { registry, desk, loaded } = deps;

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

  app.openapi(routes.getConfig, (c) => c.json(reportConfig(loaded, deps.agentFiles()), 200));

  app.openapi(routes.doctor, async (c) => {
    const agentFiles = deps.agentFiles();
    const report = await examine(
      { ...deps.doctor, config: reportConfig(loaded, agentFiles), agentFiles },
      c.req.valid('query').client,
    );
    return c.json(report, 200);
  });
}

export function reportConfig(loaded: LoadedConfig, { profiles }: AgentFiles): ConfigReport {
  const now = freshness(loaded, profiles);
  return {
    file: loaded.file,
    exists: loaded.source !== null,
    state: now.kind,
    problem: now.kind === 'broken' ? now.why : null,
    values: configValues(loaded),
  };
}
