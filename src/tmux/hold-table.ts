// The key table of a hold: at the agent's pane every key waits, then does what it would have done; elsewhere it does so at once.
import { alone, channel, type HoldNames } from './hold-names.js';
import { quote } from './quote.js';

// A key that no terminal sends and that reaches no program, not even one in a popup: it blocks a client before its person
// has pressed anything, pastes and prefix included. `send-keys -K` knows it from tmux 3.4 on.
export const OPENER = 'User999';

export interface TablePlan {
  names: HoldNames;
  token: string;
  table: string;
  // The user's table that it stands for, and the bindings there, as `list-keys` prints them.
  standsFor: string;
  bindings: readonly string[];
  // Without an opener the prefix must wait in the table too: tmux would take it before looking there. `giveBack` are the
  // commands that make it the prefix again.
  prefixes: readonly string[];
  giveBack: readonly string[];
  mouse: boolean;
  // Letters are told from keys that edit.
  letters: boolean;
}

// What must be bound in the breath in which the hold begins. Long bindings, the mouse's menus, would make that breath long:
// they come right after it.
export function tableCommands(plan: TablePlan): { now: string[]; after: string[] } {
  const { names, table } = plan;
  const bind = (key: string, kind: string, then: string): string =>
    `bind-key -T ${table} ${key} ${wait(plan, kind)} \\; ${then}`;
  const prefixThen = [...plan.giveBack, 'switch-client -T prefix'].join(' \\; ');
  const copies = plan.bindings.flatMap((line) => copied(plan, line));
  const taken = new Set([...plan.bindings.map((line) => keyOf(plan, line)), ...plan.prefixes]);
  const letters = plan.letters ? LETTERS.filter((key) => !taken.has(key)) : [];
  return {
    now: [
      bind('Any', 'k', 'send-keys'),
      bind('Enter', 'e', 'send-keys'),
      bind('KPEnter', 'e', 'send-keys'),
      bind('Escape', 'x', 'send-keys'),
      `bind-key -T ${table} ${OPENER} ${wait(plan, 'o', names.add('openers'))}`,
      ...copies.filter((line) => line.length <= LONG).map((line) => alone(line)),
      ...plan.prefixes.map((key) => alone(bind(quote(key), 'k', prefixThen))),
    ],
    after: [
      ...copies.filter((line) => line.length > LONG),
      // Until they are bound they are keys like any other.
      ...letters.map((key) => bind(key, 't', 'send-keys')),
    ],
  };
}

const LONG = 800;

// Those that most people type most; any other is a key that may edit, and is waited for.
const range = (from: string, to: string): string[] => {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
};
const LETTERS = [
  ...['Space', ...'.,:!?()/-+=_*'],
  ...[...range('0', '9'), ...range('A', 'Z'), ...range('a', 'z')],
  ...range('À', 'ÿ').filter((char) => char !== '×' && char !== '÷'),
];

// Blocks the queue of the client that pressed the key, if its keys go to the agent. The key counts as gone before it is
// acted on: a client's queue runs on without a break until the next key waits.
function wait({ names, token }: TablePlan, kind: string, ...also: string[]): string {
  const here = `#{&&:#{==:#{pane_id},${names.pane}},#{==:#{pane_in_mode},0}}`;
  const steps = [
    names.add('entered'),
    names.set('kind', kind),
    ...also,
    `wait-for ${channel(token)}`,
    names.add('left'),
  ];
  return `if-shell -F ${quote(here)} { ${steps.join(' ; ')} }`;
}

// A binding of the user's, with the wait before it.
function copied(plan: TablePlan, line: string): string[] {
  const { key, command } = parts(plan, line);
  if (command === '') return [];
  // Mouse keys go past every table as long as tmux leaves the mouse to the programs.
  if (!plan.mouse && /^(?:[CMS]-)*(?:Mouse|Wheel|DoubleClick|TripleClick|SecondClick)/.test(key)) return [];
  return [`bind-key -T ${plan.table} ${key} ${wait(plan, 'k')} \\; ${command}`];
}

const keyOf = (plan: TablePlan, line: string): string => parts(plan, line).key;

// `bind-key [-r] -T TABLE KEY COMMAND`; key and command are as tmux would read them back, the table's name is not.
function parts({ standsFor }: TablePlan, line: string): { key: string; command: string } {
  const [head = ''] = /^bind-key\s+(?:-r\s+)?-T\s+/.exec(line) ?? [];
  const isOfTable = head !== '' && line.startsWith(standsFor, head.length);
  const rest = isOfTable ? line.slice(head.length + standsFor.length) : '';
  const [, key = '', command = ''] = /^\s+(\S+)\s+(.+)$/.exec(rest) ?? [];
  return { key, command };
}

export const open = (client: string): string => `send-keys -K -c ${quote(client)} ${OPENER}`;

// `send-keys -K` came with 3.4; a name that is no number ("master", "openbsd-7.4") is newer.
export function hasOpener(version: string): boolean {
  const [, major, minor] = /^(?:next-)?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return true;
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 4);
}
