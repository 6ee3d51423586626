// Handlers for the inbox, answers, waiting for a session, kin and groups.
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import * as routes from '../api/routes.js';
import type * as schemas from '../api/talk-schemas.js';
import type { Group, SpawnResponse } from '../api/types.js';
import { type Config, IdleWait } from '../mail/index.js';
import { type Registry, type Session, SessionError, startSession } from '../sessions/index.js';
import { type SignalDesk, statesOf, waitForSignal } from '../signals/index.js';
import type { MessageRow } from '../store/index.js';
import type { Env } from './auth.js';
import { presentInboxItem, presentMessage, presentSession, presentStatus } from './present.js';
import { presentSignal } from './present-signal.js';
import { reply } from './replying.js';
import type { SendDeps } from './sending.js';

export interface TalkHandlerDeps extends SendDeps {
  registry: Registry;
  config: Config;
  signals: SignalDesk;
}

export function addTalkHandlers(app: OpenAPIHono<Env>, deps: TalkHandlerDeps): void {
  const { registry, office, people, signals, config } = deps;
  const { inbox } = people;
  const idle = new IdleWait({ ...office.deps, ledger: office.ledger });

  app.openapi(routes.listInbox, (c) => {
    const { all, thread, limit } = c.req.valid('query');
    const rows =
      thread !== undefined ? inbox.inThread(thread, limit) : all ? inbox.recent(limit) : inbox.unread(limit);
    return c.json({ items: rows.map(presentInboxItem), unread: inbox.unreadCount() }, 200);
  });

  app.openapi(routes.getInboxItem, (c) =>
    c.json(presentInboxItem(people.find(c.req.valid('param').item)), 200),
  );

  app.openapi(routes.readInboxItem, async (c) =>
    c.json(presentInboxItem(await people.read(people.find(c.req.valid('param').item))), 200),
  );

  app.openapi(routes.readInbox, async (c) => c.json({ read: await people.readAll() }, 200));

  app.openapi(routes.reply, async (c) =>
    c.json(await reply(deps, c.req.valid('json'), c.req.header('idempotency-key')), 202),
  );

  app.openapi(routes.waitForSession, async (c) => {
    const session = registry.resolve(c.req.valid('param').session);
    const { timeout, for: goal, after } = c.req.valid('query');
    const { signal: aborted } = c.req.raw;
    if (goal === 'idle') {
      const { outcome, reason, status } = await idle.wait(session, timeout * 1000, aborted);
      return c.json({ outcome, reason, status: presentStatus(status), signal: null }, 200);
    }
    const found = await waitForSignal(
      { registry, desk: signals },
      session,
      { state: stateOf(goal, deps), after },
      timeout * 1000,
      aborted,
    );
    return c.json(
      {
        outcome: found.outcome,
        reason: found.outcome === 'reached' ? null : found.reason,
        status: presentStatus(office.statusOf(session)),
        signal: found.signal && presentSignal(found.signal, registry, config),
      },
      200,
    );
  });

  app.openapi(routes.listChildren, (c) => {
    const { id } = registry.resolve(c.req.valid('param').session);
    const children = registry.list().filter(({ row }) => row.parent === id);
    return c.json({ sessions: children.map((session) => presentSession(session, office)) }, 200);
  });

  app.openapi(routes.spawn, async (c) => c.json(await spawn(deps, c.req.valid('json')), 201));

  app.openapi(routes.listGroups, (c) => {
    const names = new Set(registry.list().flatMap(({ groups }) => groups));
    return c.json({ groups: [...names].sort().map((name) => groupOf(registry, name)) }, 200);
  });

  app.openapi(routes.changeGroup, async (c) => {
    const { group } = c.req.valid('param');
    const { add, remove } = c.req.valid('json');
    // All are found before any is changed.
    const [into, out] = [add, remove].map((refs) => refs.map((ref) => registry.resolve(ref)));
    const others = ({ groups }: Session): string[] => groups.filter((name) => name !== group);
    for (const session of into ?? []) await registry.setGroups(session, [...others(session), group]);
    for (const session of out ?? []) await registry.setGroups(session, others(session));
    return c.json(groupOf(registry, group), 200);
  });
}

const groupOf = (registry: Registry, name: string): Group => ({
  name,
  sessions: registry
    .list()
    .filter(({ groups }) => groups.includes(name))
    .map(({ id, name: own }) => ({ id, name: own })),
});

// The session and its first message, or neither.
async function spawn(
  { registry, office, config }: TalkHandlerDeps,
  { text, as, from, command, cwd, ...options }: z.infer<typeof schemas.SpawnRequest>,
): Promise<SpawnResponse> {
  const sender = office.identify(from ?? {});
  const parent = registry.get(sender.session ?? '');
  const isElsewhere = options.host !== undefined && options.host !== (parent?.host ?? undefined);
  const session = await startSession(registry, {
    ...options,
    command: [...(command ?? config.spawnAgent)],
    // Beside whoever asks for it, unless another machine is asked for.
    cwd: cwd ?? (isElsewhere ? undefined : parent?.row.cwd),
    socket: options.socket ?? (isElsewhere ? undefined : parent?.row.socket),
    parent: parent?.id,
  });
  try {
    const { rows } = await office.send([session], text, sender, { command: false, speaks: as });
    return {
      session: presentSession(session, office),
      message: presentMessage(rows[0] as MessageRow, office),
    };
  } catch (error) {
    await office.removeSession(session, { keepPane: false });
    throw error;
  }
}

// Undefined for any. One that no signal can have would be waited for in vain.
function stateOf(goal: string, { config }: TalkHandlerDeps): string | undefined {
  const state = goal.slice('signal:'.length);
  if (state === 'any') return undefined;
  const states = statesOf(config);
  if (Object.hasOwn(states, state)) return state;
  throw new SessionError('invalid', `no such state: ${state}`, {
    field: 'for',
    value: goal,
    expected: `signal:any, or signal: and one of ${Object.keys(states).join(', ')}`,
  });
}
