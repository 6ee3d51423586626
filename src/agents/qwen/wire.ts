// What Qwen Code writes into its --json-file, as far as it concerns us: prompts, answers, tools, questions.
import { z } from 'zod';

const Block = z.object({
  type: z.string(),
  text: z.string().optional(),
  // Of a tool's call, and of its result.
  id: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
});
// A subagent's messages name the call that it runs in.
const inTool = z.string().nullish();
const content = z.object({ content: z.array(Block) });

const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('system'), subtype: z.string(), session_id: z.string() }),
  z.object({
    type: z.literal('user'),
    uuid: z.string(),
    session_id: z.string(),
    parent_tool_use_id: inTool,
    message: content,
  }),
  z.object({ type: z.literal('assistant'), parent_tool_use_id: inTool, message: content }),
  z.object({
    type: z.literal('stream_event'),
    parent_tool_use_id: inTool,
    event: z.object({ type: z.string() }),
  }),
  z.object({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: z.object({ subtype: z.string(), tool_name: z.string().optional() }),
  }),
  z.object({
    type: z.literal('control_response'),
    response: z.object({
      request_id: z.string(),
      response: z.object({ allowed: z.boolean().optional() }).optional(),
    }),
  }),
]);

export type Told =
  | { kind: 'started'; conversation: string }
  | { kind: 'prompt'; turn: string; conversation: string; text: string }
  | { kind: 'results'; tools: readonly { id: string; failed: boolean }[] }
  | { kind: 'answer'; text: string; calls: readonly string[] }
  | { kind: 'answering' }
  | { kind: 'answered' }
  | { kind: 'asked'; id: string; detail: string }
  | { kind: 'decided'; id: string };

// The model's words one by one: by far the most of what comes.
const NOISE = /"event":\{"type":"content_block_/;

export function parseLine(text: string): Told | undefined {
  if (NOISE.test(text.slice(0, 300))) return undefined;
  let line: z.infer<typeof Line> | undefined;
  try {
    line = Line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
  return line && understand(line);
}

function understand(line: z.infer<typeof Line>): Told | undefined {
  switch (line.type) {
    case 'system':
      return line.subtype === 'session_start'
        ? { kind: 'started', conversation: line.session_id }
        : undefined;
    case 'user': {
      if (line.parent_tool_use_id) return undefined;
      const { content: blocks } = line.message;
      const results = blocks.flatMap(({ type, tool_use_id: id, is_error }) =>
        type === 'tool_result' && id ? [{ id, failed: is_error === true }] : [],
      );
      if (results.length > 0) return { kind: 'results', tools: results };
      return { kind: 'prompt', turn: line.uuid, conversation: line.session_id, text: textOf(blocks) };
    }
    case 'assistant': {
      if (line.parent_tool_use_id) return undefined;
      const { content: blocks } = line.message;
      const calls = blocks.flatMap(({ type, id }) => (type === 'tool_use' && id ? [id] : []));
      return { kind: 'answer', text: textOf(blocks), calls };
    }
    case 'stream_event':
      if (line.parent_tool_use_id) return undefined;
      if (line.event.type === 'message_start') return { kind: 'answering' };
      return line.event.type === 'message_stop' ? { kind: 'answered' } : undefined;
    case 'control_request':
      return line.request.subtype === 'can_use_tool'
        ? { kind: 'asked', id: line.request_id, detail: line.request.tool_name ?? 'permission' }
        : undefined;
    case 'control_response':
      return { kind: 'decided', id: line.response.request_id };
  }
}

const textOf = (blocks: readonly z.infer<typeof Block>[]): string =>
  blocks.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n');
