// Signals that `sm signal` left in the spool while no daemon answered: taken as if they came now, with the time of then.
import { z } from 'zod';
import { MailError, type PostOffice } from '../mail/index.js';
import { type Registry, type Session, SessionError } from '../sessions/index.js';
import type { HookEntry, Taken } from '../spool/index.js';
import type { SignalDesk } from './desk.js';
import type { NearMisses } from './near-misses.js';

export const isLeftSignal = ({ agent, event }: Pick<HookEntry, 'agent' | 'event'>): boolean =>
  agent === 'sm' && event === 'signal';

const Left = z.object({
  state: z.string(),
  message: z.string().default(''),
  id: z.string().optional(),
  key: z.string().min(1),
  at: z.number(),
  session: z.string().optional(),
  threads: z.array(z.string()).optional(),
});

export interface LeftSignalsDeps {
  registry: Pick<Registry, 'get' | 'resolve' | 'inPane'>;
  office: Pick<PostOffice, 'identify'>;
  desk: Pick<SignalDesk, 'report'>;
  misses: NearMisses;
}

export class LeftSignals {
  constructor(readonly deps: LeftSignalsDeps) {}

  // What nobody can do anything with stays in the spool, aside.
  async take(entry: HookEntry): Promise<Taken> {
    const read = Left.safeParse(entry.body);
    if (!read.success) return 'unknown';
    const { threads, session: ref, ...said } = read.data;
    const session = this.#sessionOf(entry, ref, threads);
    if (!session) return 'unknown';
    const reported = await this.deps.desk.report({ ...said, session: session.id, door: 'command' });
    if (reported.outcome !== 'refused') return 'taken';
    const { reason, expected } = reported;
    const text = `sm signal ${said.state} ${said.message}`;
    this.deps.misses.record({ session: session.id, door: 'command', text, reason: `${reason}; ${expected}` });
    return 'unknown';
  }

  // As the daemon would have told it then. A tmux server that began anew gives its panes the same numbers.
  #sessionOf(
    { pane, session: inherited }: HookEntry,
    ref: string | undefined,
    threads: string[] | undefined,
  ): Session | undefined {
    const { registry, office } = this.deps;
    try {
      if (ref !== undefined) return registry.resolve(ref);
      const inPane = pane && registry.inPane(pane.socket, pane.pane);
      const isSame = inPane?.row.server.startsWith(`${pane?.server}:`) === true;
      const { session } = office.identify({
        ...(isSame && { pane }),
        session: inherited,
        inherited: true,
        threads,
      });
      return session === null ? undefined : registry.get(session);
    } catch (error) {
      if (error instanceof SessionError || error instanceof MailError) return undefined;
      throw error;
    }
  }
}
