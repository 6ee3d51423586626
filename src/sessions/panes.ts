// The panes of a tmux server as candidates for adoption.
import { isInteractiveShell, recognise } from '../agents/index.js';
import type { TmuxServer } from '../tmux/index.js';
import { foregroundOf } from './process.js';

export interface PaneCandidate {
  pane: string;
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
export async function listCandidates(server: TmuxServer, target?: string): Promise<PaneCandidate[]> {
  const args =
    target === undefined
      ? ['list-panes', '-a', '-F', FORMAT]
      : ['display-message', '-p', '-t', target, FORMAT];
  const text = await server.fork(['-N', ...args]);
  const lines = text.split('\n').filter((line) => line.startsWith('%'));
  return Promise.all(lines.map(candidate));
}

async function candidate(line: string): Promise<PaneCandidate> {
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
  const argv = (await foregroundOf(Number(pid)))?.argv ?? [program];
  return {
    pane,
    tmuxSession,
    target,
    program,
    agent: recognise(argv)?.name ?? null,
    isShell: isInteractiveShell(argv),
    cwd,
    title: title.join(SEPARATOR),
    everAttached: lastAttached !== '',
  };
}
