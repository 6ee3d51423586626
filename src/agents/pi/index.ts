// pi's door: an extension of ours that its command line names, inside its own process.
import path from 'node:path';
import type { DoorMaker } from '../door.js';
import { DOOR_VARIABLE, ExtensionDoor, type ExtensionKind, findLast, MAILBOX } from '../extension/index.js';
import { supports } from '../version.js';
import { EXTENSION, launchPi } from './launch.js';

// Older ones were not run.
const isKnown = (version: string | null): boolean => supports({ since: '0.73.1' }, version);

const KIND: ExtensionKind = {
  name: 'extension',
  // It runs in pi itself, so pi's own number names its folder.
  place: ({ env, folder, program }) =>
    env[DOOR_VARIABLE] === folder ? path.join(folder, String(program.pid)) : undefined,
  absent: 'it has no extension of ours: it was not started by sm, or is older than 0.73.1',
  carries({ mode }, status) {
    // pi could queue it, and would drop its queue into the input box when a person interrupts: it is safer with us.
    if (mode === 'sequential' && status?.state === 'busy')
      return { kind: 'later', reason: 'its turn is running' };
    return { kind: 'now' };
  },
};

export const piDoor: DoorMaker = {
  name: 'extension',
  scripts: {
    ...MAILBOX,
    [EXTENSION]: new URL('./extension.mjs', import.meta.url),
    'pi/box.mjs': new URL('./box.mjs', import.meta.url),
    'pi/turns.mjs': new URL('./turns.mjs', import.meta.url),
  },
  prepare: async (context) =>
    isKnown(context.version) ? launchPi(context) : { command: context.command, env: {} },
  open: (context) => new ExtensionDoor(context, KIND),
  findLast: (facts, id) => findLast(KIND, facts, id),
};
