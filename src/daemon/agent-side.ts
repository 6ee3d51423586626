// What agents run of ours, and how one is started with it: scripts in $SM_HOME/hooks, a folder for each session's door.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {
  briefing,
  type DoorLaunch,
  type McpServer,
  type Profiles,
  readVersion,
  splitCommand,
  toldFar,
  withMcp,
} from '../agents/index.js';
import { type Home, homeVariables } from '../api/locate.js';
import type { Config } from '../mail/index.js';
import { DoorFolders, type LaunchExtras, type Session } from '../sessions/index.js';
import { HOOK_SCRIPT } from '../spool/index.js';
import { writePrivate } from './home.js';

export interface AgentSide {
  hooks: string;
  spool: string;
  doors: DoorFolders;
}

// Copied, so that what a user's settings name stays where it is when this package moves.
export function prepareAgentSide({ folder }: Home, profiles: Profiles): AgentSide {
  const side = {
    hooks: path.join(folder, 'hooks'),
    spool: path.join(folder, 'spool'),
    doors: new DoorFolders(path.join(folder, 'doors')),
  };
  for (const each of [side.hooks, side.spool]) fs.mkdirSync(each, { recursive: true, mode: 0o700 });
  const scripts = Object.assign(
    { 'hook.sh': HOOK_SCRIPT },
    ...profiles.all.map(({ door }) => door?.scripts ?? {}),
  ) as Record<string, URL>;
  for (const [name, url] of Object.entries(scripts)) {
    const text = fs.readFileSync(url, 'utf8');
    const file = path.join(side.hooks, name);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) writePrivate(file, text, 0o700);
  }
  return side;
}

export const launcher =
  (home: Home, side: AgentSide, config: Config) =>
  async (
    session: Session,
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    file: string,
    { mcp, signals }: LaunchExtras,
  ): Promise<DoorLaunch> => {
    const { profile } = session;
    const start =
      mcp && profile.mcp
        ? withMcp(profile.mcp, mcpServer(home, env), { command, env, folder: side.doors.make(session.id) })
        : { command, env: {} };
    if (!profile.door || !config.doors) return start;
    const folder = side.doors.make(session.id);
    const version = await readVersion(profile, scriptOf(command, session.row.cwd) ?? file);
    side.doors.rememberVersion(session.id, version);
    const prepared = await profile.door.prepare({
      session: session.id,
      command: start.command,
      cwd: session.row.cwd,
      env: { ...env, ...start.env },
      version,
      folder,
      home: home.folder,
      hooksFolder: side.hooks,
      briefing: config.brief ? briefing('here', { signals, added: Object.keys(config.signalStates) }) : null,
      freePort,
    });
    return { ...prepared, env: { ...start.env, ...prepared.env } };
  };

// On another machine: its command line alone.
export const farLauncher =
  (config: Config) =>
  ({ profile }: Session, command: readonly string[], { signals }: LaunchExtras): readonly string[] => {
    const added = Object.keys(config.signalStates);
    return config.brief ? toldFar(profile, command, briefing('far', { signals, added })) : command;
  };

// Some agents give their servers little of their own environment.
const mcpServer = (home: Home, { SM_SESSION = '' }: Readonly<Record<string, string>>): McpServer => ({
  command: path.join(home.bin, 'sm'),
  args: ['mcp'],
  env: { SM_SESSION, ...homeVariables(home) },
});

// Behind an interpreter the script is the agent.
function scriptOf(command: readonly string[], cwd: string): string | undefined {
  const head = splitCommand(command)?.head ?? [];
  return head.length > 1 ? path.resolve(cwd, head.at(-1) as string) : undefined;
}

// Nobody else has it at this moment.
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
