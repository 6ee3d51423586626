// Codex's door: its TUI is a client of a server that others may talk to as well.
import type { DoorMaker } from '../door.js';
import { supports } from '../version.js';
import { CodexDoor } from './door.js';
import { findLast } from './last.js';
import { launchCodex, Starts } from './launch.js';

// Older ones were not run.
const isKnown = (version: string | null): boolean => supports({ since: '0.166.0' }, version);

const starts = new Starts();

export const codexDoor: DoorMaker = {
  name: 'app server',
  scripts: {},
  prepare: async (context) =>
    isKnown(context.version) ? launchCodex(context, starts) : { command: context.command, env: {} },
  // Only what we have prepared has a door: of a process whose version cannot be read it was known then.
  open: (context) =>
    new CodexDoor(context, context.version !== null && !isKnown(context.version), () =>
      starts.done(context.session.id),
    ),
  hasServer: true,
  findLast: (facts, id) => findLast(facts, id),
};
