// Which conversation OpenCode's screen shows. It does not tell: it is what we chose, or the one in which a person last wrote.
import type { DoorContext } from '../door.js';
import { withoutOption } from '../options.js';
import { askIsIdle, askMessages } from './ask.js';
import type { Client } from './client.js';
import { ourIdIn } from './ids.js';
import { Conversation, Conversations } from './wire.js';

// `fresh`: its start screen, with no conversation yet. `unknown`: until a person writes in one.
export type Shown = { kind: 'known'; id: string } | { kind: 'fresh' } | { kind: 'unknown' };

const OTHERS = ['--continue', '-c', '--fork', '--prompt', '--session', '-s'];

// By the command line alone.
export function shownAtStart({
  program: { argv },
  session: { origin },
  facts,
}: Pick<DoorContext, 'program' | 'session' | 'facts'>): Shown {
  if (facts.conversation) return { kind: 'known', id: facts.conversation };
  const id = withoutOption(argv, '--session').value ?? withoutOption(argv, '-s').value;
  if (id && !argv.includes('--fork')) return { kind: 'known', id };
  const other = argv.some((word) => OTHERS.some((name) => word === name || word.startsWith(`${name}=`)));
  return origin === 'started' && !other ? { kind: 'fresh' } : { kind: 'unknown' };
}

export interface Begun {
  shown: Shown;
  // What was begun in its folder since its start: any of them may have come from its input box.
  conversations: readonly string[];
}

// Its start screen may have been left before anybody listened, by a person or by keys of ours. Another OpenCode may have begun
// a conversation in the same folder too; one that works in this very process is its own.
export async function begunSince(client: Client, since: number, ours: ReadonlySet<string>): Promise<Begun> {
  const all = (await client.get('/session', Conversations)) ?? [];
  const begun: string[] = [];
  for (const { id, parentID, time } of all)
    if (!parentID && time.created >= since && (ours.has(id) || !(await isOfAnotherDoor(client, id))))
      begun.push(id);
  const [only] = begun;
  if (only === undefined) return { shown: { kind: 'fresh' }, conversations: [] };
  const isItsOwn = begun.length === 1 && !(await askIsIdle(client, only));
  return { shown: isItsOwn ? { kind: 'known', id: only } : { kind: 'unknown' }, conversations: begun };
}

// Nothing but what we have handed over is in it, and not by this door.
async function isOfAnotherDoor(client: Client, id: string): Promise<boolean> {
  const prompts = (await askMessages(client, id)).filter(({ info }) => info.role === 'user');
  return prompts.length > 0 && prompts.every(({ info }) => ourIdIn(info.id) !== undefined);
}

// Subagents have conversations of their own that are not on the screen.
export async function isOnItsOwn(client: Client, id: string): Promise<boolean> {
  const found = await client.get(`/session/${encodeURIComponent(id)}`, Conversation);
  return found !== undefined && !found.parentID;
}

// A draft that stands on the start screen, and keys that come meanwhile, stay: measured.
export async function begin(client: Client): Promise<string> {
  const { id } = await client.make('/session', {}, Conversation);
  const selected = await client.send('POST', '/tui/select-session', { sessionID: id });
  if (selected !== 'done') throw new Error('its screen could not be switched to a new conversation');
  return id;
}

// The one that `--continue` goes on with. Once anything was written since its start nobody can tell.
export async function newest(
  client: Client,
  argv: readonly string[],
  since: number,
): Promise<string | undefined> {
  if (argv.includes('--fork') || !argv.some((word) => word === '--continue' || word === '-c'))
    return undefined;
  const all = (await client.get('/session', Conversations)) ?? [];
  const [last] = all.filter(({ parentID }) => !parentID).sort((a, b) => b.time.updated - a.time.updated);
  return last && last.time.updated < since ? last.id : undefined;
}
