// Starting a hold: in one breath the keys of everyone at a pane begin to wait, and what undoes it stands in tmux.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TmuxError } from './errors.js';
import { KeyHold } from './hold.js';
import {
  atPane,
  HELD_OPTIONS,
  type HeldOption,
  type HoldSession,
  type HoldView,
  isPending,
  lookForHold,
  ROOT,
  textLines,
} from './hold-look.js';
import { alone, finishCommand, HoldNames, TABLE_PREFIX, table } from './hold-names.js';
import type { HoldPace } from './hold-pace.js';
import { hasOpener, open, tableCommands } from './hold-table.js';
import type { SessionLink } from './link.js';
import type { Pane } from './pane.js';
import { allOf, equals, quote } from './quote.js';

export interface HoldWatch {
  // The sh script that ends the hold when nobody else does: a file, or where its machine has no such file, its text.
  script: string | { text: string };
  // Run at the deadline, before keys are freed; it has `graceMs` to end the hold better.
  rescue: readonly string[];
  graceMs?: number;
  // The tmux program; a name is looked for in the PATH that the tmux server was started with.
  tmux?: string;
}

export interface HoldPlan {
  pane: Pane;
  // Unique for every hold, [0-9a-z].
  token: string;
  // The process ids of our own control clients, which are no persons.
  ownClients: ReadonlySet<number>;
  pace: HoldPace;
  maxMs: number;
  watch: HoldWatch;
}

export type HoldRefusal =
  | 'gone'
  | 'dead'
  | 'in_mode'
  // What is typed here goes to other panes as well.
  | 'synchronized'
  // A person has pressed the prefix and not yet what is to follow; a moment later it will do.
  | 'pending_prefix'
  // A person whose keys cannot be held: a control client of somebody else's (iTerm2).
  | 'foreign_control'
  // This pane, or another one of these sessions, is held already.
  | 'held'
  // It changed between looking and holding.
  | 'changed';

export type HoldStart =
  // `lastKeyAt`: when a person last pressed a key there, in seconds since the epoch by our clock.
  | { outcome: 'held'; hold: KeyHold; lastKeyAt: number }
  | { outcome: 'refused'; reason: HoldRefusal; detail: string };

// The script that comes with this file.
export const HOLD_WATCH = fileURLToPath(new URL('./hold-watch.sh', import.meta.url));

