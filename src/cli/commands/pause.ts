import { defineCommand, JSON_OPTION } from '../command.js';
import { setPaused } from '../set-paused.js';

export default defineCommand({
  about: ['Messages are still taken in; they wait until `sm resume`.'],
  args: [
    { name: 'session', optional: true, help: 'only this session; all when left out', completes: 'sessions' },
  ],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm pause', does: 'stop all delivery at once' },
    { run: 'sm pause api', does: 'stop delivery to one session' },
  ],
  run: ({ args, options }) => setPaused(args.session, true, options.json),
});
