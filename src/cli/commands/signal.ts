import { randomUUID } from 'node:crypto';
import type { Client } from '../../api/client.js';
import { locateHome } from '../../api/locate.js';
import type { SignalResponse } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ApiFailure, connect, NotRunning } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { note, oneLine, say, sayJson } from '../print.js';
import { type From, senderFrom } from '../sender.js';

// An agent does not wait for a daemon that hangs.
const PATIENCE_MS = 5000;
const STATE = /^[a-z][a-z0-9_-]{0,31}$/;
const ID = /^[A-Za-z0-9_.-]{1,64}$/;
const HOW = 'sm signal --session NAME STATE, or run it inside a session';

export default defineCommand({
  about: [
    'An agent tells whoever watches what it does. States: working, idle, needs_input, needs_testing, completed, error, and those that signal_states in the configuration adds.',
    'It starts no daemon: where none answers, the signal is left on disk, and the daemon takes it when it starts, in order.',
  ],
  args: [
    { name: 'state', help: 'what it is' },
    { name: 'message', optional: true, free: true, help: 'one line about it' },
  ],
  options: {
    id: { kind: 'text', value: 'ID', help: 'the same id again, through any door, is the same signal' },
    session: {
      kind: 'text',
      value: 'NAME',
      help: 'another session than the one that this runs in',
      completes: 'sessions',
    },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm signal needs_input "Which port should it use?"', does: 'inside an agent' },
    { run: 'sm signal completed "the tests pass" --id build-17', does: 'once, however often it is said' },
  ],
  exits: [
    [EXIT.ok, 'it is on disk: numbered, or left for the daemon'],
    [EXIT.usage, 'no such state, no such id, or this is no session'],
  ],
  async run({ args, options }) {
    const { state, message = '' } = args;
    if (!STATE.test(state))
      throw new UsageError(
        `state "${state}": must be a word such as needs_input; sm signal --help lists them`,
      );
    if (options.id !== undefined && !ID.test(options.id))
      throw new UsageError(`--id "${options.id}": must be 1 to 64 letters, digits, "_", "." or "-"`);
    const home = locateHome();
    const from = senderFrom(process.env);
    if (options.session === undefined && from === undefined)
      throw new UsageError('this is no session: name one', HOW);
    const said = {
      state,
      message,
      ...(options.id !== undefined && { id: options.id }),
      key: randomUUID(),
    };
    const at = Date.now();
    const reported = await inTime(report(connect(home), options.session, from, said));
    if (reported !== 'unanswered') {
      if (options.json) sayJson(reported);
      else tell(reported);
      return undefined;
    }
    const { leaveSignal } = await import('../leave-signal.js');
    const session = options.session === undefined ? {} : { session: options.session };
    const file = leaveSignal(home.folder, { ...said, at, ...session }, process.env);
    if (options.json) sayJson({ outcome: 'left', file });
    else say(`left ${state}: no daemon answers; it is taken when one starts`);
    return undefined;
  },
});

type Said = Parameters<Client['signal']>[1];

async function report(
  client: Client,
  name: string | undefined,
  from: From | undefined,
  said: Said,
): Promise<SignalResponse> {
  const session = name ?? (await own(client, from as From));
  return client.signal(session, { ...said, door: 'command' });
}

async function own(client: Client, from: From): Promise<string> {
  try {
    return (await client.whoAmI(from)).id;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404)
      throw new UsageError('this is no session: name one', HOW);
    throw error;
  }
}

// What the daemon refuses is thrown. Where nobody answered, it may have been taken all the same: its key tells.
async function inTime(reporting: Promise<SignalResponse>): Promise<SignalResponse | 'unanswered'> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'unanswered'>((resolve) => {
    timer = setTimeout(() => resolve('unanswered'), PATIENCE_MS);
  });
  try {
    return await Promise.race([reporting, over]);
  } catch (error) {
    if (error instanceof ApiFailure && error.status < 500) throw error;
    if (error instanceof ApiFailure || error instanceof NotRunning || isBroken(error)) return 'unanswered';
    throw error;
  } finally {
    clearTimeout(timer);
    reporting.catch(() => {});
  }
}

const isBroken = (error: unknown): boolean => typeof (error as { code?: unknown }).code === 'string';

function tell({ outcome, signal }: SignalResponse): void {
  const what = `${signal.state}${signal.message ? `: ${oneLine(signal.message)}` : ''}`;
  if (outcome === 'known') note(`sm: known as number ${signal.seq}: ${what}`);
  else say(`${signal.session.name} ${signal.seq} ${what}`);
}
