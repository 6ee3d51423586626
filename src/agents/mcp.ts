// How an agent is given our MCP server for one run, as data; nothing is written into its own settings.
import fs from 'node:fs';
import path from 'node:path';
import { splitCommand, withoutOption } from './options.js';
import type { Profile } from './profile.js';

export type McpSetup =
  // A word of its command line, in which {file} stands for a file that lists servers under "mcpServers".
  // `entry`: what it wants to read there beside command, args and env. `once`: it takes only one such word.
  | { how: 'file'; option: string; entry?: Readonly<Record<string, unknown>>; once?: true }
  // Settings on its command line, each `option NAME=VALUE` with the value as TOML.
  | { how: 'override'; option: string; table: string }
  // Settings as JSON in a variable, beside what stands there already.
  | { how: 'variable'; name: string }
  // Not for one run. `instead`: what its user can do.
  | { how: 'not'; instead: string };

export interface McpServer {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface Start {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
}

// As its tools are called in the agent: `mcp__sm__send`, say.
const NAME = 'sm';

// Why it cannot be given one, in a sentence; undefined where it can.
export function mcpRefusal(
  { title, mcp }: Pick<Profile, 'title' | 'mcp'>,
  command: readonly string[],
): string | undefined {
  if (!mcp) return `it is not known how ${title} is given an MCP server; its profile can say it`;
  if (mcp.how === 'not') return `${title} takes no MCP server for one run; ${mcp.instead}`;
  const split = splitCommand(command);
  if (!split) return 'a shell reads this command line, so that nothing can be put into it';
  if (mcp.how !== 'file' || !mcp.once) return undefined;
  const [option = ''] = mcp.option.split('=');
  return withoutOption(split.args, option).value === undefined
    ? undefined
    : `the command names servers with ${option}, which ${title} takes only once; put "sm mcp" among them`;
}

// The command line and the variables with our server in them. `folder`: private to the session.
export function withMcp(setup: McpSetup, server: McpServer, start: Start & { folder: string }): Start {
  const { command, env, folder } = start;
  const split = splitCommand(command);
  if (!split || setup.how === 'not') return { command, env: {} };
  const adding = (...words: string[]): Start => ({
    command: [...split.head, ...words, ...split.args],
    env: {},
  });
  switch (setup.how) {
    case 'file': {
      const file = path.join(folder, 'mcp.json');
      const servers = { mcpServers: { [NAME]: { ...setup.entry, ...server } } };
      fs.writeFileSync(file, `${JSON.stringify(servers, null, 2)}\n`, { mode: 0o600 });
      return adding(setup.option.replace('{file}', file));
    }
    case 'override':
      return adding(setup.option, `${setup.table}.${NAME}=${toml({ ...server })}`);
    case 'variable': {
      const own = parseObject(env[setup.name]);
      // What cannot be read stays as the user has it: the agent says what is wrong with it.
      if (!own) return { command, env: {} };
      const ours = {
        type: 'local',
        command: [server.command, ...server.args],
        environment: server.env,
        enabled: true,
      };
      const mcp = { ...(own.mcp as object | undefined), [NAME]: ours };
      return { command, env: { [setup.name]: JSON.stringify({ ...own, mcp }) } };
    }
  }
}

// Strings of JSON are strings of TOML.
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inside]) => `${key} = ${toml(inside)}`);
  return `{ ${pairs.join(', ')} }`;
}

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  if (!text) return {};
  try {
    const parsed = JSON.parse(text) as unknown;
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
