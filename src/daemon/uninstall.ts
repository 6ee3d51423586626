// Takes us out of agents' settings and out of tmux: first what can fail, then what cannot be taken back.
import { HookFileError, hookState, uninstallHooks } from '../agents/index.js';
import type { Uninstalled } from '../api/types.js';
import type { PostOffice } from '../mail/index.js';
import { isFar, type Registry, SessionError } from '../sessions/index.js';
import type { History } from '../store/index.js';
import { type HookPlaces, hookPlans } from './hook-plans.js';
import { lookForTraces, type OwnPane, type Traces, tracesIn } from './traces.js';

export interface UninstallDeps extends HookPlaces {
  registry: Registry;
  office: PostOffice;
  history: History;
  openDrafts: () => number;
  stop: () => void;
}

type Where = Readonly<Record<string, string>>;

export async function uninstall(
  deps: UninstallDeps,
  env: Where,
  way: 'look' | 'remove',
): Promise<Uninstalled> {
  const { registry, office, openDrafts } = deps;
  const plans = hookPlans(deps, env).filter((plan) => understood(() => hookState(plan)) !== 'absent');
  const waiting = [...office.ledger.messages.waitingCounts().values()].reduce((sum, n) => sum + n, 0);
  const report = {
    pid: process.pid,
    hooks: plans.map(({ file }) => file),
    sessions: registry.list().flatMap(({ name, row }) => (row.state === 'live' ? [name] : [])),
    waiting,
    drafts: openDrafts(),
  };
  if (way === 'look') return { ...report, tmux: await onServers(deps, async () => {}) };
  for (const plan of plans) understood(() => uninstallHooks(plan));
  // Nothing may be under way when the journal goes.
  await office.dispose();
  const tmux = await onServers(deps, async (server, { commands }) => {
    // One that is gone already needs no taking out.
    for (const { args } of commands) await server.fork(['-N', ...args]).catch(() => {});
  });
  deps.stop();
  return { ...report, tmux };
}

function understood<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof HookFileError)) throw error;
    throw new SessionError('conflict', `${error.message}; correct it, or take our hooks out by hand`);
  }
}

type Server = ReturnType<Registry['deps']['servers']['at']>;

// Undefined for one on a host that is no more.
function serverAt(registry: Registry, socket: string): Server | undefined {
  try {
    return registry.deps.servers.at(socket);
  } catch {
    return undefined;
  }
}

async function onServers(
  { registry, history }: UninstallDeps,
  act: (server: Server, traces: Traces) => Promise<void>,
): Promise<Uninstalled['tmux']> {
  const rows = history.sessions();
  const sockets = [...new Set(rows.map(({ socket }) => socket))];
  const found = await Promise.all(
    sockets.map(async (socket) => {
      const server = serverAt(registry, socket);
      const identity = await server?.identity().catch(() => undefined);
      // Its server is gone, and with it everything.
      if (!server || !identity) return [];
      const name = `${identity.pid}:${identity.startTime}`;
      const own: OwnPane[] = rows.filter(
        (row) => row.socket === socket && row.server === name && row.pane !== '',
      );
      const traces = tracesIn(await lookForTraces(server), own, {
        pid: process.pid,
        // Of another machine only its own processes are known: what others have there is left alone.
        isAlive: isFar(socket) ? () => true : isAlive,
      });
      await act(server, traces);
      return [{ socket, traces: traces.commands.map(({ what }) => what), held: traces.held }];
    }),
  );
  return found.flat();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
