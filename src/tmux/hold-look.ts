// Who and what a hold would concern, seen in two looks: the pane, its sessions with the options to put back, the clients.
import { TmuxError } from './errors.js';
import type { SessionLink } from './link.js';
import type { Block } from './protocol.js';
import { quote } from './quote.js';

// A tmux client, of any session of the server.
export interface HoldClient {
  name: string;
  pid: number;
  session: string;
  control: boolean;
  readOnly: boolean;
  activity: number;
  // The pane that its keys go to.
  pane: string;
  // The key table that it is in, and the one that it is in when no prefix is pending.
  table: string;
  home: string;
}

export interface HoldSession {
  id: string;
  // What it is set to for this session itself; undefined where it is inherited.
  own: Record<HeldOption, string | undefined>;
  // What counts, wherever it is set.
  table: string;
  prefixes: string[];
  mouse: boolean;
  // Some pane of it is in a mode.
  inMode: boolean;
}

export type HeldOption = (typeof HELD_OPTIONS)[number];
export const HELD_OPTIONS = ['key-table', 'assume-paste-time', 'prefix', 'prefix2'] as const;

export interface HoldView {
  version: string;
  socketPath: string;
  dead: boolean;
  inMode: boolean;
  synchronized: boolean;
  token: string;
  // The names of the sessions that show the window, as tmux lists them.
  linked: string;
  clients: HoldClient[];
  sessions: HoldSession[];
  // The bindings of the usual key table, as `list-keys` prints them.
  rootKeys: string[];
}

export const ROOT = 'root';
const SEPARATOR = '\t';
const format = (...fields: string[]): string => quote(fields.map((name) => `#{${name}}`).join(SEPARATOR));

const CLIENT_FORMAT = format(
  'client_pid',
  'client_control_mode',
  'client_readonly',
  'client_activity',
  'session_id',
  'pane_id',
  'client_name',
  'client_key_table',
  'key-table',
);

export const listClients = `list-clients -F ${CLIENT_FORMAT}`;

export const parseClients = (lines: readonly string[]): HoldClient[] =>
  lines.map((line) => {
    const [pid, control, readOnly, activity, session = '', pane = '', name = '', table = '', home = ''] =
      line.split(SEPARATOR);
    return {
      name,
      pid: Number(pid),
      session,
      control: control === '1',
      readOnly: readOnly === '1',
      activity: Number(activity),
      pane,
      table,
      home,
    };
  });

// A person has pressed the prefix and not yet what is to follow.
export const isPending = (client: HoldClient): boolean => !client.control && client.table !== client.home;

// The persons whose keys go to the pane; the one who was active last is the last to be opened, so that tmux goes on
// taking the window's size from that client.
export const atPane = (clients: readonly HoldClient[], pane: string): string[] =>
  clients
    .filter((client) => !client.control && !client.readOnly && client.pane === pane)
    .sort((a, b) => a.activity - b.activity)
    .map(({ name }) => name);

export async function lookForHold(link: SessionLink, pane: string, tokenName: string): Promise<HoldView> {
  const fields = format(
    'version',
    'pane_dead',
    'pane_in_mode',
    'pane_synchronized',
    'session_id',
    tokenName,
    'window_linked_sessions_list',
    'session_name',
    'socket_path',
  );
  // Most often the window is in one session, the link's own, with the usual key table: then one look is enough.
  const blocks = await link.list([
    `display-message -p -t ${pane} ${fields}`,
    listClients,
    ...sessionCommands(link.sessionId),
    `list-keys -T ${ROOT}`,
  ]);
  const keys = blocks[2 + PER_SESSION];
  const [head, clients, ...own] = checked(blocks.slice(0, 2 + PER_SESSION));
  const [version = '', dead, mode, synchronized, session = '', token = '', linked = '', name, ...socket] =
    textLines(head)[0]?.split(SEPARATOR) ?? [];
  if (version === '' || session === '') throw new TmuxError('hold', `can't find pane: ${pane}`);
  const usual = linked === name && session === link.sessionId;
  return {
    version,
    socketPath: socket.join(SEPARATOR),
    dead: dead === '1',
    inMode: Number(mode) > 0,
    synchronized: synchronized === '1',
    token,
    linked,
    clients: parseClients(textLines(clients)),
    sessions: usual
      ? [parseSession(session, own)]
      : await lookAtSessions(link, linked === name ? [session] : await sessionsOf(link, pane)),
    rootKeys: keys?.ok ? textLines(keys) : [],
  };
}

// Asks all panes of the server, so only where the window is in more than one session.
async function sessionsOf(link: SessionLink, pane: string): Promise<string[]> {
  const filter = quote(`#{==:#{pane_id},${pane}}`);
  const [ids] = checked(await link.list([`list-panes -a -F "#{session_id}" -f ${filter}`]));
  return [...new Set(textLines(ids))];
}

async function lookAtSessions(link: SessionLink, ids: readonly string[]): Promise<HoldSession[]> {
  const blocks = checked(await link.list(ids.flatMap(sessionCommands)));
  return ids.map((id, i) => parseSession(id, blocks.slice(i * PER_SESSION, (i + 1) * PER_SESSION)));
}

const PER_SESSION = HELD_OPTIONS.length + 1;
const SESSION_FORMAT = quote(
  ['#{key-table}', '#{prefix}', '#{prefix2}', '#{mouse}', '#{W:#{P:#{pane_in_mode}}}'].join(SEPARATOR),
);

const sessionCommands = (id: string): string[] => [
  ...HELD_OPTIONS.map((option) => `show-options -t ${quote(id)} ${option}`),
  `display-message -p -t ${quote(`${id}:`)} ${SESSION_FORMAT}`,
];

function parseSession(id: string, blocks: readonly Block[]): HoldSession {
  const [table = '', prefix = '', prefix2 = '', mouse, modes = ''] =
    textLines(blocks[HELD_OPTIONS.length])[0]?.split(SEPARATOR) ?? [];
  const value = (option: HeldOption): string | undefined =>
    ownValue(blocks[HELD_OPTIONS.indexOf(option)], option);
  return {
    id,
    own: {
      'key-table': value('key-table'),
      'assume-paste-time': value('assume-paste-time'),
      prefix: value('prefix'),
      prefix2: value('prefix2'),
    },
    table,
    prefixes: [prefix, prefix2].filter((key) => key !== '' && key !== 'None'),
    mouse: mouse === '1' || mouse === 'on',
    inMode: /[1-9]/.test(modes),
  };
}

// `show-options` says `NAME VALUE` in tmux's own quoting, or nothing where the value is inherited.
function ownValue(block: Block | undefined, option: HeldOption): string | undefined {
  const [line] = textLines(block);
  return line?.startsWith(`${option} `) ? line.slice(option.length + 1) : undefined;
}

function checked(blocks: Block[]): Block[] {
  const failed = blocks.find((block) => !block.ok);
  if (failed) throw new TmuxError('hold', textLines(failed).join(' '));
  return blocks;
}

export const textLines = (block: Block | undefined): string[] =>
  block?.lines.map((line) => line.toString('utf8')) ?? [];
