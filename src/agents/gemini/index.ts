// Gemini's door: a hook at the end of its turn. Gemini takes hooks only from the user's settings, so they are put there on request.
import os from 'node:os';
import path from 'node:path';
import type { DoorMaker } from '../door.js';
import { supports } from '../version.js';
import { GeminiDoor } from './door.js';
import { geminiHooks } from './hooks.js';
import { findLast } from './last.js';
import { launchGemini } from './launch.js';

// Older ones were not run.
const isKnown = (version: string | null): boolean => supports({ since: '0.61.0' }, version);

export const geminiDoor: DoorMaker = {
  name: 'turn-end hook',
  scripts: {},
  hooks: {
    file: (env) => path.join(env.GEMINI_CLI_HOME || env.HOME || os.homedir(), '.gemini', 'settings.json'),
    ours: geminiHooks,
  },
  prepare: async (context) => launchGemini(context),
  open: (context) => new GeminiDoor(context, isKnown(context.version)),
  findLast,
};
