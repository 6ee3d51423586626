import type { DoctorReport } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT } from '../errors.js';
import { sayJson } from '../print.js';
import { ownVersion } from '../version.js';

export default defineCommand({
  about: [
    'Looks at tmux, the configuration, the daemon, its files, socket, disk and clock, our hooks, and the ways in of each session.',
    'Tries on a tmux server of its own whether keys can be made to wait; nothing of yours is touched.',
  ],
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm doctor', does: 'what works, what does not, and what to do about it' },
    { run: 'sm doctor --json | jq .findings', does: 'for a script' },
  ],
  exits: [[EXIT.failed, 'something needs your attention']],
  async run({ options }) {
    const version = await ownVersion();
    const report: DoctorReport = await ask((client) => client.doctor(version));
    if (options.json) sayJson(report);
    else (await import('../doctor-report.js')).sayReport(report);
    return report.ok ? EXIT.ok : EXIT.failed;
  },
});
