// Which conversation a Codex TUI shows, as far as the TUI's own record of its session tells.
import { z } from 'zod';

// `began`: one that was made between these two moments. `other`: it has changed, nobody can say to which. `back`: it was
// shown when the server went away, and is drawn anew by a TUI that has found the next one, if there is a next one.
export type Where =
  // `since`: what the record says of before is of another process.
  | { kind: 'starting'; from: number | undefined; since?: number }
  | { kind: 'began'; from: number; to: number }
  // `backBy`: its server went away, and the TUI draws it anew up to then.
  | { kind: 'thread'; thread: string; backBy?: number }
  | { kind: 'back'; thread: string }
  | { kind: 'other' };

export interface Shown {
  where: Where;
  // When the person asked for a new conversation that the TUI has not changed to yet.
  asked: number | undefined;
  // The last prompt that the person sent from this TUI since then: the conversation that has it is the one.
  prompt: string | undefined;
}

export const NOT_STARTED: Shown = {
  where: { kind: 'starting', from: undefined },
  asked: undefined,
  prompt: undefined,
};
export const notStarted = (since: number): Shown => ({
  ...NOT_STARTED,
  where: { kind: 'starting', from: undefined, since },
});
// The record tells nothing of this process yet.
export const isUnheard = ({ where }: Shown): boolean => where.kind === 'starting' && where.from === undefined;
export const showing = (thread: string): Shown => ({
  where: { kind: 'thread', thread },
  asked: undefined,
  prompt: undefined,
});
// Something was not seen.
export const MISSED: Shown = { where: { kind: 'other' }, asked: undefined, prompt: undefined };

const Line = z.object({
  ts: z.iso.datetime().transform((text) => Date.parse(text)),
  kind: z.string(),
  variant: z.string().optional(),
  payload: z.unknown().optional(),
});
const Prompt = z.object({ UserTurn: z.object({ client_user_message_id: z.string() }) });

// Pure: what is known after one more line of the record.
export function nextShown(shown: Shown, line: string): Shown {
  const parsed = parse(line);
  if (!parsed) return shown;
  const { ts, kind, variant, payload } = parsed;
  const { where, asked } = shown;
  if (where.kind === 'starting' && where.from === undefined)
    return kind === 'session_start' && ts >= (where.since ?? 0)
      ? { ...shown, where: { kind: 'starting', from: ts } }
      : shown;
  switch (variant ?? kind) {
    case 'session_start':
      // A second one is of another process, which writes over what the first says.
      return MISSED;
    case 'StartupThreadStarted':
      return where.kind === 'starting' && where.from !== undefined
        ? { ...shown, where: { kind: 'began', from: where.from, to: ts } }
        : shown;
    case 'new_session':
    case 'ForkCurrentSession':
      return { ...shown, asked: ts };
    case 'ResetTranscriptForThreadSwitch':
      if (asked !== undefined) return { ...MISSED, where: { kind: 'began', from: asked, to: ts } };
      return where.kind === 'thread' && ts <= (where.backBy ?? 0)
        ? { ...MISSED, where: { kind: 'back', thread: where.thread } }
        : MISSED;
    case 'op': {
      const prompt = Prompt.safeParse(payload).data?.UserTurn.client_user_message_id;
      return prompt === undefined ? shown : { ...shown, prompt };
    }
    default:
      return shown;
  }
}

function parse(line: string): z.infer<typeof Line> | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
