// The panes of a tmux server as candidates for adoption.
import { isInteractiveShell, type Profiles } from '../agents/index.js';
import { HostDown, type TmuxServer } from '../tmux/index.js';
import { type Processes, processesOf } from './processes.js';

export interface PaneCandidate {
  pane: string;
  pid: number;
  tmuxSession: string;
  target: string;
  program: string;
  agent: string | null;
  isShell: boolean;
  cwd: string;
  title: string;
  // A client was attached to its tmux session at some time, so a person may have typed there.
  everAttached: boolean;
}

const SEPARATOR = '\t';
const FORMAT = [
  '#{pane_id}',
  '#{session_id}',
  '#{pane_pid}',
  '#{session_last_attached}',
  '#{pane_current_command}',
  '#{pane_current_path}',
  '#{session_name}:#{window_index}.#{pane_index}',
  '#{pane_title}',
].join(SEPARATOR);

// `target` narrows it to one pane; the first line is the one that tmux means by it.
export async function listCandidates(
  server: TmuxServer,
  profiles: Profiles,
  target?: string,
): Promise<PaneCandidate[]> {
  const args =
    target === undefined
      ? ['list-panes', '-a', '-F', FORMAT]
      : ['display-message', '-p', '-t', target, FORMAT];
  // display-message falls back to another pane where the target is wrong; capture-pane says so.
  if (target !== undefined) await server.fork(['-N', 'capture-pane', '-p', '-t', target]);
  const text = await server.fork(['-N', ...args]);
  const lines = text.split('\n').filter((line) => line.startsWith('%'));
  const processes = processesOf(server);
  return Promise.all(lines.map((line) => candidate(line, profiles, processes)));
}

async function candidate(line: string, profiles: Profiles, processes: Processes): Promise<PaneCandidate> {
  const [
    pane = '',
    tmuxSession = '',
    pid = '',
    lastAttached = '',
    program = '',
    cwd = '',
    target = '',
    ...title
  ] = line.split(SEPARATOR);
  const argv = (await processes.foregroundOf(Number(pid)))?.argv ?? [program];
  return {
    pane,
    pid: Number(pid),
    tmuxSession,
    target,
    program,
    agent: profiles.recognise(argv)?.name ?? null,
    isShell: isInteractiveShell(argv),
    cwd,
    title: title.join(SEPARATOR),
    everAttached: lastAttached !== '',
  };
}

// Which server this is, and where each of its panes is: all of one moment.
export interface ServerSnapshot {
  // Pid and start time; undefined when no server runs there.
  identity: string | undefined;
  panes: Map<string, { session: string; activity: number }>;
}

// Rejects with HostDown where nothing can be known.
export async function takeSnapshot(server: TmuxServer): Promise<ServerSnapshot> {
  const format = '#{pid}:#{start_time} #{pane_id} #{session_id} #{session_activity}';
  const text = await server.fork(['-N', 'list-panes', '-a', '-F', format]).catch((error: unknown) => {
    if (error instanceof HostDown) throw error;
    return '';
  });
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '));
  return {
    identity: lines[0]?.[0],
    panes: new Map(
      lines.map(([, pane = '', session = '', activity]) => [
        pane,
        { session, activity: Number(activity) - server.transport.skewS },
      ]),
    ),
  };
}
