import type { Session } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ApiFailure, ask } from '../connect.js';
import { say, sayJson } from '../print.js';
import { senderFrom } from '../sender.js';

export default defineCommand({
  about: ['Outside the panes of sessions you are "user": a person.'],
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm whoami', does: 'name and id of the session whose pane this is' },
    { run: 'sm whoami --json | jq -r .session.id', does: 'for a script' },
  ],
  async run({ options }) {
    const session = await thisSession();
    const name = session?.name ?? 'user';
    if (options.json) sayJson({ name, session: session ?? null });
    else say(session ? `${name} (${session.id})` : `${name} (this is no session's pane)`);
    return undefined;
  },
});

// The same as the daemon makes of the sender of a message.
async function thisSession(): Promise<Session | undefined> {
  const from = senderFrom(process.env);
  return from && orMissing(ask((client) => client.whoAmI(from)));
}

const orMissing = (answer: Promise<Session>): Promise<Session | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  });
