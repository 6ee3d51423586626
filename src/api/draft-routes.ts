// The endpoints for saved drafts, the configuration and the doctor.
import { createRoute, z } from '@hono/zod-openapi';
import * as d from './draft-schemas.js';
import { count, failures, json } from './route-parts.js';

const draftRef = z.object({
  draft: z.string().openapi({
    param: { name: 'draft', in: 'path' },
    description: 'id, or an unambiguous beginning of it',
  }),
});

export const listDrafts = createRoute({
  method: 'get',
  path: '/drafts',
  summary: 'Drafts that were taken from input boxes, newest last',
  request: {
    query: z.object({
      session: z.string().optional().openapi({ description: 'of this session' }),
      state: z
        .enum(['open', 'saved', 'restored', 'differs', 'taken', 'all'])
        .default('open')
        .openapi({ description: 'open: saved or differs' }),
      limit: count(10_000, 50),
    }),
  },
  responses: { 200: json(z.object({ drafts: z.array(d.Draft) }), 'drafts'), ...failures },
});

export const getDraft = createRoute({
  method: 'get',
  path: '/drafts/{draft}',
  summary: 'One draft',
  request: { params: draftRef },
  responses: { 200: json(d.Draft, 'the draft'), ...failures },
});

export const restoreDraft = createRoute({
  method: 'post',
  path: '/drafts/{draft}/restore',
  summary:
    'Put it into the input box of its session, without Enter; only if the box is empty and nobody types',
  request: { params: draftRef },
  responses: { 200: json(d.RestoredDraft, 'as it is now, and where its caret is'), ...failures },
});

export const copyDraft = createRoute({
  method: 'post',
  path: '/drafts/{draft}/copy',
  summary: "Put it into the paste buffer of its session's tmux server",
  request: { params: draftRef },
  responses: { 200: json(d.CopiedDraft, 'as it is now, with its text'), ...failures },
});

export const getConfig = createRoute({
  method: 'get',
  path: '/config',
  summary: 'What is configured at this moment, and where each value comes from',
  responses: { 200: json(d.ConfigReport, 'the configuration') },
});

export const doctor = createRoute({
  method: 'get',
  path: '/doctor',
  summary: 'Looks at everything that deliveries depend on; tries the hold on a tmux server of its own',
  request: {
    query: z.object({
      client: z.string().optional().openapi({ description: 'the version of whoever asks' }),
    }),
  },
  responses: { 200: json(d.DoctorReport, 'what was found') },
});
