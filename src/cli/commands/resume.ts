import { defineCommand, JSON_OPTION } from '../command.js';
import { setPaused } from '../set-paused.js';

export default defineCommand({
  about: ['A session that was paused by name stays so until it is resumed by name.'],
  args: [
    { name: 'session', optional: true, help: 'only this session; all when left out', completes: 'sessions' },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm resume', does: 'deliver again' },
    { run: 'sm resume api', does: 'deliver to one session again' },
  ],
  run: ({ args, options }) => setPaused(args.session, false, options.json),
});
