// What an extension of ours says from inside an agent, line by line, and what that makes known of each message.
import { z } from 'zod';

// In the folder of its process; the extension knows it by the same name.
export const SAID_FILE = 'said.jsonl';

const at = z.number();
const id = z.string();
const turn = z.string().nullable();

const Line = z.discriminatedUnion('kind', [
  // The extension runs; once for each time it was loaded.
  z.object({ kind: z.literal('hello'), at, pid: z.number(), records: z.string().optional() }),
  // Handed to the agent, which has not said anything yet. `behind`: that turn, before whose end it is not taken.
  z.object({ kind: z.literal('handed'), at, id, behind: z.string().optional() }),
  // In the agent's own queue.
  z.object({ kind: z.literal('queued'), at, id }),
  z.object({ kind: z.literal('refused'), at, id, reason: z.string() }),
  z.object({ kind: z.literal('received'), at, id, turn, evidence: z.string() }),
  z.object({ kind: z.literal('returned'), at, id, reason: z.string() }),
  // It is in the input box, where the person has changed it.
  z.object({ kind: z.literal('boxed'), at, id }),
  z.object({ kind: z.literal('turn_started'), at, turn }),
  z.object({
    kind: z.literal('turn_ended'),
    at,
    turn,
    how: z.enum(['completed', 'interrupted']),
    answer: z.string().nullable(),
    evidence: z.string(),
  }),
  z.object({
    kind: z.literal('status'),
    at,
    state: z.enum(['idle', 'busy', 'waiting']),
    detail: z.string().nullable().optional(),
  }),
  // The running turn was told to stop, as a request of that name asked for.
  z.object({ kind: z.literal('stopped'), at, id }),
  z.object({ kind: z.literal('not_stopped'), at, id }),
  z.object({ kind: z.literal('bye'), at }),
]);

export type Said = z.infer<typeof Line>;
export type SaidOfLetter = Extract<
  Said,
  { kind: 'handed' | 'queued' | 'refused' | 'received' | 'returned' | 'boxed' }
>;

export function parseSaid(line: string): Said | undefined {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

// The last word on a message; that it was received is final, whatever a second attempt is said to have met.
export function wordOn(lines: Iterable<Said>, id: string): SaidOfLetter | undefined {
  let last: SaidOfLetter | undefined;
  for (const said of lines) {
    if (!isOfLetter(said) || said.id !== id || last?.kind === 'received') continue;
    last = said;
  }
  return last;
}

export const isOfLetter = (said: Said): said is SaidOfLetter =>
  said.kind === 'handed' ||
  said.kind === 'queued' ||
  said.kind === 'refused' ||
  said.kind === 'received' ||
  said.kind === 'returned' ||
  said.kind === 'boxed';
