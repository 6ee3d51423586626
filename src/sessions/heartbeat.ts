// A look at each tmux server every few seconds: a program that ends in a pane that stays is no event of tmux, and tmux 3.3
// may even fail to notice the end of one until something else happens to it.
import type { Registry } from './registry.js';
import type { Session } from './session.js';

// The longest time between two looks where no event exists.
const LOOK_EVERY_MS = 5000;

export function startHeartbeat(registry: Registry): { dispose(): void } {
  const asked = new Set<string>();
  const timer = setInterval(() => lookAtAll(registry, asked), LOOK_EVERY_MS);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}

// One command a server, whatever the number of its sessions. One that has not answered yet (`asked`) keeps no other waiting.
function lookAtAll(registry: Registry, asked: Set<string>): void {
  const live = registry
    .list()
    .filter(({ row, tracker }) => row.state === 'live' && tracker?.pane.link.state.kind === 'up');
  for (const socket of new Set(live.map(({ row }) => row.socket))) {
    if (asked.has(socket)) continue;
    asked.add(socket);
    lookAtServer(live.filter(({ row }) => row.socket === socket))
      .catch((error: unknown) => registry.deps.log('heartbeat failed', { error: String(error) }))
      .finally(() => asked.delete(socket));
  }
}

async function lookAtServer(here: readonly Session[]): Promise<void> {
  const lines =
    (await here[0]?.tracker?.pane.link.command('list-panes -a -F "#{pane_id} #{pane_dead}"')) ?? [];
  const living = new Set(
    lines.map(String).flatMap((line) => (line.endsWith(' 0') ? [line.slice(0, -2)] : [])),
  );
  for (const { row, tracker } of here) if (!living.has(row.pane)) tracker?.recheck();
}
