import { type Asked, sendQuestion, waitForAnswer } from '../../api/waiting.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT, type Exit } from '../errors.js';
import { FILE_OPTION, messageText, TEXT_ARGUMENT } from '../message-text.js';
import { note, say, sayJson, visible } from '../print.js';
import { senderFrom } from '../sender.js';
import { duration } from '../time.js';
import { uncertainty } from '../uncertain.js';
import { sayStored } from '../wait.js';

export default defineCommand({
  about: [
    'Sends the text, waits until the turn that took it is over, and prints what the agent said last in it.',
    'Where nothing would tell the end of that turn it is refused at once, and nothing is sent.',
  ],
  args: [
    { name: 'session', field: ['to', 'session'], help: 'name or id of the session', completes: 'sessions' },
    TEXT_ARGUMENT,
  ],
  options: {
    file: FILE_OPTION,
    from: { kind: 'text', value: 'NAME', help: 'ask under this name', field: 'from.name' },
    timeout: { kind: 'duration', value: 'TIME', initial: 600_000, help: 'how long it waits for the answer' },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm ask api "which port do you listen on?"', does: 'prints the answer' },
    { run: 'sm ask review --file plan.md --timeout 30m', does: 'a long question, and time to think' },
  ],
  exits: [
    [EXIT.ok, 'answered'],
    [EXIT.failed, 'no answer: its turn was interrupted, it gave no words, or the message came to nothing'],
    [EXIT.missing, 'no such session; nothing was sent'],
    [EXIT.refused, 'refused: the end of its turn would never be known; nothing was sent'],
    [EXIT.timeout, 'the time was over first; the message stays'],
  ],
  async run({ args, options }) {
    const text = await messageText(args.text, options.file);
    const from = senderFrom(process.env, options.from);
    const { id } = await ask((client) => sendQuestion(client, args.session, text, from ? { from } : {}));
    const asked = await ask((client) => waitForAnswer(client, id, options.timeout)).catch(
      (error: unknown) => {
        throw sayStored(error, [id]);
      },
    );
    if (options.json)
      sayJson({ outcome: asked.outcome, answer: asked.message.answer, message: asked.message });
    else tell(asked, options.timeout);
    return EXITS[asked.outcome];
  },
});

const EXITS: Record<Asked['outcome'], Exit> = {
  answered: EXIT.ok,
  silent: EXIT.failed,
  interrupted: EXIT.failed,
  never: EXIT.failed,
  timeout: EXIT.timeout,
};

function tell({ outcome, message }: Asked, ms: number): void {
  const { id, to, answer, state, receipt } = message;
  if (answer !== null) say(visible(answer));
  if (outcome === 'silent')
    note(
      `sm: ${to.name} is done with ${id}, but its agent hands over no answer; sm output ${to.name} shows it`,
    );
  if (outcome === 'interrupted') note(`sm: the turn of ${to.name} that took ${id} was interrupted`);
  if (outcome === 'never')
    note(
      `sm: ${uncertainty(message, 'done') ?? `${id} for ${to.name} is ${state} and will not be done; the best known is "${receipt}"`}`,
    );
  if (outcome === 'timeout')
    note(
      `sm: no answer from ${to.name} within ${duration(ms)}; ${id} is ${receipt} so far (sm wait ${id}; sm show ${id})`,
    );
}
