// Taking over a pane that exists.
import { baseName, GENERIC } from '../agents/index.js';
import type { PastDraft } from '../store/index.js';
import { HostDown, type TmuxError } from '../tmux/index.js';
import { SessionError } from './errors.js';
import { follow } from './following.js';
import { learnEmptyBox } from './learning.js';
import { chooseProfile, uniqueName } from './names.js';
import { listCandidates, type PaneCandidate, takeSnapshot } from './panes.js';
import { processesOf } from './processes.js';
import type { Registry } from './registry.js';
import { blankRow, type Session } from './session.js';

export interface AdoptOptions {
  target: string;
  name?: string | undefined;
  agent?: string | undefined;
  // The machine that it is on; null or undefined: this one.
  host?: string | null | undefined;
  socket?: string | undefined;
  empty: boolean;
  past_draft?: PastDraft | undefined;
}

// A pane that is a session already is looked at anew: with `empty` the person says that its box is empty as it looks now.
export async function adoptSession(registry: Registry, options: AdoptOptions): Promise<Session> {
  const { servers, profiles } = registry.deps;
  const socket = await servers.locate(options.host, options.socket);
  const [candidate] = await listCandidates(servers.at(socket), profiles, options.target).catch(
    (error: TmuxError) => {
      if (error instanceof HostDown) throw error;
      throw badTarget(options.target, error.detail);
    },
  );
  if (!candidate) throw badTarget(options.target, 'no such pane');
  const { identity = '' } = await takeSnapshot(servers.at(socket));
  // Also one that is shown as gone: its pane has turned up again.
  const known = registry
    .list()
    .find(({ row }) => row.socket === socket && row.pane === candidate.pane && row.server === identity);
  const session = known ?? (await insertAdopted(registry, options, candidate, socket, identity));
  if (known && options.past_draft) await registry.change(known, { past_draft: options.past_draft });
  if (!session.tracker) await follow(registry, session);
  if (session.tracker && session.row.state === 'live') {
    const occasion = options.empty ? 'said' : candidate.everAttached ? 'adopted' : 'unseen';
    await learnEmptyBox(registry, session, session.tracker, occasion);
    registry.stir(session);
  }
  return session;
}

async function insertAdopted(
  registry: Registry,
  options: AdoptOptions,
  candidate: PaneCandidate,
  socket: string,
  identity: string,
): Promise<Session> {
  const { clock, newId, profiles, servers } = registry.deps;
  const foreground = await processesOf(servers.at(socket)).foregroundOf(candidate.pid);
  if (!foreground)
    throw new SessionError(
      'conflict',
      `the program in ${candidate.pane} has ended: there is nothing to adopt`,
    );
  const profile = chooseProfile(profiles, options.agent, foreground.argv);
  const fallback = profile === GENERIC ? baseName(candidate.program) : profile.name;
  return registry.insert({
    ...blankRow(newId(), clock()),
    name: uniqueName(registry.list(), options.name, fallback),
    agent: profile.name,
    origin: 'adopted',
    socket,
    server: identity,
    tmux_session: candidate.tmuxSession,
    pane: candidate.pane,
    command: JSON.stringify(foreground.argv),
    cwd: candidate.cwd,
    program: JSON.stringify({ pid: foreground.pid, started: foreground.started, argv: foreground.argv }),
    state: 'live',
    past_draft: options.past_draft ?? null,
  });
}

const badTarget = (target: string, detail: string): SessionError =>
  new SessionError('invalid', `no such pane: ${target} (${detail})`, {
    field: 'target',
    value: target,
    expected: 'a tmux target such as %12, main:1.0 or main; "sm adopt" lists the panes',
  });
