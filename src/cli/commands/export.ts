import type { Writable } from 'node:stream';
import { defineCommand } from '../command.js';
import { ask } from '../connect.js';
import { CliError, EXIT } from '../errors.js';
import { note } from '../print.js';
import { privateFile, requireFree } from '../private-file.js';
import { sinceTime } from '../since.js';

export default defineCommand({
  about: [
    'One JSON object a line, each with a type: session, message (followed by its events), event, signal, and at last end, which counts them. Without that last line it was cut off.',
    'Drafts are not in it.',
  ],
  args: [],
  options: {
    since: { kind: 'text', value: 'TIME', help: 'only messages and signals since then: 7d, 2026-01-31' },
    output: {
      kind: 'text',
      value: 'FILE',
      short: 'o',
      help: 'into this file, readable by you alone, instead of standard output',
      completes: 'files',
    },
    force: { kind: 'flag', help: 'replace the file' },
  },
  examples: [
    { run: 'sm export -o history.jsonl', does: 'everything there is' },
    { run: 'sm export --since 7d | jq -r .type', does: 'the last seven days, for a program' },
  ],
  async run({ options: { since, output, force } }) {
    const time = since === undefined ? {} : { since: sinceTime('--since', since) };
    if (output !== undefined) requireFree(output, { replace: force });
    const response = await ask((client) => client.exportHistory(time));
    if (output === undefined) {
      requireEnd(await copy(response, process.stdout));
      return undefined;
    }
    const file = await privateFile(output);
    try {
      const last = await copy(response, file.stream);
      const { sessions, messages, events } = requireEnd(last);
      await file.keep();
      note(`${messages} messages with ${events} events, and ${sessions} sessions, are in ${output}`);
    } catch (error) {
      file.drop();
      throw error;
    }
    return undefined;
  },
});

// The last line that went by. A reader that is slow makes the daemon wait.
async function copy(from: AsyncIterable<Buffer>, to: Writable): Promise<string> {
  let rest = '';
  for await (const chunk of from) {
    if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve));
    rest = (rest + chunk.toString('latin1')).trimEnd();
    rest = rest.slice(rest.lastIndexOf('\n') + 1);
  }
  return rest;
}

interface End {
  type: string;
  sessions: number;
  messages: number;
  events: number;
}

function requireEnd(line: string): End {
  const end = line.startsWith('{"type":"end"') ? (JSON.parse(line) as End) : undefined;
  if (end) return end;
  throw new CliError('the export was cut off before its end', EXIT.failed, 'sm logs may say why');
}
