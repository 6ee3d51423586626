// `sm remind` and `sm wake`, which are one command under two names.
import { DURATION_EXAMPLES, parseDuration } from '../api/duration.js';
import type { Reminder, RemindRequest } from '../api/types.js';
import { AT_EXAMPLES, parseAt } from './at.js';
import { type Command, defineCommand, JSON_OPTION } from './command.js';
import { ask } from './connect.js';
import { EXIT, UsageError } from './errors.js';
import { say, sayJson } from './print.js';
import { senderFrom } from './sender.js';
import { dayAndTime, duration } from './time.js';

export const remindCommand = (name: 'remind' | 'wake'): Command =>
  defineCommand({
    about: [
      'It is kept on disk. One that falls due while no daemon runs is said once, when the daemon is back, and says how late it is.',
      'Without --to it comes to the session that runs this command; to a person outside any session, in the inbox (sm inbox).',
      'With --every it comes again and again, and not again while the one before it still waits; sm reminders cancel ends it.',
    ],
    args: [
      {
        name: 'time',
        field: 'in_seconds',
        optional: true,
        help: `in how long, such as ${DURATION_EXAMPLES}`,
      },
      { name: 'text', help: 'what is to be said, as one word (quote it); "-" reads it from standard input' },
    ],
    options: {
      at: { kind: 'text', value: 'TIME', help: `at a time, such as ${AT_EXAMPLES}` },
      every: {
        kind: 'duration',
        value: 'TIME',
        help: 'again and again; the first time so long from now',
        field: 'every_seconds',
      },
      to: {
        kind: 'text',
        value: 'NAME',
        help: 'to another session, or "@me" for the inbox',
        completes: 'sessions',
      },
      json: JSON_OPTION,
    },
    examples: [
      { run: `sm ${name} 5m "check on engineer progress"`, does: 'in five minutes' },
      { run: `sm ${name} --at 17:30 "commit what you have"`, does: 'when it is 17:30 next' },
      {
        run: `sm ${name} --every 10m --to api "report your progress"`,
        does: 'to another session, every ten minutes',
      },
      {
        run: `sm ${name} --at 09:00 --every 24h --to @me "look at the queue"`,
        does: 'to yourself, every day',
      },
    ],
    exits: [[EXIT.missing, 'no such session']],
    async run({ args, options }) {
      const when = whenFrom(name, args.time, options);
      const from = senderFrom(process.env);
      const { to } = options;
      const text = args.text === '-' ? await (await import('./read-text.js')).readText('-') : args.text;
      const reminder = await ask((client) =>
        client.remind({ text, ...when, ...(to === undefined ? {} : { to }), ...(from ? { from } : {}) }),
      );
      if (options.json) sayJson(reminder);
      else say(stored(reminder));
      return undefined;
    },
  });

interface When {
  at: string | undefined;
  every: number | undefined;
}

function whenFrom(
  name: string,
  time: string | undefined,
  { at, every }: When,
): Pick<RemindRequest, 'at' | 'in_seconds' | 'every_seconds'> {
  if (time !== undefined && at !== undefined)
    throw new UsageError(`give a time to wait ("${time}") or --at, not both`);
  if (time === undefined && at === undefined && every === undefined)
    throw new UsageError(`the time is missing: sm ${name} 5m TEXT, or --at 17:30, or --every 10m`);
  return { ...firstFrom(time, at), ...(every === undefined ? {} : { every_seconds: every / 1000 }) };
}

function firstFrom(
  time: string | undefined,
  at: string | undefined,
): Pick<RemindRequest, 'at' | 'in_seconds'> {
  if (time !== undefined) {
    const ms = parseDuration(time);
    if (ms === undefined)
      throw new UsageError(
        `time "${time}": must be a time such as ${DURATION_EXAMPLES}`,
        'put the text in quotes',
      );
    return { in_seconds: ms / 1000 };
  }
  if (at === undefined) return {};
  const date = parseAt(at, new Date());
  if (!date) throw new UsageError(`--at "${at}": must be a time such as ${AT_EXAMPLES}`);
  if (date.getTime() <= Date.now()) throw new UsageError(`--at "${at}": must be a time to come`);
  return { at: date.toISOString() };
}

function stored({ id, to, due_at, every_seconds }: Reminder): string {
  const left = duration(Math.max(0, Date.parse(due_at) - Date.now()));
  const again = every_seconds === null ? '' : `, then every ${duration(every_seconds * 1000)}`;
  return `reminder ${id} for ${to?.name ?? 'your inbox'} at ${dayAndTime(due_at)} (in ${left})${again}`;
}
