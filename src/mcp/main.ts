// `sm mcp`: serves on standard input and output until its client has gone.
import fs from 'node:fs';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { Client, NotRunning } from '../api/client.js';
import { locateHome } from '../api/locate.js';
import { senderFrom } from '../api/sender.js';
import type { Session } from '../api/types.js';
import { callerOf, type Desk, whoCalls } from './desk.js';
import { type Call, makeServer } from './server.js';
import { startDaemon } from './start-daemon.js';
import { TOOLS } from './tools/index.js';

export async function serve(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const client = new Client({ socket: locateHome(env).socket });
  const ask: Desk['ask'] = async (request) => {
    try {
      return await request(client);
    } catch (error) {
      if (!(error instanceof NotRunning) || !error.isAbsent) throw error;
    }
    await startDaemon(env);
    return request(client);
  };
  const deskFor = ({ meta, signal, beat }: Call): Desk => {
    const from = callerOf(senderFrom(env), meta);
    let found: Promise<Session | null> | undefined;
    const me = (): Promise<Session | null> => {
      found ??= whoCalls({ ask, from });
      return found;
    };
    return { ask, from, me, signal, beat };
  };
  const server = makeServer({ version: readVersion(), tools: TOOLS, deskFor });
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve).once('close', resolve);
  });
  server.onerror = (error) => answerNoJson(error, process.stdout);
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}

// As JSON-RPC has it; the SDK passes over such a line in silence, and its client would wait.
function answerNoJson(error: Error, to: NodeJS.WritableStream): void {
  if (!(error instanceof SyntaxError)) return;
  const answer = { code: ErrorCode.ParseError, message: `a line is no JSON: ${error.message}` };
  to.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: answer })}\n`);
}

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}
