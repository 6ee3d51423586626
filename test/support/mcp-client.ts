// `sm mcp` over stdio with the client of the official SDK, as agents start it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

export interface McpServer {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export async function connect({ command, args, env }: McpServer): Promise<{ client: Client; pid: number }> {
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StdioClientTransport({ command, args, env: { ...getDefaultEnvironment(), ...env } });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

// biome-ignore lint/suspicious/noExplicitAny: a result may be anything; the tests say what it must be.
export type Result = any;

export async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Result> {
  const result = await client.callTool({ name, arguments: input });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
  return result.structuredContent;
}