// As text for a machine that has no such file: without what is there for readers.
export const holdWatchText = (): string =>
  fs
    .readFileSync(HOLD_WATCH, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n');
// How long a rescuer may take to start a daemon and end the hold.
const GRACE_MS = 5000;
const HELD = 'sm:held';
const CHANGED = 'sm:changed';

export async function holdKeys(plan: HoldPlan): Promise<HoldStart> {
  if (!/^[0-9a-z]+$/.test(plan.token)) throw new RangeError('a hold needs a token of [0-9a-z]');
  const names = new HoldNames(plan.pane.id);
  let view: HoldView;
  try {
    view = await lookForHold(plan.pane.link, plan.pane.id, names.variable('token'));
  } catch (error) {
    if (error instanceof TmuxError && error.isGone) return refuse('gone', error.detail);
    throw error;
  }
  const refused = refusal(plan, view);
  if (refused) return refused;
  const bindings = await bindingsOf(plan.pane.link, view);
  try {
    return await start(plan, names, view, bindings);
  } catch (error) {
    // A binding that tmux prints and does not read back: nothing has been done then. Its keys go to the agent.
    if (!(error instanceof TmuxError) || error.isGone || bindings.size === 0) throw error;
    return start(plan, names, view, new Map());
  }
}

// A hold that somebody left behind on this pane; whoever finds it may release it.
export async function findHold(pane: Pane, pace: HoldPace): Promise<KeyHold | undefined> {
  const names = new HoldNames(pane.id);
  const text = await pane.format(
    `${names.value('token')}\t${names.value('since')}\t${names.value('left')}\t${names.value('finish')}\t#{version}`,
  );
  const [token = '', since = '', left = '', finish = '', version = ''] = text.split('\t');
  if (token === '') return undefined;
  const opens = hasOpener(version);
  const wasFreed = Number(left) > 0;
  return new KeyHold({ pane, names, token, since: Number(since), wasFreed, finish, pace, opens, opened: [] });
}

const refuse = (reason: HoldRefusal, detail: string): HoldStart => ({ outcome: 'refused', reason, detail });

function refusal(plan: HoldPlan, view: HoldView): HoldStart | undefined {
  if (view.dead) return refuse('dead', 'the program in the pane has ended');
  if (view.inMode) return refuse('in_mode', 'the pane is in a mode');
  if (view.synchronized) return refuse('synchronized', 'the panes of the window are synchronized');
  const taken = view.sessions.find(({ table }) => table.startsWith(TABLE_PREFIX));
  if (view.token !== '') return refuse('held', `hold ${view.token} is on the pane`);
  if (taken) return refuse('held', `session ${taken.id} is held for another pane`);
  const shows = new Set(view.sessions.map(({ id }) => id));
  const foreign = view.clients.find(
    ({ control, readOnly, pid, session }) =>
      control && !readOnly && shows.has(session) && !plan.ownClients.has(pid),
  );
  if (foreign) return refuse('foreign_control', `${foreign.name} types past the key table`);
  // Of any session: setting one session's key table takes every client of the server back to its own.
  const pending = view.clients.find(isPending);
  if (pending) return refuse('pending_prefix', `${pending.name} is in the key table ${pending.table}`);
  return undefined;
}

// The user's bindings of the tables that are replaced, as `list-keys` prints them.
type Bindings = ReadonlyMap<string, readonly string[]>;

async function bindingsOf(link: SessionLink, { sessions, rootKeys }: HoldView): Promise<Bindings> {
  const bindings = new Map([[ROOT, rootKeys]]);
  for (const { table } of sessions) {
    if (bindings.has(table)) continue;
    // A table without bindings does not exist for tmux.
    const lines = await link.command(`list-keys -T ${quote(table)}`).catch(() => []);
    bindings.set(
      table,
      lines.map((line) => line.toString('utf8')),
    );
  }
  return bindings;
}

async function start(
  plan: HoldPlan,
  names: HoldNames,
  view: HoldView,
  bindings: Bindings,
): Promise<HoldStart> {
  const { pane, token, pace } = plan;
  const since = Date.now();
  const opens = hasOpener(view.version);
  // In copy mode the prefix key means something else, and only tmux itself can tell the two apart.
  const takesPrefix = !opens && !view.sessions.some(({ inMode }) => inMode);
  const tables = tablesFor(view.sessions, token);
  const changed: readonly HeldOption[] = takesPrefix ? HELD_OPTIONS : ['key-table', 'assume-paste-time'];
  const restore = view.sessions.map((session) => alone(...changed.map((option) => putBack(session, option))));
  const finish = finishCommand(names, token, restore, [...tables.values()]);
  const tableOf = bindTables(plan, names, view, tables, bindings, takesPrefix);
  const opened = opens ? atPane(view.clients, pane.id) : [];
  const commands = [
    names.set('token', token),
    names.set('since', since),
    names.set('limit', Math.round(plan.maxMs)),
    ...(['entered', 'left', 'openers'] as const).map((name) => names.set(name, 0)),
    names.set('finish', finish),
    `run-shell -b -d ${(plan.maxMs / 1000).toFixed(3)} ${quote(watchLine(plan, names, view.socketPath))}`,
    ...tableOf.now,
    ...view.sessions.map((session) => alone(...hold(session, tables, takesPrefix))),
    ...opened.map((client) => open(client)),
    `display-message -p ${HELD}`,
  ];
  // A session that has come to the window since would not be held.
  const unchanged = allOf([
    '#{==:#{pane_dead},0}',
    '#{==:#{pane_in_mode},0}',
    '#{==:#{pane_synchronized},0}',
    equals('window_linked_sessions_list', view.linked),
    `#{==:${names.value('token')},}`,
    // No prefix pressed in between: all clients in one format, which tmux has since it has the opener.
    ...(opens ? ['#{==:#{L:#{?#{==:#{client_key_table},prefix},x,}},}'] : []),
  ]);
  const blocks = await pane.link.list([
    `if-shell -F -t ${pane.id} ${quote(unchanged)} { ${commands.join(' ; ')} } { display-message -p ${CHANGED} }`,
  ]);
  const said = blocks.flatMap(textLines);
  if (said.includes(CHANGED)) return refuse('changed', 'the pane changed between looking and holding');
  if (!said.includes(HELD)) throw new TmuxError('hold', said.join(' ') || 'the hold gave no outcome');
  // As lists: what stands in braces answers for itself, too.
  for (const piece of inPieces(tableOf.after))
    pane.link.list([`if-shell -F ${quote(names.isHeld(token))} { ${piece.join(' ; ')} }`]).catch(() => {});
  const record = { pane, names, token, since, wasFreed: false, finish, pace, opens, opened };
  const atKeys = view.clients.filter(({ control, pane: at }) => !control && at === pane.id);
  const lastKeyAt = Math.max(0, ...atKeys.map(({ activity }) => activity - pane.link.skewS));
  return { outcome: 'held', hold: new KeyHold(record), lastKeyAt };
}

// tmux takes no line of more than 16 KB.
const PIECE_LENGTH = 8000;
function inPieces(commands: readonly string[]): string[][] {
  const pieces: string[][] = [];
  let length = PIECE_LENGTH;
  for (const command of commands) {
    if (length + command.length > PIECE_LENGTH) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)?.push(command);
    length += command.length;
  }
  return pieces;
}

