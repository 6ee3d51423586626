// The MCP server: lists the tools, checks what they are given, carries calls out, and says what went wrong.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { sayInvalid } from '../api/invalid.js';
import type { Desk } from './desk.js';
import { type Detail, detailOf, inWords } from './failures.js';
import type { Tool } from './tool.js';

export interface Call {
  // What the client says beside the arguments.
  meta: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  beat(): Promise<void>;
}

export interface ServerDeps {
  version: string;
  tools: readonly Tool[];
  deskFor(call: Call): Desk;
}

const INSTRUCTIONS = [
  'Suremail carries messages between coding agents (sessions) and people on this machine.',
  'Mail that others send you arrives by itself as "[Input from: NAME (ID) via sm send] #MESSAGE": answer it with reply, or with',
  'send to its NAME. A message that was sent is stored at once; its receipt says what is proved: queued, typed, submitted,',
  'received (the agent shows it), done (the turn that took it has ended).',
].join(' ');

// The low-level server, so that what is wrong with a call is said as everywhere else: by field, value and what is expected.
export function makeServer({ version, tools, deskFor }: ServerDeps): Server {
  const server = new Server(
    { name: 'suremail', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(CallRequest, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool)
      throw new McpError(
        ErrorCode.InvalidParams,
        `no such tool: ${params.name}; the tools are ${tools.map(({ name }) => name).join(', ')}`,
      );
    const meta = params._meta ?? {};
    const { progressToken } = meta;
    let beats = 0;
    const beat = async (): Promise<void> => {
      if (progressToken === undefined) return;
      const progress = { progressToken, progress: ++beats, message: 'still waiting' };
      await extra.sendNotification({ method: 'notifications/progress', params: progress });
    };
    return call(tool, params.arguments ?? {}, deskFor({ meta, signal: extra.signal, beat }));
  });
  return server;
}

// No arguments may come as null: then the tool says which it needs, and not the SDK, which shows its schema.
const { params } = CallToolRequestSchema.shape;
const CallRequest = CallToolRequestSchema.extend({
  params: params.extend({
    arguments: z.preprocess((given) => given ?? undefined, params.shape.arguments),
  }),
});

const listed = ({ name, title, description, input, effect }: Tool) => ({
  name,
  title,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }) as { type: 'object' },
  annotations: {
    readOnlyHint: effect === 'reads',
    destructiveHint: false,
    idempotentHint: effect === 'reads',
    openWorldHint: false,
  },
});

async function call(tool: Tool, given: Record<string, unknown>, desk: Desk): Promise<CallToolResult> {
  const read = tool.input.safeParse(given);
  if (!read.success) {
    const fields = `${tool.name} takes ${Object.keys(tool.input.shape).join(', ')}`;
    return failed(sayInvalid(read.error.issues as Issues, given, { whole: 'arguments', fields }));
  }
  try {
    const result = await tool.run(read.data as never, desk);
    return {
      content: [{ type: 'text', text: JSON.stringify(result, null, 2) }],
      structuredContent: { ...result },
    };
  } catch (error) {
    return failed(detailOf(error));
  }
}

type Issues = Parameters<typeof sayInvalid>[0];

const failed = (error: Detail): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: inWords(error) }],
  structuredContent: { error },
});
