import type { Attention } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { connect, NotRunning } from '../connect.js';
import { say, sayJson } from '../print.js';

// A status bar has little room.
const NAMES = 3;

export default defineCommand({
  about: [
    'For the status bar of tmux: set -g status-right "#(sm statusline)". Nothing is printed where nobody needs attention, and where no daemon runs; it starts none.',
  ],
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm statusline', does: 'such as: needs_input 2 (api, web) · completed 1 (ci)' },
    { run: 'sm statusline --json', does: 'for another status bar' },
  ],
  async run({ options }) {
    const { sessions } = await connect()
      .attention()
      .catch((error: unknown): Attention => {
        if (error instanceof NotRunning) return { sessions: [] };
        throw error;
      });
    if (options.json) sayJson(sessions);
    else if (sessions.length > 0) say(lineOf(sessions));
    return undefined;
  },
});

function lineOf(sessions: Attention['sessions']): string {
  const states = [...new Set(sessions.map(({ state }) => state))];
  return states
    .map((state) => {
      const names = sessions.filter((session) => session.state === state).map(({ name }) => name);
      const more = names.length > NAMES ? ', …' : '';
      return `${state} ${names.length} (${names.slice(0, NAMES).join(', ')}${more})`;
    })
    .join(' · ');
}
