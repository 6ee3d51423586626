import path from 'node:path';
import type { ConfigReport } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT } from '../errors.js';
import { note, oneLine, say, sayJson } from '../print.js';
import { cut, sayTable } from '../table.js';

export default defineCommand({
  about: [
    'The file is ~/.config/suremail/config.yaml, with lines such as "past_draft: stale"; SM_CONFIG names another, and a home that SM_HOME names has one of its own. A change holds as soon as it is written. A file that is refused changes nothing: the last good one holds on.',
  ],
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm config', does: 'what holds, and where each value comes from' },
    { run: 'sm config --json | jq -r .file', does: 'where the file is' },
  ],
  exits: [[EXIT.failed, 'the file, or one in agents/, is refused as it is now']],
  async run({ options }) {
    const report = await ask((client) => client.config());
    if (options.json) sayJson(report);
    else tell(report);
    return report.state === 'good' && report.agents_problem === null ? EXIT.ok : EXIT.failed;
  },
});

function tell({ file, exists, state, problem, agents_problem, values }: ConfigReport): void {
  say(`${file}${exists || state === 'broken' ? '' : ' (sets nothing: everything as it comes)'}\n`);
  sayTable(
    [{ title: 'KEY' }, { title: 'VALUE' }, { title: 'FROM' }, { title: 'MEANING', text: true }],
    values.map(({ key, value, from, line, about }) => [
      { text: key, style: 'bold' },
      cut(oneLine(shown(value)), MOST_SHOWN),
      { text: from === 'file' ? `${path.basename(file)}:${line}` : from, style: STYLES[from] },
      about,
    ]),
  );
  if (problem !== null) {
    note(`\n${oneLine(problem)}`);
    note('the file is refused as it is now; what is shown above is the last good one, which holds on');
  }
  if (agents_problem === null) return;
  note(`\n${oneLine(agents_problem)}`);
  note('this file of an agent is refused as it is now; the last good ones hold on');
}

// A list of actions would push everything else away; --json has it whole.
const MOST_SHOWN = 60;

const STYLES = { file: 'green', environment: 'cyan', default: 'dim' } as const;

const shown = (value: ConfigReport['values'][number]['value']): string => {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
