// What agents' hooks leave for the daemon.
export { type HookEntry, parseEntry } from './entry.js';
// What every hook of ours runs.
export const HOOK_SCRIPT = new URL('./hook.sh', import.meta.url);
export { Spool, type Taken } from './spool.js';
