import { defineCommand } from '../command.js';
import { EXIT } from '../errors.js';

export default defineCommand({
  about: [
    'For agents, not for people: it speaks the Model Context Protocol on standard input and output, and ends with its client.',
    'Its tools list sessions, send, reply, check the inbox, wait, ask, remind and report status.',
    '`sm new --mcp` gives it to an agent for one run.',
  ],
  args: [],
  options: {},
  examples: [
    { run: 'claude mcp add sm -- sm mcp', does: 'in the settings of Claude Code, for all its runs' },
    { run: 'sm new --mcp -- claude', does: 'for one run' },
  ],
  async run() {
    // A client of its own, beside this one: it is run, not used.
    const program = new URL('../../mcp/main.js', import.meta.url).href;
    const { serve } = (await import(program)) as { serve(): Promise<void> };
    await serve();
    return EXIT.ok;
  },
});
