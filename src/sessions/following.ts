// Finding a session's pane in tmux and listening to it, on adoption, after a restart, and wherever the pane is moved.
import { persons } from '../composer/index.js';
import { SessionTable } from '../store/index.js';
import { HostDown, TmuxError, unfitWindow } from '../tmux/index.js';
import { learnEmptyBox } from './learning.js';
import { endPane, type ServerSnapshot, takeSnapshot } from './panes.js';
import type { Registry } from './registry.js';
import type { Session } from './session.js';
import { endStaleClients } from './stale.js';
import { Tracker, type TrackerEvent } from './tracker.js';

// Before one whose connection ended while it was being followed is followed again.
const AGAIN_MS = 1000;

// Takes up where the last daemon left off: each session is found again in tmux, or shown as gone. Those on other machines
// are found once their host is reached (host-watch.ts).
export async function recoverSessions(registry: Registry): Promise<void> {
  const { store, servers } = registry.deps;
  for (const row of new SessionTable(store).present()) registry.load(row);
  const here = registry.list().filter(({ host }) => host === null);
  const sockets = [...new Set(here.map(({ row }) => row.socket))];
  await Promise.all(sockets.map((socket) => endStaleClients(servers.at(socket))));
  const snapshots = await Promise.all(sockets.map((socket) => takeSnapshot(servers.at(socket))));
  await Promise.all(
    here.map((session) => {
      if (session.row.state === 'starting') return abandonStart(registry, session);
      return follow(registry, session, snapshots[sockets.indexOf(session.row.socket)]);
    }),
  );
}

// Links to wherever the pane is now; shows the session as gone when it is nowhere. One whose host cannot be reached stays as
// it is.
export async function follow(registry: Registry, session: Session, known?: ServerSnapshot): Promise<void> {
  const { servers, clock } = registry.deps;
  const { socket, server: identity, pane } = session.row;
  const server = servers.at(socket);
  try {
    const snapshot = known ?? (await takeSnapshot(server));
    const place = snapshot.identity === identity ? snapshot.panes.get(pane) : undefined;
    if (!place) throw new TmuxError('follow', `can't find pane ${pane}`);
    const tracker = await Tracker.follow(server, place.session, pane, session, clock);
    // It was removed meanwhile, or somebody else has found it.
    if (registry.get(session.id) !== session || session.tracker) {
      tracker.dispose();
      return;
    }
    session.tracker = tracker;
    // As a daemon left it that was killed.
    await unfitWindow(tracker.pane);
    if (place.session !== session.row.tmux_session)
      await registry.change(session, { tmux_session: place.session });
    await passOverOurs(registry, session, tracker, place.activity);
    await registry.applyVerdict(session, await tracker.assess());
    if (session.row.state === 'gone') await registry.comeBack(session);
    listen(registry, session, tracker);
    registry.stir(session);
  } catch (error) {
    await showGone(registry, session, error);
  }
}

async function showGone(registry: Registry, session: Session, error: unknown): Promise<void> {
  session.tracker?.dispose();
  session.tracker = undefined;
  if (error instanceof HostDown) return;
  const now = await takeSnapshot(registry.deps.servers.at(session.row.socket)).catch(() => undefined);
  if (!now) return;
  const isSameServer = now.identity === session.row.server;
  // Only the connection to it has ended.
  if (isSameServer && now.panes.has(session.row.pane)) {
    registry.deps.log('session not followed', { session: session.id, error: String(error) });
    registry.later(AGAIN_MS, () => followAgain(registry, session));
    return;
  }
  const reason = isSameServer ? 'its pane was closed' : 'its tmux server has ended';
  if (session.row.state === 'gone' && session.row.state_reason === reason) return;
  registry.deps.log('session gone', { session: session.id, reason, error: String(error) });
  await registry.leave(session, 'gone', reason);
}

async function followAgain(registry: Registry, session: Session): Promise<void> {
  if (registry.get(session.id) === session && !session.tracker) await follow(registry, session);
}

// Attaching moves the session's activity as a key does: where nobody else had moved it, it is counted from anew.
export async function passOverOurs(
  registry: Registry,
  session: Session,
  tracker: Tracker,
  before: number,
): Promise<void> {
  const since = session.composer.activityAt;
  if (since === null || Math.max(before, session.typing.keyedAt ?? 0) > since) return;
  const { pane, server } = tracker;
  const view = await pane.view();
  const own = view.clients.find(({ pid }) => pid === pane.link.clientPid);
  // Who pressed a key between the first look and our attaching.
  const isTyping = persons(view, server.ownClientPids).some(({ activity }) => activity > since);
  const { composer } = session;
  if (!own || isTyping || composer.activityAt !== since) return;
  // What came after it is not of our doing. A client attaches in the second in which it was made, or in the next.
  const attachedAt = Math.min(view.sessionLastAttached, own.attached + 1);
  const activityAt = Math.max(since, Math.min(view.sessionActivity, attachedAt));
  await registry.deps.store.write([registry.composerStep(session, { ...composer, activityAt })]);
}

// Times are told in whole seconds: the keys of a visitor within the second from which keys count would not show once they
// have left. So that second counts too.
async function noteVisit(registry: Registry, session: Session): Promise<void> {
  const { composer } = session;
  if (composer.activityAt === null) return;
  const step = registry.composerStep(session, { ...composer, activityAt: composer.activityAt - 1 });
  await registry.deps.store.write([step]);
}

export function listen(registry: Registry, session: Session, tracker: Tracker): void {
  tracker.onEvent((event) => {
    if (session.tracker !== tracker) return;
    handle(registry, session, tracker, event).catch((error: unknown) =>
      registry.deps.log('session event failed', {
        session: session.id,
        event: event.type,
        error: String(error),
      }),
    );
  });
}

async function handle(
  registry: Registry,
  session: Session,
  tracker: Tracker,
  event: TrackerEvent,
): Promise<void> {
  switch (event.type) {
    case 'stirred':
      registry.stir(session);
      break;
    case 'visited':
      await noteVisit(registry, session);
      break;
    case 'rest':
      await learnEmptyBox(registry, session, tracker, 'rest');
      registry.stir(session);
      break;
    case 'verdict':
      await registry.applyVerdict(session, event.verdict);
      break;
    case 'gone':
      tracker.dispose();
      session.tracker = undefined;
      await follow(registry, session);
  }
}

// A start that never came to an end leaves nothing behind. Rejects with HostDown where that cannot be seen to now.
export async function abandonStart(registry: Registry, session: Session): Promise<void> {
  const { socket, server: identity, pane } = session.row;
  if (pane !== '') await endPane(registry.deps.servers.at(socket), identity, pane);
  if (registry.get(session.id) === session) await registry.remove(session, [], { keepPane: true });
}
