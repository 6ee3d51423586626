import path from 'node:path';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { EXIT } from '../errors.js';
import { plural, say, sayJson } from '../print.js';

export default defineCommand({
  about: [
    'The database as it is at this moment, drafts included, while the daemon works on. Every page of the copy is checked before this returns.',
    'To go back to it: sm down, put the file in the place of suremail.db in the home folder, remove suremail.db-wal and suremail.db-shm, sm up.',
  ],
  args: [{ name: 'file', help: 'where to; readable by you alone', completes: 'files' }],
  options: { force: { kind: 'flag', help: 'replace the file' }, json: JSON_OPTION },
  examples: [
    { run: 'sm backup suremail-monday.db', does: 'a copy in this folder' },
    { run: 'sm backup --force /mnt/backup/suremail.db', does: 'in the place of the last one' },
  ],
  exits: [[EXIT.refused, 'the file is there already, or no whole copy could be made']],
  async run({ args, options }) {
    const file = path.resolve(args.file);
    const made = await ask((client) => client.backup(file, { replace: options.force }));
    const what = `${plural(made.messages, 'message')} and ${plural(made.sessions, 'session')}`;
    if (options.json) sayJson(made);
    else say(`${what} are in ${made.file} (${(made.bytes / 1024 ** 2).toFixed(1)} MB), whole and checked`);
    return undefined;
  },
});
