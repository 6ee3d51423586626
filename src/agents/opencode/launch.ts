// How OpenCode is started so that its server can be reached: on a port of its own, and by us alone.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { DoorLaunch, LaunchContext } from '../door.js';
import { splitCommand, withoutOption } from '../options.js';
import { PASSWORD } from './client.js';
import { writeStart } from './start.js';

const NOT_A_SESSION = new Set(['-h', '--help', '-v', '--version', '--mini']);
const SUBCOMMANDS = new Set([
  'acp',
  'agent',
  'attach',
  'auth',
  'completion',
  'db',
  'debug',
  'export',
  'github',
  'import',
  'mcp',
  'models',
  'plug',
  'plugin',
  'pr',
  'providers',
  'run',
  'serve',
  'session',
  'stats',
  'uninstall',
  'upgrade',
  'web',
]);
const VALUED = new Set([
  '--agent',
  '--cors',
  '--hostname',
  '--log-level',
  '--mdns-domain',
  '--model',
  '--port',
  '--prompt',
  '--replay-limit',
  '--session',
  '-m',
  '-s',
]);
const CONFIG = 'OPENCODE_CONFIG_CONTENT';

export async function launchOpencode(context: LaunchContext): Promise<DoorLaunch> {
  const { command, env } = context;
  const split = splitCommand(command);
  if (!split) return { command, env: {} };
  const { head, args } = split;
  if (args.some((arg) => NOT_A_SESSION.has(arg)) || SUBCOMMANDS.has(firstWord(args) ?? ''))
    return { command, env: {} };
  const told = withBriefing(context);
  const port = withoutOption(args, '--port');
  // Whoever names a port or an address wants to reach it by other means too, as they have set it up.
  if (Number(port.value) > 0) return { command, env: told };
  const free = await context.freePort();
  const words = ['--port', String(free), ...port.rest];
  const isOurs = !args.some((arg) => /^--(?:hostname|mdns)\b/.test(arg)) && !env[PASSWORD];
  const secret: Record<string, string> = isOurs ? { [PASSWORD]: randomBytes(24).toString('base64url') } : {};
  writeStart(context.folder, { port: free, ...(secret[PASSWORD] && { password: secret[PASSWORD] }) });
  return { command: [...head, ...words], env: { ...told, ...secret } };
}

function firstWord(args: readonly string[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (VALUED.has(arg)) i++;
    else if (!arg.startsWith('-')) return arg;
  }
  return undefined;
}

// A file of instructions beside those that the user has.
function withBriefing({ briefing, folder, env }: LaunchContext): Record<string, string> {
  if (briefing === null) return {};
  const own = parseConfig(env[CONFIG]);
  if (!own) return {};
  const file = path.join(folder, 'instructions.md');
  fs.writeFileSync(file, `${briefing}\n`, { mode: 0o600 });
  const instructions = [...(Array.isArray(own.instructions) ? (own.instructions as unknown[]) : []), file];
  return { [CONFIG]: JSON.stringify({ ...own, instructions }) };
}

// Undefined where it cannot be read: then it stays as the user has it.
function parseConfig(text: string | undefined): Record<string, unknown> | undefined {
  if (!text) return {};
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
