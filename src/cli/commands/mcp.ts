import { defineCommand } from '../command.js';
import { EXIT } from '../errors.js';

export default defineCommand({
  about: [
    'For agents, not for people: it speaks the Model Context Protocol on standard input and output, and ends with its client.',
    'Its tools list sessions, send, reply, check the inbox, wait, ask, remind and report status.',
    '`sm new --mcp` gives it to an agent for one run; `claude mcp add sm -- sm mcp` to Claude Code for good.',
  ],
  args: [],
  options: {},
  examples: [
    { run: 'sm mcp', does: 'as the settings of an agent name it: the command sm with the argument mcp' },
  ],
  async run() {
    // A client of its own, beside this one: it is run, not used.
    const program = new URL('../../mcp/main.js', import.meta.url).href;
    const { serve } = (await import(program)) as { serve(): Promise<void> };
    await serve();
    return EXIT.ok;
  },
});
