// Starting a program as a session.
import os from 'node:os';
import { baseName, GENERIC, mcpRefusal, type Profile } from '../agents/index.js';
import { freshComposer } from '../composer/index.js';
import type { PastDraft } from '../store/index.js';
import { HostDown, TmuxError } from '../tmux/index.js';
import { SessionError } from './errors.js';
import { farCommands, farPlace } from './far-launch.js';
import { abandonStart, listen } from './following.js';
import { type Launch, launchCommands, prepareSession, requireFolder, requireProgram } from './launch.js';
import { chooseProfile, uniqueName } from './names.js';
import { processesOf } from './processes.js';
import type { Registry } from './registry.js';
import { parseAddress } from './server-address.js';
import { blankRow, type Session } from './session.js';
import { Tracker } from './tracker.js';

export interface StartOptions {
  command: string[];
  name?: string | undefined;
  // Here, otherwise where the daemon's user is at home; on another machine, otherwise there.
  cwd?: string | undefined;
  agent?: string | undefined;
  // The machine to start it on; null or undefined: this one.
  host?: string | null | undefined;
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
  const place = await findPlace(registry, options);
  const { socket, cwd } = place;
  await servers.prepare(socket);
  const profile = chooseProfile(profiles, options.agent, options.command);
  if (options.mcp) requireMcp(profile, options.command, place.host);
  const fallback = profile === GENERIC ? baseName(options.command[0] ?? '') : profile.name;
  const session = await registry.insert({
    ...blankRow(newId(), clock()),
    name: uniqueName(registry.list(), options.name, fallback),
    agent: profile.name,
    origin: 'started',
    socket,
    command: JSON.stringify(options.command),
    cwd,
    past_draft: options.past_draft ?? null,
    parent: options.parent ?? null,
    groups: JSON.stringify([...new Set(options.groups)]),
  });
  try {
    await launch(registry, session, options, place);
    return session;
  } catch (error) {
    // What is left there is taken away once its host is reached again.
    await abandonStart(registry, session).catch((cause: unknown) => {
      if (!(cause instanceof HostDown)) throw cause;
      registry.unfinished.add(session.id);
    });
    if (!(error instanceof TmuxError)) throw error;
    throw new SessionError('tmux', `could not start "${options.command[0]}": ${error.detail}`);
  }
}

function requireMcp(profile: Profile, command: readonly string[], host: string | null): void {
  const refusal =
    host === null ? mcpRefusal(profile, command) : `there is no sm on ${host} that its agent could run`;
  if (refusal)
    throw new SessionError('invalid', refusal, {
      field: 'mcp',
      value: true,
      expected: 'an agent whose profile says how, or no mcp; docs/mcp.md lists them',
    });
}

// Where it is to run. `file`: the program, where it is one of this machine.
interface Place {
  host: string | null;
  socket: string;
  cwd: string;
  file: string | undefined;
}

async function findPlace({ deps: { servers } }: Registry, options: StartOptions): Promise<Place> {
  const { command, env } = options;
  // A socket may be that of another session, on another machine.
  const host = options.host ?? parseAddress(options.socket ?? '').host;
  if (host === null) {
    const cwd = options.cwd ?? os.homedir();
    requireFolder(cwd);
    const file = requireProgram(command, cwd, env.PATH ?? process.env.PATH ?? '');
    return { host, socket: servers.pathOf(options.socket), cwd, file };
  }
  const socket = await servers.locate(host, parseAddress(options.socket ?? 'default').path);
  const cwd = await farPlace(servers.hostOf(host), command, options.cwd);
  return { host, socket, cwd, file: undefined };
}

interface Prepared {
  launch: Launch;
  commands: (pane: string) => string[];
}

// A program of this machine is given what its door needs.
async function prepareHere(
  registry: Registry,
  session: Session,
  options: StartOptions,
  { cwd, file = '' }: Place,
): Promise<Prepared> {
  const { sessionEnv, prepareLaunch, beforeLaunch } = registry.deps;
  const env = sessionEnv(session.id, options.env);
  const prepared = await prepareLaunch(session, options.command, env, file, {
    mcp: options.mcp ?? false,
    signals: options.signals ?? true,
  });
  const launch = {
    ...options,
    cwd,
    command: prepared.command,
    env: { ...env, ...prepared.env },
    tmuxName: tmuxNameOf(session),
  };
  return { launch, commands: (pane) => launchCommands(launch, pane, beforeLaunch(session, launch.env)) };
}

function prepareFar({ deps }: Registry, session: Session, options: StartOptions, { cwd }: Place): Prepared {
  const command = deps.prepareFar(session, options.command, { mcp: false, signals: options.signals ?? true });
  const launch = { ...options, cwd, command, tmuxName: tmuxNameOf(session) };
  return { launch, commands: (pane) => farCommands(launch, pane) };
}

const tmuxNameOf = ({ name }: Session): string => name.replace(/[.:]/g, '_');

async function launch(
  registry: Registry,
  session: Session,
  options: StartOptions,
  place: Place,
): Promise<void> {
  const { servers, clock } = registry.deps;
  const server = servers.at(session.row.socket);
  const { launch: program, commands } =
    place.host === null
      ? await prepareHere(registry, session, options, place)
      : prepareFar(registry, session, options, place);
  const made = await prepareSession(server, program);
  await registry.change(session, { tmux_session: made.tmuxSession, pane: made.pane, server: made.server });
  const lines = commands(made.pane);
  const tracker = await Tracker.follow(server, made.tmuxSession, made.pane, session, clock);
  if (registry.get(session.id) !== session) {
    tracker.dispose();
    throw new SessionError('conflict', `${session.name} was removed while it was being started`);
  }
  session.tracker = tracker;
  const blocks = await tracker.pane.link.list(lines);
  const failed = blocks.find((block) => !block.ok);
  if (failed) throw new TmuxError('respawn-pane', failed.lines.join(' '));
  const view = await tracker.pane.view();
  // A program that has ended already has no start time; nothing will be taken for it.
  const started = (await processesOf(server).read(view.pid))?.started ?? '';
  const composer = freshComposer(view, server.ownClientPids, clock());
  session.composer = composer;
  await registry.change(session, {
    program: JSON.stringify({ pid: view.pid, started, argv: program.command }),
    state: 'live',
    composer: JSON.stringify(composer),
  });
  listen(registry, session, tracker);
  await registry.applyVerdict(session, await tracker.assess());
}
