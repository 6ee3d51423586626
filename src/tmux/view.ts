// Everything about a pane at one moment: its screen, cursor, program, and who is attached to it.
import { type Cell, parseStyledRows } from '../terminal/cells.js';
import type { Block } from './protocol.js';
import { quote } from './quote.js';

// A tmux client that shows the pane's window, other than our own.
export interface AttachedClient {
  name: string;
  pid: number;
  kind: 'terminal' | 'control';
  readOnly: boolean;
  // Seconds since the epoch of its last key, or of its attaching; a control client's keys do not move it.
  activity: number;
  attached: number;
}

export interface PaneView {
  pane: string;
  tmuxSession: string;
  window: string;
  dead: boolean;
  inMode: boolean;
  synchronized: boolean;
  cursor: { x: number; y: number; visible: boolean };
  size: { columns: number; rows: number };
  // Name of the foreground program, and the process that tmux started in the pane.
  program: string;
  pid: number;
  tty: string;
  alternateScreen: boolean;
  rows: Cell[][];
  clients: AttachedClient[];
  // The last key or attaching of any client to the pane's session, of those that have left too; and the last attaching.
  sessionActivity: number;
  sessionLastAttached: number;
  // When a key that we typed for a person last went there, in seconds since the epoch with a fraction.
  keyedAt?: number | undefined;
}

const FIELDS = [
  'session_id',
  'window_id',
  'pane_dead',
  'pane_in_mode',
  'pane_synchronized',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
  'pane_width',
  'pane_height',
  'pane_pid',
  'alternate_on',
  'session_activity',
  'session_last_attached',
  'pane_tty',
  'pane_current_command',
  'window_linked_sessions_list',
] as const;

// Tab cannot stand in any of the fields but the last ones, which are read from the end of the line on.
const SEPARATOR = '\t';
const CLIENT_FIELDS = [
  'client_pid',
  'client_control_mode',
  'client_readonly',
  'client_activity',
  'client_created',
  'client_name',
  'client_session',
];
const BEFORE_SESSION = CLIENT_FIELDS.length - 1;
const CLIENT_FORMAT = CLIENT_FIELDS.map((name) => `#{${name}}`).join(SEPARATOR);

export const viewCommands = (pane: string): string[] => [
  `display-message -p -t ${pane} ${quote(FIELDS.map((name) => `#{${name}}`).join(SEPARATOR))}`,
  `capture-pane -p -e -t ${pane}`,
  `list-clients -F ${quote(CLIENT_FORMAT)}`,
];

// Times are told by our own clock, which the other one is `skewS` seconds ahead of.
export function parseView(
  pane: string,
  [head, screen, clients]: readonly Block[],
  skewS: number,
  keyedAt?: number,
): PaneView {
  const values = textLines(head)[0]?.split(SEPARATOR) ?? [];
  const value = (name: (typeof FIELDS)[number]): string => values[FIELDS.indexOf(name)] ?? '';
  const number = (name: (typeof FIELDS)[number]): number => Number(value(name));
  const linked = `,${value('window_linked_sessions_list')},`;
  return {
    pane,
    tmuxSession: value('session_id'),
    window: value('window_id'),
    dead: value('pane_dead') === '1',
    inMode: number('pane_in_mode') > 0,
    synchronized: value('pane_synchronized') === '1',
    cursor: { x: number('cursor_x'), y: number('cursor_y'), visible: value('cursor_flag') === '1' },
    size: { columns: number('pane_width'), rows: number('pane_height') },
    program: value('pane_current_command'),
    pid: number('pane_pid'),
    tty: value('pane_tty'),
    alternateScreen: value('alternate_on') === '1',
    rows: parseStyledRows(textLines(screen)),
    sessionActivity: number('session_activity') - skewS,
    sessionLastAttached: number('session_last_attached') - skewS,
    clients: [
      ...textLines(clients).flatMap((line) => parseClient(line, linked, skewS)),
      ...(keyedAt === undefined ? [] : [outsider(keyedAt)]),
    ],
    keyedAt,
  };
}

// A person who types from outside of tmux is one who is attached and never left: their draft may stand there.
const outsider = (keyedAt: number): AttachedClient => ({
  name: 'dashboard',
  pid: 0,
  kind: 'terminal',
  readOnly: false,
  activity: keyedAt,
  attached: 0,
});

function parseClient(line: string, linked: string, skewS: number): AttachedClient[] {
  // Most are of other sessions, and are not taken apart.
  let end = -1;
  for (let i = 0; i < BEFORE_SESSION; i++) end = line.indexOf(SEPARATOR, end + 1);
  // Whole names between commas: a session's own name may hold one.
  if (!linked.includes(`,${line.slice(end + 1)},`)) return [];
  const [pid, control, readOnly, activity, attached, name = ''] = line.split(SEPARATOR);
  return [
    {
      name,
      pid: Number(pid),
      kind: control === '1' ? 'control' : 'terminal',
      readOnly: readOnly === '1',
      activity: Number(activity) - skewS,
      attached: Number(attached) - skewS,
    },
  ];
}

const textLines = (block: Block | undefined): string[] =>
  block?.lines.map((line) => line.toString('utf8')) ?? [];
