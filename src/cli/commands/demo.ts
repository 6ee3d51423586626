import { defineCommand } from '../command.js';
import { EXIT } from '../errors.js';

export default defineCommand({
  about: ['Runs on a daemon and a tmux server of its own, and removes them: nothing of yours is touched.'],
  args: [],
  options: { fast: { kind: 'flag', help: 'with half of the pauses' } },
  examples: [{ run: 'sm demo', does: 'needs tmux and nothing else; leaves nothing behind' }],
  exits: [[EXIT.failed, 'something of what it shows was not so']],
  async run({ options }) {
    const { runDemo } = await import('../demo/run.js');
    return runDemo(options.fast ? ['--fast'] : []);
  },
});
