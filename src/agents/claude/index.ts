// Claude Code's door, from the version on that a hook can wake.
import path from 'node:path';
import type { DoorMaker } from '../door.js';
import { supports } from '../version.js';
import { ClaudeDoor } from './door.js';
import { findLast, hearLast } from './last.js';
import { launchClaude } from './launch.js';
import { configFolder } from './running.js';
import { claudeHooks } from './settings.js';

// Older ones run the waiter as any other hook, and wait for it when they start.
const wakes = (version: string | null): boolean => supports({ since: '2.1.112' }, version);

export const claudeDoor: DoorMaker = {
  name: 'wake hook',
  scripts: { 'claude-waiter.sh': new URL('./waiter.sh', import.meta.url) },
  hooks: {
    file: (env) => path.join(configFolder(env), 'settings.json'),
    ours: (places) => claudeHooks(places, 'checked'),
  },
  prepare: async (context) => launchClaude(context, wakes(context.version)),
  open: (context) => new ClaudeDoor(context, wakes(context.version)),
  findLast,
  hearLast,
};
