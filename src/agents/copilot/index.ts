// Copilot's door: an extension of ours in a plugin that its command line names for this one run.
import path from 'node:path';
import type { DoorMaker } from '../door.js';
import { DOOR_VARIABLE, ExtensionDoor, type ExtensionKind, findLast, MAILBOX } from '../extension/index.js';
import { supports } from '../version.js';
import { inEvents } from './events-file.js';
import { launchCopilot, PLUGIN } from './launch.js';

// Older ones have not been seen to load an extension from a plugin.
const hasExtensions = (version: string | null): boolean => supports({ since: '1.0.102' }, version);

export const KIND: ExtensionKind = {
  name: 'extension',
  // As its extension finds it from inside.
  place: ({ env, folder, program }) =>
    env[DOOR_VARIABLE] === folder ? path.join(folder, String(program.pid)) : undefined,
  absent: 'it has no extension of ours: it was not started by sm, or is older than 1.0.102',
  // Its own queue keeps what comes while it works, and outlives an interrupt.
  carries: () => ({ kind: 'now' }),
  inRecords: inEvents,
  // Its record is behind by up to a second, and its extension ends up to another after it.
  unrecordedMs: 2000,
};

const asset = (name: string): URL => new URL(`./${name}`, import.meta.url);

export const copilotDoor: DoorMaker = {
  name: 'extension',
  scripts: {
    ...MAILBOX,
    [`${PLUGIN}/plugin.json`]: asset('plugin.json'),
    [`${PLUGIN}/asks.mjs`]: asset('asks.mjs'),
    [`${PLUGIN}/pane-process.mjs`]: asset('pane-process.mjs'),
    [`${PLUGIN}/record.mjs`]: asset('record.mjs'),
    [`${PLUGIN}/turns.mjs`]: asset('turns.mjs'),
    [`${PLUGIN}/extensions/suremail/extension.mjs`]: asset('extensions/suremail/extension.mjs'),
  },
  prepare: async (context) =>
    hasExtensions(context.version) ? launchCopilot(context) : { command: context.command, env: {} },
  open: (context) => new ExtensionDoor(context, KIND),
  findLast: (facts, id) => findLast(KIND, facts, id),
};
