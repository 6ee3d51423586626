import type { ConfigReport } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { note, oneLine, say, sayJson } from '../print.js';
import { sayTable } from '../table.js';

export default defineCommand({
  about: [
    'The file is config.yaml in the home folder, with lines such as "past_draft: stale". The daemon reads it when it starts.',
  ],
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm config', does: 'what holds, and where each value comes from' },
    { run: 'sm config --json | jq -r .file', does: 'where the file is' },
  ],
  async run({ options }) {
    const report = await ask((client) => client.config());
    if (options.json) sayJson(report);
    else tell(report);
    return undefined;
  },
});

const ABSENT = {
  still: 'there is none: everything as it comes',
  came: 'not read: it was not there when the daemon started',
} as const;

function tell({ file, exists, state, problem, values }: ConfigReport): void {
  say(`${file}${exists ? '' : ` (${ABSENT[state === 'same' ? 'still' : 'came']})`}\n`);
  sayTable(
    [{ title: 'KEY' }, { title: 'VALUE' }, { title: 'FROM' }, { title: 'MEANING', text: true }],
    values.map(({ key, value, from, about }) => [
      { text: key, style: 'bold' },
      oneLine(Array.isArray(value) ? `[${value.join(', ')}]` : String(value)),
      { text: from, style: from === 'file' ? 'green' : 'dim' },
      about,
    ]),
  );
  if (state === 'changed')
    note(
      exists
        ? '\nthe file has changed since the daemon read it; sm down, then sm up'
        : '\nthe file was not there when the daemon started: nothing of it holds yet; sm down, then sm up',
    );
  if (problem !== null) note(`\nthe next start would fail: ${problem}`);
}
