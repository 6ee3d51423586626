// Sessions: the registry and what it is made of.

export { type AdoptOptions, adoptSession } from './adopt.js';
export { DoorFolders } from './door-folders.js';
export { Doors } from './doors.js';
export { SessionError } from './errors.js';
export { recoverSessions } from './following.js';
export { startHeartbeat } from './heartbeat.js';
export type { Program, Verdict } from './judge.js';
export { learnEmptyBox, noteFilled } from './learning.js';
export { resolveRef } from './names.js';
export { listCandidates, type PaneCandidate } from './panes.js';
export { environmentOf } from './process.js';
export { programFile } from './program-file.js';
export { type LaunchExtras, Registry, type RegistryEvent } from './registry.js';
export { Servers } from './servers.js';
export { Session } from './session.js';
export { type StartOptions, startSession } from './start.js';
export { shownStatusOf, statusOf } from './status.js';
export { type Painted, REST_MS, Tracker } from './tracker.js';
export { isCanonical } from './tty.js';
export { whenIdle } from './when-idle.js';
