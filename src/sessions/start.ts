// Starting a program as a session.
import { baseName, GENERIC, mcpRefusal, type Profile } from '../agents/index.js';
import { freshComposer } from '../composer/index.js';
import type { PastDraft } from '../store/index.js';
import { TmuxError } from '../tmux/index.js';
import { SessionError } from './errors.js';
import { abandonStart, listen } from './following.js';
import { launchCommands, prepareSession, requireFolder, requireProgram } from './launch.js';
import { chooseProfile, uniqueName } from './names.js';
import { readProcess } from './process.js';
import type { Registry } from './registry.js';
import { blankRow, type Session } from './session.js';
import { Tracker } from './tracker.js';

export interface StartOptions {
  command: string[];
  name?: string | undefined;
  cwd: string;
  agent?: string | undefined;
  socket?: string | undefined;
  env: Record<string, string>;
  width: number;
  height: number;
  past_draft?: PastDraft | undefined;
  // The session whose agent starts it.
  parent?: string | null | undefined;
  groups?: readonly string[] | undefined;
  // Give its agent our MCP server.
  mcp?: boolean | undefined;
  // Tell its agent how to signal, unless this is false.
  signals?: boolean | undefined;
}

export async function startSession(registry: Registry, options: StartOptions): Promise<Session> {
  const { servers, clock, newId, profiles } = registry.deps;
  requireFolder(options.cwd);
  const file = requireProgram(options.command, options.cwd, options.env.PATH ?? process.env.PATH ?? '');
  servers.prepare(servers.pathOf(options.socket));
  const profile = chooseProfile(profiles, options.agent, options.command);
  if (options.mcp) requireMcp(profile, options.command);
  const fallback = profile === GENERIC ? baseName(options.command[0] ?? '') : profile.name;
  const session = await registry.insert({
    ...blankRow(newId(), clock()),
    name: uniqueName(registry.list(), options.name, fallback),
    agent: profile.name,
    origin: 'started',
    socket: servers.pathOf(options.socket),
    command: JSON.stringify(options.command),
    cwd: options.cwd,
    past_draft: options.past_draft ?? null,
    parent: options.parent ?? null,
    groups: JSON.stringify([...new Set(options.groups)]),
  });
  try {
    await launch(registry, session, options, file);
    return session;
  } catch (error) {
    await abandonStart(registry, session);
    if (!(error instanceof TmuxError)) throw error;
    throw new SessionError('tmux', `could not start "${options.command[0]}": ${error.detail}`);
  }
}

function requireMcp(profile: Profile, command: readonly string[]): void {
  const refusal = mcpRefusal(profile, command);
  if (refusal)
    throw new SessionError('invalid', refusal, {
      field: 'mcp',
      value: true,
      expected: 'an agent whose profile says how, or no mcp; docs/mcp.md lists them',
    });
}

async function launch(
  registry: Registry,
  session: Session,
  options: StartOptions,
  file: string,
): Promise<void> {
  const { servers, clock, sessionEnv, prepareLaunch } = registry.deps;
  const env = sessionEnv(session.id, options.env);
  const prepared = await prepareLaunch(session, options.command, env, file, {
    mcp: options.mcp ?? false,
    signals: options.signals ?? true,
  });
  const server = servers.at(session.row.socket);
  const program = {
    ...options,
    command: prepared.command,
    env: { ...env, ...prepared.env },
    tmuxName: session.name.replace(/[.:]/g, '_'),
  };
  const made = await prepareSession(server, program);
  await registry.change(session, { tmux_session: made.tmuxSession, pane: made.pane, server: made.server });
  const folder = registry.deps.beforeLaunch(session, program.env);
  const tracker = await Tracker.follow(server, made.tmuxSession, made.pane, session, clock);
  session.tracker = tracker;
  const blocks = await tracker.pane.link.list(launchCommands(program, made.pane, folder));
  const failed = blocks.find((block) => !block.ok);
  if (failed) throw new TmuxError('respawn-pane', failed.lines.join(' '));
  const view = await tracker.pane.view();
  // A program that has ended already has no start time; nothing will be taken for it.
  const started = (await readProcess(view.pid))?.started ?? '';
  const composer = freshComposer(view, server.ownClientPids, clock());
  session.composer = composer;
  await registry.change(session, {
    program: JSON.stringify({ pid: view.pid, started, argv: prepared.command }),
    state: 'live',
    composer: JSON.stringify(composer),
  });
  listen(registry, session, tracker);
  await registry.applyVerdict(session, await tracker.assess());
}
