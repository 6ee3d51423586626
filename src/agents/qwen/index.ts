// Qwen Code's door: a file from which it takes prompts, and one in which it says what it does.
import type { DoorMaker } from '../door.js';
import { supports } from '../version.js';
import { QwenDoor } from './door.js';
import { isRecorded, shows } from './files.js';
import { launchQwen } from './launch.js';

// Older ones were not run.
const isKnown = (version: string | null): boolean => supports({ since: '0.24.4' }, version);

export const qwenDoor: DoorMaker = {
  name: 'input file',
  scripts: {},
  prepare: async (context) =>
    isKnown(context.version) ? launchQwen(context) : { command: context.command, env: {} },
  // Only what we have prepared has a door: its version was known then.
  open: (context) => new QwenDoor(context),
  async findLast({ output, records, conversation }, id) {
    if (output === undefined) return { at: 'unknown', reason: 'what it wrote is not known' };
    const isShown =
      (await shows(output, id)) || (records && conversation && isRecorded(records, conversation, id));
    return isShown
      ? { at: 'received', turn: null, evidence: 'its records show it' }
      : { at: 'nowhere', evidence: 'it has ended, and its records do not show it' };
  },
};
