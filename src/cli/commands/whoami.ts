import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { orMissing } from '../own-session.js';
import { say, sayJson, visible } from '../print.js';
import { senderFrom } from '../sender.js';

export default defineCommand({
  about: [
    'Outside the panes of sessions you are "user": a person. Where a session was removed and its program lives on, that is "unknown".',
  ],
  args: [],
  options: { json: JSON_OPTION },
  examples: [
    { run: 'sm whoami', does: 'name and id of the session whose pane this is' },
    { run: 'sm whoami --json | jq -r .session.id', does: 'for a script' },
  ],
  async run({ options }) {
    const from = senderFrom(process.env);
    const session = from && (await orMissing(ask((client) => client.whoAmI(from))));
    const gone = session ? undefined : await goneSession(from?.session);
    const name = session?.name ?? (gone === undefined ? 'user' : 'unknown');
    if (options.json) sayJson({ name, session: session ?? null });
    else if (session) say(`${name} (${session.id})`);
    else
      say(
        `${name} (${gone === undefined ? "this is no session's pane" : `the session ${visible(gone)} was removed`})`,
      );
    return undefined;
  },
});

// The same as the daemon makes of the sender of a message: one whose session is there no more is not a person.
async function goneSession(id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  return (await orMissing(ask((client) => client.session(id)))) ? undefined : id;
}
