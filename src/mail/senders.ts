// Who sends: a name that was given, an agent by its conversation or its pane, else a person.
import type { Registry, Session } from '../sessions/index.js';
import { MailError } from './errors.js';

export interface Sender {
  session: string | null;
  name: string;
}

// Who a request says it comes from; the first that holds counts.
export interface SenderClaim {
  name?: string | undefined;
  session?: string | undefined;
  // The session is what an environment holds: it may be there no more, and nobody has named it.
  inherited?: boolean | undefined;
  pane?: { socket: string; pane: string } | undefined;
  // Conversations of an agent whose tools do not run in its pane.
  threads?: readonly string[] | undefined;
}

// The name of a person in a header.
export const PERSON = 'user';
// That of an agent whose session is there no more.
const UNKNOWN = 'unknown';

export function identifySender(registry: Registry, claim: SenderClaim): Sender {
  const session = byThread(registry, claim.threads ?? []) ?? byPlace(registry, claim);
  const id = session?.id ?? goneId(registry, claim) ?? null;
  if (claim.name !== undefined) {
    const named = registry.list().find(({ name }) => name === claim.name);
    // Under whatever name: what an agent sends is not the user's word.
    return { session: named?.id ?? id, name: claim.name };
  }
  return { session: id, name: session?.name ?? (id === null ? PERSON : UNKNOWN) };
}

// Of a sender that is still there; null for a person, and for one whose session has gone.
export const senderPresent = (registry: Registry, { session }: Sender): string | null =>
  (session !== null && registry.get(session)?.id) || null;

// A session that is not there does not make its mail a person's.
function goneId(registry: Registry, { session: id, inherited }: SenderClaim): string | undefined {
  if (!id || registry.get(id)) return undefined;
  // It stands in headers: no other words get in by it.
  if (inherited && /^[0-9a-f]{8}$/.test(id)) return id;
  throw new MailError('not_found', `no such session: ${id}`, {
    field: 'from.session',
    value: id,
    expected: 'the id of a session; "sm ls" lists them',
  });
}

function byThread(registry: Registry, threads: readonly string[]): Session | undefined {
  if (threads.length === 0) return undefined;
  const sessions = registry.list();
  const among = (facts: readonly (string | undefined)[]): boolean =>
    facts.some((fact) => fact !== undefined && threads.includes(fact));
  return (
    sessions.find(({ doorFacts: { thread, tree } }) => among([thread, tree])) ??
    // One that its pane has left may still run.
    sessions.find(({ doorFacts: { threads: earlier = '' } }) => among(earlier.split(' ')))
  );
}

function byPlace(registry: Registry, { pane, session: id, threads = [] }: SenderClaim): Session | undefined {
  const session = (pane && registry.inPane(pane.socket, pane.pane)) || (id && registry.get(id)) || undefined;
  // Its agent's conversation is another: the place is that of whoever started the server in which this runs.
  return threads.length > 0 && session?.doorFacts.thread !== undefined ? undefined : session;
}
