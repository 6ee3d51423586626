// What Claude Code itself says, by its own record of the conversation.
import { z } from 'zod';
import type { Said } from '../profile.js';

// Not what an agent says that it started for a part of its work.
const Line = z.object({
  type: z.literal('assistant'),
  isSidechain: z.literal(false).optional(),
  uuid: z.string(),
  timestamp: z.iso.datetime(),
  message: z.object({ content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })) }),
});

export function saidIn(line: string): Said | undefined {
  if (!line.includes('"type":"assistant"')) return undefined;
  const parsed = Line.safeParse(parse(line));
  if (!parsed.success) return undefined;
  const { uuid, timestamp, message } = parsed.data;
  const texts = message.content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []));
  return texts.length === 0 ? undefined : { entry: uuid, at: Date.parse(timestamp), text: texts.join('\n') };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
