import type { Message, Session, SessionWait } from '../../api/types.js';
import { type Goal, type Outcome, signalGoal, waitForReceipt, waitForSession } from '../../api/waiting.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { CliError, EXIT, type Exit, UsageError } from '../errors.js';
import { messageId } from '../message-id.js';
import { orMissing } from '../own-session.js';
import { note, say, sayJson, visible } from '../print.js';
import { signalLine } from '../signal-rows.js';
import { duration } from '../time.js';
import { uncertainty } from '../uncertain.js';

const GOALS = ['idle', 'submitted', 'received', 'done', 'signal:any', 'signal:needs_input'] as const;
const SIGNAL = /^signal:([a-z][a-z0-9_-]{0,31})$/;
const EXITS: Record<Outcome, Exit> = { reached: EXIT.ok, never: EXIT.failed, timeout: EXIT.timeout };

export default defineCommand({
  about: [
    'For a session: until its agent rests and nothing that was sent to it waits, is on its way, or is being worked on. A rest from before your last message does not count.',
    'For a signal of a session: until it is in that state (--for signal:needs_input), or reports anything new (--for signal:any). The number that is printed goes into --after of the next wait, so that nothing in between is missed.',
    'For a message: until its receipt is reached, "done" unless --for says otherwise.',
  ],
  args: [
    {
      name: 'session|message',
      field: ['session', 'message'],
      help: 'name or id of a session, or id of a message',
      completes: 'sessions',
    },
  ],
  options: {
    for: {
      kind: 'choice',
      value: 'WHAT',
      choices: GOALS,
      also: SIGNAL,
      help: 'idle or signal:STATE for a session; submitted, received or done for a message',
    },
    after: {
      kind: 'number',
      value: 'SEQ',
      least: 0,
      most: Number.MAX_SAFE_INTEGER,
      help: 'only a signal with a higher number',
    },
    timeout: { kind: 'duration', value: 'TIME', initial: 600_000, help: 'how long it waits' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm wait api', does: 'until the agent has worked off all that it was sent' },
    { run: 'sm wait api --for signal:needs_input', does: 'until it says that it needs somebody' },
    { run: 'sm wait 7f3a9c --for received --timeout 5m', does: 'until the agent shows the message' },
  ],
  exits: [
    [EXIT.ok, 'reached'],
    [EXIT.failed, 'it can never be reached: the agent has ended, or nothing would tell'],
    [EXIT.missing, 'no such session or message'],
    [EXIT.timeout, 'the time was over first'],
  ],
  async run({ args, options }) {
    const ref = args['session|message'];
    const goal = options.for;
    const signal = SIGNAL.exec(goal ?? '')?.[1];
    if (options.after !== undefined && signal === undefined)
      throw new UsageError('--after counts signals: give --for signal:STATE, or signal:any');
    const session = ref.startsWith('#') ? undefined : await orMissing(ask((client) => client.session(ref)));
    if (session && signal !== undefined)
      return forSignal(session, { state: signal, after: options.after }, options.timeout, options.json);
    if (session) {
      if (goal !== undefined && goal !== 'idle')
        throw new UsageError(`--for ${goal} is of a message, and ${session.name} is a session`);
      return forSession(session, options.timeout, options.json);
    }
    if (goal === 'idle' || signal !== undefined)
      throw new CliError(
        `--for ${goal} is of a session, and there is none named "${ref}"`,
        EXIT.missing,
        'sm ls lists the sessions',
      );
    const message = await orMissing(ask((client) => client.message(messageId(ref))));
    if (!message)
      throw new CliError(
        `no session or message "${ref}"`,
        EXIT.missing,
        'sm ls lists the sessions, sm history the messages',
      );
    return forMessage(message, (goal ?? 'done') as Goal, options.timeout, options.json);
  },
});

async function forSession(session: Session, ms: number, json: boolean): Promise<Exit> {
  const rest = await ask((client) => waitForSession(client, session.id, { for: 'idle' }, ms));
  if (json) sayJson({ session: { id: session.id, name: session.name }, ...rest });
  else sayRest(session.name, rest, ms);
  return EXITS[rest.outcome];
}

async function forSignal(
  session: Session,
  { state, after }: { state: string; after: number | undefined },
  ms: number,
  json: boolean,
): Promise<Exit> {
  const { id, name } = session;
  const goal = signalGoal(session, `signal:${state}`, after);
  const found = await ask((client) => waitForSession(client, id, goal, ms));
  const { outcome, reason, signal } = found;
  const wanted = state === 'any' ? 'a signal' : `"${state}"`;
  if (json) sayJson({ session: { id, name }, ...found });
  else if (signal) say(signalLine(signal));
  else if (outcome === 'never')
    note(`sm: ${name} will not report ${wanted}${reason ? `: ${visible(reason)}` : ''}`);
  else note(`sm: ${name} did not report ${wanted} within ${duration(ms)}`);
  return EXITS[outcome];
}

function sayRest(name: string, { outcome, reason, status }: SessionWait, ms: number): void {
  const why = reason ? `: ${visible(reason)}` : '';
  if (outcome === 'reached')
    say(`${name} is idle${status.sure === 'guess' ? ' as far as its screen tells' : ''}`);
  else if (outcome === 'never') note(`sm: ${name} will not be seen to be idle${why}`);
  else note(`sm: ${name} was not idle within ${duration(ms)}${why}`);
}

async function forMessage(known: Message, goal: Goal, ms: number, json: boolean): Promise<Exit> {
  const message = await ask((client) => waitForReceipt(client, known.id, goal, ms));
  const { id, to, receipt, state, outcome } = message;
  if (json) sayJson(message);
  else if (outcome === 'reached') say(`${receipt} ${id} to ${to.name}`);
  else if (outcome === 'never')
    note(
      `sm: ${uncertainty(message, goal) ?? `${id} for ${to.name} is ${state} and will not be ${goal}; the best known is "${receipt}"`}`,
    );
  else note(`sm: ${id} for ${to.name} was not ${goal} within ${duration(ms)}; it is ${receipt} so far`);
  return EXITS[outcome];
}
