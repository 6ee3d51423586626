// OpenCode's door: the HTTP server that runs in the process of its TUI.
import type { DoorMaker, Found } from '../door.js';
import { supports } from '../version.js';
import { messagesAround } from './database.js';
import { OpencodeDoor } from './door.js';
import { standingIn } from './history.js';
import { launchOpencode } from './launch.js';

// Older ones were not run; some of them do not start with a password.
const isKnown = (version: string | null): boolean => supports({ since: '1.18.33' }, version);

export const opencodeDoor: DoorMaker = {
  name: 'server',
  scripts: {},
  prepare: async (context) =>
    isKnown(context.version) ? launchOpencode(context) : { command: context.command, env: {} },
  open: (context) => new OpencodeDoor(context, isKnown(context.version)),
  findLast: async (facts, id) => findInDatabase(facts, id),
};

function findInDatabase({ database }: Readonly<Record<string, string>>, id: string): Found {
  if (database === undefined) return { at: 'unknown', reason: 'its database is not known' };
  try {
    const standings = messagesAround(database, id).map((messages) => standingIn(messages, id));
    const taken = standings.find(({ kind }) => kind === 'taken');
    if (taken?.kind === 'taken')
      return { at: 'received', turn: taken.turn, evidence: 'its database shows it as answered' };
    // What stands there is given to the model whenever that conversation goes on.
    if (standings.length > 0)
      return { at: 'unknown', reason: 'it has ended, and its conversation holds it unanswered' };
    return { at: 'nowhere', evidence: 'it has ended, and its database does not show it' };
  } catch (error) {
    return { at: 'unknown', reason: `its database cannot be read: ${(error as Error).message}` };
  }
}
