import type { Message, Plan, SendResponse } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ApiFailure, ask, brokeOff } from '../connect.js';
import { EXIT } from '../errors.js';
import { PAST_DRAFT_ABOUT, PAST_DRAFT_OPTION, pastDraftFrom } from '../past-draft.js';
import { say, sayJson, visible } from '../print.js';
import { senderFrom } from '../sender.js';

export default defineCommand({
  about: [
    'The message is on disk when this returns; it is delivered as soon as nothing of a person’s is in the way.',
    'From standard input or a file, one newline at the end is dropped.',
    ...PAST_DRAFT_ABOUT,
  ],
  args: [
    { name: 'session', many: true, help: 'name or id of each recipient', completes: 'sessions' },
    {
      name: 'text',
      unless: 'file',
      help: 'the message, as one word (quote it); "-" reads it from standard input',
    },
  ],
  options: {
    file: { kind: 'text', value: 'FILE', help: 'send what is in a file', completes: 'files' },
    from: { kind: 'text', value: 'NAME', help: 'send under this name' },
    command: {
      kind: 'flag',
      help: 'type the text as it is, without a header: a slash command, or a line for a shell',
    },
    wait: {
      kind: 'choice',
      value: 'RECEIPT',
      choices: ['submitted', 'received'],
      bare: 'submitted',
      help: 'wait until it is submitted, or received',
    },
    timeout: { kind: 'duration', value: 'TIME', initial: 60_000, help: 'how long --wait waits' },
    'past-draft': PAST_DRAFT_OPTION,
    'dry-run': { kind: 'flag', help: 'send nothing: say which way in would be taken, and why' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm send api "run the tests"', does: 'one message to one session' },
    { run: 'sm send api web "stop at the next commit"', does: 'the same message to two sessions' },
    { run: 'git diff | sm send review -', does: 'the text from standard input' },
    {
      run: 'sm send api --wait --timeout 2m "are you there?"',
      does: 'wait until its input box has let go of it',
    },
    { run: 'sm send api --command /compact', does: 'a slash command, without a header' },
    { run: 'sm send api -- "-v means verbose"', does: 'a text that starts with "-"' },
  ],
  exits: [
    [EXIT.failed, '--wait: the message ended without reaching the receipt'],
    [EXIT.missing, 'no such session; nothing was stored'],
    [EXIT.refused, 'refused: the session cannot take it, or can never prove what --wait asks for'],
    [EXIT.timeout, '--wait: the time was over first; the message stays queued'],
  ],
  async run({ args, options }) {
    const text = await messageText(args.text, options.file);
    const from = senderFrom(process.env, options.from);
    const request = {
      to: args.session,
      text,
      ...(from ? { from } : {}),
      ...(options.command ? { command: true } : {}),
      ...(options['dry-run'] ? { dry_run: true } : {}),
      ...pastDraftFrom(options['past-draft']),
      ...(options.wait ? { wait_for: options.wait } : {}),
    };
    const response = await ask((client) => client.send(request)).catch((error: unknown) => {
      throw withAdvice(error, args.session);
    });
    if (options['dry-run']) return sayPlans(response, options.json);
    if (options.wait) {
      const { waitForAll } = await import('../wait.js');
      return waitForAll(response, options.wait, options.timeout, options.json);
    }
    if (options.json) sayJson(response);
    else for (const message of response.messages) say(stored(message));
    return EXIT.ok;
  },
});

async function messageText(word: string | undefined, file: string | undefined): Promise<string> {
  if (file === undefined && word !== '-') return word ?? '';
  return (await import('../read-text.js')).readText(file ?? '-');
}

function withAdvice(error: unknown, sessions: string[]): unknown {
  // `sm send api run the tests` means one recipient and a text without quotes.
  if (error instanceof ApiFailure && error.status === 404 && sessions.length > 1)
    return Object.assign(error, { hint: 'every word but the last names a session: put the text in quotes' });
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
  direct: 'would be typed into the input box now',
  editor: 'would go past the draft now',
  stash: 'would go past the draft now',
  sentinel: 'would go past the draft now',
  interrupt: 'would go past the draft now',
  wait: 'would wait',
  refuse: 'would be refused',
};

function planned({ to, way, reason, detail, proves }: Plan): string {
  const proof = way === 'refuse' ? '' : `; the best receipt it can get is "${proves}"`;
  return `${to.name}: ${WAYS[way]} (${way}, ${reason}): ${visible(detail)}${proof}`;
}
