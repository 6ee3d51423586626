// Which conversation OpenCode's screen shows. It does not tell: it is what we chose, or the one in which a person last wrote.
import type { DoorContext } from '../door.js';
import { withoutOption } from '../options.js';
import type { Client } from './client.js';
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

// Its start screen may have been left while nobody listened: then somebody began a conversation in that folder.
export async function isStillFresh(client: Client, since: number): Promise<boolean> {
  const all = (await client.get('/session', Conversations)) ?? [];
  return !all.some(({ parentID, time }) => !parentID && time.created >= since);
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

// The one that `--continue` goes on with.
export async function newest(client: Client, argv: readonly string[]): Promise<string | undefined> {
  if (argv.includes('--fork') || !argv.some((word) => word === '--continue' || word === '-c'))
    return undefined;
  const all = (await client.get('/session', Conversations)) ?? [];
  return all.filter(({ parentID }) => !parentID).sort((a, b) => b.time.updated - a.time.updated)[0]?.id;
}
