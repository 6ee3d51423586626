// Codex's door: its TUI is a client of a server that others may talk to as well.
import type { DoorMaker } from '../door.js';
import { CodexDoor } from './door.js';
import { findLast } from './last.js';
import { launchCodex, Starts } from './launch.js';

const starts = new Starts();

export const codexDoor: DoorMaker = {
  name: 'app server',
  scripts: {},
  prepare: (context) => launchCodex(context, starts),
  open: (context) => new CodexDoor(context, () => starts.done(context.session.id)),
  findLast,
};
