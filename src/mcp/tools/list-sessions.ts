import { z } from 'zod';
import { shownSession } from '../shown.js';
import { defineTool } from '../tool.js';

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description:
    'Who can be written to: the agents and programs in sessions, what they do, and which one you are.',
  effect: 'reads',
  input: z.strictObject({}),
  async run(_, desk) {
    const [me, sessions] = await Promise.all([desk.me(), desk.ask((client) => client.sessions())]);
    return { you: me?.name ?? null, sessions: sessions.map((session) => shownSession(session, me)) };
  },
});
