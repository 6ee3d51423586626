// The endpoints for backups, for the history as a whole, and for taking all of us away again.
import { createRoute, z } from '@hono/zod-openapi';
import * as o from './ops-schemas.js';
import { body, failures, json } from './route-parts.js';

export const makeBackup = createRoute({
  method: 'post',
  path: '/backup',
  summary: 'Copy the database as it is at this moment into a file; answered when the copy is checked',
  request: body(o.BackupRequest),
  responses: { 200: json(o.Backup, 'the copy'), ...failures },
});

export const exportHistory = createRoute({
  method: 'get',
  path: '/export',
  summary: 'Sessions, messages and their events, one JSON object a line',
  request: {
    query: z.object({
      since: z.iso
        .datetime({ offset: true, error: 'must be a time such as 2026-01-31T00:00:00Z' })
        .optional()
        .openapi({ description: 'only messages that were sent at this time or later' }),
    }),
  },
  responses: {
    200: { description: 'lines', content: { 'application/jsonl': { schema: o.ExportLine } } },
    ...failures,
  },
});

export const uninstall = createRoute({
  method: 'post',
  path: '/uninstall',
  summary: "Take our hooks out of agents' settings and our traces out of tmux, then stop; panes run on",
  request: body(o.UninstallRequest),
  responses: { 200: json(o.Uninstalled, 'what was removed, or with dry_run would be'), ...failures },
});
