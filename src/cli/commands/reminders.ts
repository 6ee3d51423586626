import type { Reminder } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ApiFailure, ask } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { oneLine, say, sayJson } from '../print.js';
import { type Cell, type Column, sayTable } from '../table.js';
import { dayAndTime, duration } from '../time.js';

const COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'DUE' },
  { title: 'IN', right: true },
  { title: 'EVERY', right: true },
  { title: 'TO' },
  { title: 'TEXT', text: true },
];

export default defineCommand({
  about: ['Without a verb this lists what is still to come, the next one first.'],
  args: [
    { name: 'verb', optional: true, choices: ['cancel'], help: 'cancel' },
    {
      name: 'reminder',
      optional: true,
      many: true,
      help: 'id of each reminder, or an unambiguous beginning of it',
      completes: 'reminders',
    },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm reminders', does: 'what is still to come' },
    { run: 'sm reminders cancel 4f2a91', does: 'one of them is not to come' },
  ],
  exits: [
    [EXIT.missing, 'no such reminder'],
    [EXIT.refused, 'cancel: it was said already, or cancelled before'],
  ],
  async run({ args, options }) {
    if (args.verb === undefined) return list(options.json);
    if (args.reminder.length === 0)
      throw new UsageError('reminder is missing: sm reminders cancel ID', 'sm reminders lists them');
    return cancel(args.reminder, options.json);
  },
});

async function list(json: boolean): Promise<undefined> {
  const reminders = await ask((client) => client.reminders());
  if (json) sayJson(reminders);
  else if (reminders.length === 0) say('no reminder is to come');
  else sayTable(COLUMNS, reminders.map(row));
  return undefined;
}

const row = ({ id, due_at, every_seconds, to, text }: Reminder): Cell[] => [
  id,
  dayAndTime(due_at),
  duration(Math.max(0, Date.parse(due_at) - Date.now())),
  every_seconds === null ? '-' : duration(every_seconds * 1000),
  { text: to?.name ?? 'inbox', style: 'bold' },
  oneLine(text.slice(0, 2000)),
];

// Each is tried, whatever became of those before it; the exit code is the highest of theirs.
async function cancel(ids: readonly string[], json: boolean): Promise<number> {
  const cancelled: Reminder[] = [];
  let worst: number = EXIT.ok;
  for (const id of ids) {
    try {
      const reminder = await ask((client) => client.cancelReminder(id));
      cancelled.push(reminder);
      if (!json) say(`cancelled reminder ${reminder.id}`);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      worst = Math.max(worst, await (await import('../report.js')).report(error));
    }
  }
  if (json && cancelled.length) sayJson(cancelled);
  return worst;
}
