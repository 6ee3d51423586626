// Compare-and-inject: one command list that tmux runs only if the pane is still as we saw it.
import { CutOff, TmuxError } from './errors.js';
import type { SessionLink } from './link.js';
import type { Block } from './protocol.js';
import { allOf, equals, escapeFormat, escapeGlob, quote } from './quote.js';

// What must hold at the moment of injection. That the pane lives and is in no mode is always asked.
export interface Guard {
  cursor?: { x: number; y: number } | undefined;
  // The name of the program in the foreground, as tmux shows it.
  program?: string | undefined;
  // Texts that must stand somewhere on the visible screen, each within one row.
  visible?: readonly string[] | undefined;
  // The second of the last key of anyone attached to the session: a key may be pressed that the program has not shown yet.
  activity?: number | undefined;
  // No key was typed for a person from outside of tmux since the pane was seen: when the last one was.
  keyedAt?: { seen: number | undefined } | undefined;
  // A journal mark in the tmux server must have this value ('' for none).
  mark?: Mark | undefined;
  // The hold under which this is done must still be in force.
  hold?: Mark | undefined;
}

export interface Mark {
  name: string;
  value: string;
}

export type RefusalReason =
  | 'gone'
  | 'dead'
  | 'in_mode'
  | 'other_program'
  | 'person_active'
  | 'cursor_moved'
  | 'mark_changed'
  | 'keys_freed'
  | 'text_not_found';

export type Injection = { outcome: 'injected' } | { outcome: 'refused'; reason: RefusalReason };

const INJECTED = 'sm:injected';
const REFUSED = 'sm:refused';

// Runs `actions` (tmux commands) if the guard holds, else `instead`; nothing of a person's comes in between.
export async function inject(
  link: SessionLink,
  pane: string,
  asked: Guard,
  actions: readonly string[],
  instead: readonly string[] = [],
): Promise<Injection> {
  // By the clock of the tmux that compares it.
  const { activity } = asked;
  const guard = activity === undefined ? asked : { ...asked, activity: activity + link.skewS };
  const condition = guardFormat(guard);
  const then = [...actions, `display-message -p ${INJECTED}`].join(' ; ');
  const report = `display-message -p -t ${pane} ${quote(reportFormat(guard))}`;
  const otherwise = [...instead, report].join(' ; ');
  // Such keys go the same way as this list, so what was written before it comes before it.
  if (guard.keyedAt && guard.keyedAt.seen !== link.keyedAt(pane))
    return { outcome: 'refused', reason: 'person_active' };
  let blocks: Block[];
  try {
    blocks = await link.list([`if-shell -F -t ${pane} ${quote(condition)} { ${then} } { ${otherwise} }`]);
  } catch (error) {
    // What was under way when the connection ended may have been done: that is for the journal to tell.
    if (error instanceof TmuxError && error.isGone && !(error instanceof CutOff))
      return { outcome: 'refused', reason: 'gone' };
    throw error;
  }
  return readOutcome(guard, blocks, actions[0] ?? '');
}

function readOutcome(guard: Guard, blocks: readonly Block[], command: string): Injection {
  for (const block of blocks) {
    const text = block.lines.map((line) => line.toString('utf8')).join('\n');
    if (!block.ok) {
      const error = new TmuxError(command, text);
      if (error.isGone) return { outcome: 'refused', reason: 'gone' };
      throw error;
    }
    if (text === INJECTED) return { outcome: 'injected' };
    if (text.startsWith(REFUSED)) return { outcome: 'refused', reason: refusalReason(guard, text) };
  }
  throw new TmuxError(command, 'the guarded command list gave no outcome');
}

function guardFormat(guard: Guard): string {
  const conditions = [equals('pane_dead', 0), equals('pane_in_mode', 0)];
  if (guard.program !== undefined) conditions.push(equals('pane_current_command', guard.program));
  if (guard.cursor) conditions.push(equals('cursor_x', guard.cursor.x), equals('cursor_y', guard.cursor.y));
  for (const { name, value } of [guard.mark, guard.hold].flatMap((mark) => mark ?? []))
    conditions.push(equals(name, value));
  if (guard.activity !== undefined) conditions.push(equals('session_activity', guard.activity));
  for (const text of guard.visible ?? []) conditions.push(`#{C:${escapeGlob(text)}}`);
  return allOf(conditions);
}

// In the order of `Guard`, so that the first difference is the reason; the values go last because they may hold anything.
const reportFormat = (guard: Guard): string =>
  [
    REFUSED,
    '#{pane_dead}',
    '#{pane_in_mode}',
    guard.program === undefined ? '1' : equals('pane_current_command', guard.program),
    guard.cursor ? allOf([equals('cursor_x', guard.cursor.x), equals('cursor_y', guard.cursor.y)]) : '1',
    guard.mark ? `#{==:#{${guard.mark.name}},${escapeFormat(guard.mark.value)}}` : '1',
    guard.activity === undefined ? '1' : equals('session_activity', guard.activity),
    guard.hold ? `#{==:#{${guard.hold.name}},${escapeFormat(guard.hold.value)}}` : '1',
  ].join(' ');

function refusalReason(guard: Guard, report: string): RefusalReason {
  const [, dead, mode, program, cursor, mark, activity, hold] = report.split(' ');
  // A pane that has vanished expands to nothing.
  if (dead === '') return 'gone';
  if (dead === '1') return 'dead';
  if (mode !== '0') return 'in_mode';
  if (program === '0') return 'other_program';
  if (mark === '0') return 'mark_changed';
  if (hold === '0') return 'keys_freed';
  if (activity === '0') return 'person_active';
  if (cursor === '0') return 'cursor_moved';
  return guard.visible?.length ? 'text_not_found' : 'cursor_moved';
}
