// Sessions: the registry and what it is made of.
export { SessionError } from './errors.js';
export type { Program, Verdict } from './judge.js';
export { listCandidates, type PaneCandidate } from './panes.js';
export { type AdoptOptions, Registry, type RegistryEvent, type StartOptions } from './registry.js';
export { Servers } from './servers.js';
export { Session } from './session.js';
export { REST_MS, Tracker } from './tracker.js';
export { isCanonical } from './tty.js';
