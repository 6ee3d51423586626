import type { Message, Mode, Plan, SendRequest, SendResponse, Surety } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ApiFailure, ask, brokeOff } from '../connect.js';
import { EXIT, UsageError } from '../errors.js';
import { PAST_DRAFT_ABOUT, PAST_DRAFT_OPTION, pastDraftFrom } from '../past-draft.js';
import { say, sayJson, visible } from '../print.js';
import { senderFrom } from '../sender.js';

const WAIT_MS = 60_000;

export default defineCommand({
  about: [
    'The message is on disk when this returns; it is delivered as soon as nothing of a person’s is in the way.',
    'From standard input or a file, one newline at the end is dropped.',
    'Beside names there are patterns, and words for many; each recipient has a message and a receipt of its own:',
    [
      '  worker-*   all whose names are like it (quote it), but for the sender, for shells and for what has ended',
      '  @GROUP     those that "sm group add" put there',
      '  @parent    the session that started this one; @children those that it started; @all everybody',
      '  @me        the person: it goes into the inbox (sm inbox)',
    ].join('\n'),
    ...PAST_DRAFT_ABOUT,
  ],
  args: [
    {
      name: 'session',
      field: ['to', 'session'],
      many: true,
      help: 'name or id of each recipient, a pattern, @GROUP, @parent, @children, @all or @me',
      completes: 'sessions',
    },
    {
      name: 'text',
      free: true,
      unless: 'file',
      help: 'the message, as one word (quote it); "-" reads it from standard input',
    },
  ],
  options: {
    file: { kind: 'text', value: 'FILE', help: 'send what is in a file', completes: 'files', field: 'text' },
    from: { kind: 'text', value: 'NAME', help: 'send under this name', field: 'from.name' },
    command: {
      kind: 'flag',
      help: 'type the text as it is, without a header: a slash command, or a line for a shell',
    },
    wait: {
      kind: 'choice',
      value: 'RECEIPT',
      choices: ['submitted', 'received', 'done'],
      bare: 'submitted',
      help: 'wait until it is submitted, received by the agent, or the turn that took it is done',
      field: 'wait_for',
    },
    'wait-timeout': {
      kind: 'duration',
      value: 'TIME',
      help: `how long --wait waits (${WAIT_MS / 1000}s unless given)`,
    },
    timeout: {
      kind: 'duration',
      value: 'TIME',
      help: 'it expires if it is not delivered within this time',
      field: 'timeout_seconds',
    },
    important: {
      kind: 'flag',
      help: 'take it at the next point inside the turn, ahead of other mail',
      field: 'mode',
    },
    urgent: { kind: 'flag', help: 'interrupt the running turn for it', field: 'mode' },
    force: {
      kind: 'flag',
      help: 'with --urgent: also past a draft that cannot be saved exactly, and a person who types',
    },
    when: {
      kind: 'choice',
      value: 'STATE',
      choices: ['now', 'idle'],
      help: 'idle: only once its agent is known to be idle',
    },
    key: {
      kind: 'text',
      value: 'KEY',
      help: 'sent again with the same key it is the same message, not another',
    },
    'notify-on-delivery': { kind: 'flag', help: 'tell me when it is delivered' },
    'notify-after': {
      kind: 'duration',
      value: 'TIME',
      help: 'tell me so long after its delivery',
      field: 'notify_after_seconds',
    },
    'notify-on-stop': { kind: 'flag', help: 'tell me when the turn that took it has ended' },
    quiet: { kind: 'flag', help: 'do not tell me that it expired or was given up' },
    as: {
      kind: 'choice',
      value: 'KIND',
      choices: ['prompt', 'notice'],
      help: "as the user's word, or as mail that is not; default: a person's is a prompt, an agent's a notice",
    },
    'at-least-once': {
      kind: 'flag',
      help: 'send it again when nobody can tell whether it was taken',
      field: 'surety',
    },
    'at-most-once': { kind: 'flag', help: 'never send it again by itself; you decide', field: 'surety' },
    'past-draft': PAST_DRAFT_OPTION,
    'dry-run': { kind: 'flag', help: 'send nothing: say which way in would be taken, and why' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm send api "run the tests"', does: 'one message to one session' },
    { run: 'sm send api web "stop at the next commit"', does: 'the same message to two sessions' },
    { run: 'sm send \'worker-*\' @reviewers @me "the build is red"', does: 'to many, and to the person' },
    { run: 'git diff | sm send review -', does: 'the text from standard input' },
    {
      run: 'sm send api --wait --wait-timeout 2m "are you there?"',
      does: 'wait until its input box has let go of it',
    },
    {
      run: 'sm send api --timeout 5m "coordinate on X"',
      does: 'drop it if it cannot be delivered in five minutes',
    },
    { run: 'sm send api --command /compact', does: 'a slash command, without a header' },
    { run: 'sm send api -- "-v means verbose"', does: 'a text that starts with "-"' },
  ],
  exits: [
    [
      EXIT.failed,
      '--wait: the message ended without reaching the receipt, or it is uncertain whether it did',
    ],
    [EXIT.missing, 'no such session; nothing was stored'],
    [EXIT.refused, 'refused: the session cannot take it, or can never prove what --wait asks for'],
    [EXIT.timeout, '--wait: the time was over first; the message stays queued'],
  ],
  async run({ args, options }) {
    if (options['wait-timeout'] !== undefined && !options.wait)
      throw new UsageError('--wait-timeout goes with --wait: it says how long that waits');
    const text = await messageText(args.text, options.file);
    const from = senderFrom(process.env, options.from);
    const request = {
      to: args.session,
      text,
      ...(from ? { from } : {}),
      ...(options.command ? { command: true } : {}),
      ...(options['dry-run'] ? { dry_run: true } : {}),
      ...modeFrom(options),
      ...(options.as ? { as: options.as } : {}),
      ...suretyFrom(options),
      ...pastDraftFrom(options['past-draft']),
      ...whenFrom(options),
      ...notifyFrom(options),
      ...(options.key === undefined ? {} : { key: options.key }),
      ...(options.wait ? { wait_for: options.wait } : {}),
    };
    const response = await ask((client) => client.send(request)).catch((error: unknown) => {
      throw withAdvice(error, args.session, options.file);
    });
    if (options['dry-run']) return sayPlans(response, options.json);
    if (options.wait) {
      const { waitForAll } = await import('../wait.js');
      return waitForAll(response, options.wait, options['wait-timeout'] ?? WAIT_MS, options.json);
    }
    if (options.json) sayJson(response);
    else {
      for (const message of response.messages) say(stored(message));
      for (const { id } of response.inbox) say(`put ${id} into the inbox; sm inbox shows it`);
    }
    return EXIT.ok;
  },
});

function modeFrom({ important, urgent }: { important: boolean; urgent: boolean }): { mode?: Mode } {
  if (important && urgent) throw new UsageError('give --important or --urgent, not both');
  return urgent ? { mode: 'urgent' } : important ? { mode: 'important' } : {};
}

interface WhenOptions {
  timeout: number | undefined;
  when: 'now' | 'idle' | undefined;
  urgent: boolean;
  force: boolean;
}

function whenFrom({ timeout, when, urgent, force }: WhenOptions): Partial<SendRequest> {
  if (force && !urgent)
    throw new UsageError('--force goes with --urgent: it allows what only urgent mail may do');
  return {
    ...(timeout === undefined ? {} : { timeout_seconds: timeout / 1000 }),
    ...(when ? { when } : {}),
    ...(force ? { force: true } : {}),
  };
}

interface NotifyOptions {
  'notify-on-delivery': boolean;
  'notify-after': number | undefined;
  'notify-on-stop': boolean;
  quiet: boolean;
}

function notifyFrom(options: NotifyOptions): Partial<SendRequest> {
  const after = options['notify-after'];
  return {
    ...(options['notify-on-delivery'] ? { notify_on_delivery: true } : {}),
    ...(after === undefined ? {} : { notify_after_seconds: after / 1000 }),
    ...(options['notify-on-stop'] ? { notify_on_stop: true } : {}),
    ...(options.quiet ? { quiet: true } : {}),
  };
}

function suretyFrom(options: { 'at-least-once': boolean; 'at-most-once': boolean }): { surety?: Surety } {
  const { 'at-least-once': atLeast, 'at-most-once': atMost } = options;
  if (atLeast && atMost) throw new UsageError('give --at-least-once or --at-most-once, not both');
  return atLeast ? { surety: 'at_least_once' } : atMost ? { surety: 'at_most_once' } : {};
}

async function messageText(word: string | undefined, file: string | undefined): Promise<string> {
  if (file === undefined && word !== '-') return word ?? '';
  return (await import('../read-text.js')).readText(file ?? '-');
}

function withAdvice(error: unknown, sessions: string[], file: string | undefined): unknown {
  // `sm send api run the tests` means one recipient and a text without quotes.
  if (error instanceof ApiFailure && error.status === 404 && sessions.length > 1)
    return Object.assign(error, {
      hint:
        file === undefined
          ? 'every word but the last names a session: put the text in quotes'
          : 'with --file every word names a session: give a text or --file, not both',
    });
  if (error instanceof Error && brokeOff(error))
    return Object.assign(error, {
      hint: 'it may have been stored: look at `sm history` before you send it again',
    });
  return error;
}

function stored(message: Message): string {
  const place = message.queue_position === null ? '' : `, position ${message.queue_position} in its queue`;
  const why = message.held ? `; it waits: ${visible(message.held_detail ?? message.held)}` : '';
  return `queued ${message.id} for ${message.to.name}${place}${why}`;
}

function sayPlans(response: SendResponse, json: boolean): number {
  if (json) sayJson(response);
  else for (const plan of response.plans) say(planned(plan));
  return response.plans.some(({ way }) => way === 'refuse') ? EXIT.refused : EXIT.ok;
}

const WAYS: Record<Plan['way'], string> = {
  door: 'would go through its door now',
  direct: 'would be typed into the input box now',
  editor: 'would go past the draft now',
  stash: 'would go past the draft now',
  sentinel: 'would go past the draft now',
  interrupt: 'would go past the draft now',
  inbox: 'would go into the inbox',
  wait: 'would wait',
  refuse: 'would be refused',
};

function planned({ to, way, reason, detail, proves }: Plan): string {
  const proof = way === 'refuse' ? '' : `; the best receipt it can get is "${proves}"`;
  return `${to.name}: ${WAYS[way]} (${way}, ${reason}): ${visible(detail)}${proof}`;
}
