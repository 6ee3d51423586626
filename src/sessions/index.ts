// Sessions: the registry and what it is made of.

export { type AdoptOptions, adoptSession } from './adopt.js';
export { DoorFolders } from './door-folders.js';
export { Doors } from './doors.js';
export { SessionError } from './errors.js';
export { farVersion } from './far-version.js';
export { recoverSessions } from './following.js';
export { startHeartbeat } from './heartbeat.js';
export { HostWatch } from './host-watch.js';
export { type Host, Hosts } from './hosts.js';
export type { Program, Verdict } from './judge.js';
export { learnEmptyBox, noteFilled } from './learning.js';
export { resolveRef } from './names.js';
export type { Painted } from './pane-stream.js';
export { listCandidates, type PaneCandidate } from './panes.js';
export { environmentOf, readProcess } from './process.js';
export { processesOf } from './processes.js';
export { programFile } from './program-file.js';
export { type LaunchExtras, Registry, type RegistryEvent } from './registry.js';
export { formatAddress, isFar, parseAddress } from './server-address.js';
export { Servers } from './servers.js';
export { Session } from './session.js';
export { type StartOptions, startSession } from './start.js';
export { shownStatusOf, statusOf } from './status.js';
export { REST_MS, Tracker } from './tracker.js';
export { type Typed, Typing } from './typing.js';
export { whenIdle } from './when-idle.js';