// One table of ours for each table of the user's that it stands for.
function tablesFor(sessions: readonly HoldSession[], token: string): Map<string, string> {
  const tables = new Map<string, string>();
  for (const session of sessions)
    if (!tables.has(session.table)) tables.set(session.table, table(token, tables.size));
  return tables;
}

function bindTables(
  { token, pace }: HoldPlan,
  names: HoldNames,
  { sessions }: HoldView,
  tables: ReadonlyMap<string, string>,
  bindings: Bindings,
  takesPrefix: boolean,
): { now: string[]; after: string[] } {
  const prefixes = takesPrefix ? [...new Set(sessions.flatMap((session) => session.prefixes))] : [];
  const giveBack = sessions.map((session) => alone(putBack(session, 'prefix'), putBack(session, 'prefix2')));
  const mouse = sessions.some((session) => session.mouse);
  const commands = [...tables].map(([standsFor, table]) =>
    tableCommands({
      names,
      token,
      table,
      standsFor,
      bindings: bindings.get(standsFor) ?? [],
      prefixes,
      giveBack,
      mouse,
      letters: pace.textMs !== undefined,
    }),
  );
  return { now: commands.flatMap(({ now }) => now), after: commands.flatMap(({ after }) => after) };
}

const putBack = ({ id, own }: HoldSession, option: HeldOption): string =>
  own[option] === undefined
    ? `set-option -u -t ${quote(id)} ${option}`
    : `set-option -t ${quote(id)} ${option} ${own[option]}`;

function hold(session: HoldSession, tables: ReadonlyMap<string, string>, takesPrefix: boolean): string[] {
  const set = (option: HeldOption, value: string): string =>
    `set-option -t ${quote(session.id)} ${option} ${value}`;
  return [
    set('assume-paste-time', '0'),
    ...(takesPrefix ? [set('prefix', 'None'), set('prefix2', 'None')] : []),
    set('key-table', tables.get(session.table) ?? ''),
  ];
}

// For sh, and before that for run-shell, which expands formats. Whatever it says or returns, tmux would show in a pane.
function watchLine({ token, pace, maxMs, watch }: HoldPlan, names: HoldNames, socketPath: string): string {
  const { graceMs = GRACE_MS, tmux = 'tmux' } = watch;
  // `-c` takes the next word for the name of what runs.
  const script = typeof watch.script === 'string' ? [watch.script] : ['-c', watch.script.text, 'sm-hold'];
  const words = [...script, tmux, socketPath, names.prefix, token];
  const times = [maxMs, pace.stepMs, pace.enterMs, graceMs].map((ms) => Math.round(ms));
  const line = [...words, ...times, ...watch.rescue]
    .map((word) => `'${String(word).replaceAll("'", "'\\''")}'`)
    .join(' ');
  return `sh ${line} </dev/null >/dev/null 2>&1 || :`.replaceAll('#', '##');
}
