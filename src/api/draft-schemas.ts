// The shapes of saved drafts, of the configuration and of the doctor's report.
import { z } from '@hono/zod-openapi';
import { DoorInfo, PastDraft, SessionState } from './schemas.js';

export const DraftState = z.enum(['saved', 'restored', 'differs', 'taken']).openapi({
  description:
    'saved: taken from the input box and not proved to be back; restored: back, and proved; differs: the box holds something else now; taken: the person took it',
});

export const Draft = z
  .object({
    id: z.string(),
    session: z.object({ id: z.string(), name: z.string() }),
    message: z.string().nullable().openapi({ description: 'the message that it made way for' }),
    attempt: z.number(),
    protocol: z.string(),
    text: z.string(),
    caret: z.number().nullable().openapi({ description: 'offset in UTF-16 units, where it is known' }),
    exact: z.boolean().openapi({ description: 'byte for byte; otherwise as the screen showed it' }),
    state: DraftState,
    proof: z.string().nullable().openapi({ description: 'how it is known to be back' }),
    found: z.string().nullable().openapi({ description: 'what the box held instead' }),
    held_ms: z.number().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Draft');

export const RestoredDraft = Draft.extend({
  caret_back: z.boolean().openapi({
    description: 'the caret is seen to be where it was; otherwise that is not known, or it stands at the end',
  }),
}).openapi('RestoredDraft');

export const CopiedDraft = z
  .object({
    draft: Draft,
    buffer: z.boolean().openapi({ description: "it is in the paste buffer of the session's tmux server" }),
  })
  .openapi('CopiedDraft');

export const ConfigReport = z
  .object({
    file: z.string(),
    exists: z.boolean().openapi({ description: 'it sets something' }),
    state: z.enum(['good', 'broken']).openapi({
      description:
        'broken: the file is refused as it is now; what follows is the last good one, which holds on',
    }),
    problem: z.string().nullable().openapi({ description: 'why it is refused, with the line' }),
    agents_problem: z
      .string()
      .nullable()
      .openapi({ description: 'why a file in agents/ is refused as it is; the last good ones hold' }),
    values: z.array(
      z.object({
        key: z.string(),
        value: z.union([
          z.string(),
          z.number(),
          z.boolean(),
          z.array(z.string()),
          z.record(z.string(), z.unknown()),
        ]),
        from: z.enum(['file', 'default', 'environment']),
        line: z.number().nullable().openapi({ description: 'of the file' }),
        about: z.string(),
      }),
    ),
  })
  .openapi('Config');

export const Way = z
  .object({
    protocol: z.string(),
    reads: z.string().openapi({ description: 'how exactly it reads a draft' }),
    proves_restore: z.string().openapi({ description: 'how it knows that the draft is back' }),
    restores_caret: z.boolean(),
    proves_focus: z.boolean(),
    keys: z.array(z.string()),
    note: z.string().nullable(),
  })
  .openapi('Way');

export const Finding = z
  .object({
    level: z.enum(['problem', 'note']),
    about: z.string(),
    message: z.string(),
    advice: z.string().nullable(),
  })
  .openapi('Finding');

export const DoctorReport = z
  .object({
    ok: z.boolean().openapi({ description: 'nothing needs attention' }),
    daemon: z.object({ version: z.string(), node: z.string(), pid: z.number(), home: z.string() }),
    tmux: z.object({ version: z.string(), supported: z.boolean(), needs: z.string() }),
    database: z
      .object({ file: z.string(), state: z.enum(['works', 'fails']), detail: z.string() })
      .openapi({ description: 'whether it can be written, tried just now' }),
    hold: z
      .object({ state: z.enum(['works', 'fails', 'untried']), detail: z.string(), ms: z.number().nullable() })
      .openapi({ description: "whether a person's keys can be made to wait on this tmux, tried just now" }),
    config: ConfigReport,
    checks: z.array(z.object({ about: z.string(), detail: z.string() })).openapi({
      description: 'files, socket, disk, clock, hooks, versions; what is wrong is in the findings',
    }),
    sessions: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        agent: z.string(),
        version: z.string().nullable(),
        state: SessionState,
        past_draft: PastDraft,
        door: DoorInfo.nullable(),
        ways: z.array(Way).openapi({ description: 'in the order in which they are tried' }),
      }),
    ),
    findings: z.array(Finding),
  })
  .openapi('DoctorReport');
