// The clients at a tmux session that are not ours: persons who look, and other programs.
import type { Notification, TmuxServer } from '../tmux/index.js';

export class Visitors {
  readonly #clients = new Set<string>();

  constructor(
    readonly session: string,
    readonly server: Pick<TmuxServer, 'ownClientPids'>,
  ) {}

  // One has come, or left.
  isChangedBy(event: Notification): boolean {
    if (event.type === 'client-detached') return this.#clients.delete(event.client);
    if (event.type !== 'client-session-changed') return false;
    if (event.session !== this.session) return this.#clients.delete(event.client);
    // tmux names a control client after its process.
    if (this.server.ownClientPids.has(Number(event.client.replace(/^client-/, '')))) return false;
    this.#clients.add(event.client);
    return true;
  }
}
