// What is known about agents and other programs.

export { briefing } from './briefing.js';
export type {
  Bell,
  Carries,
  Door,
  DoorEvent,
  DoorLaunch,
  DoorLetter,
  DoorState,
  Found,
  HookEvent,
  Sent,
} from './door.js';
export { toldFar } from './far-start.js';
export {
  HookFileError,
  type HookPlan,
  hookFilesKept,
  hookState,
  installHooks,
  uninstallHooks,
} from './hook-file.js';
export { BELL } from './mark.js';
export { type McpServer, mcpRefusal, withMcp } from './mcp.js';
export { splitCommand } from './options.js';
export { type AgentRecord, type BellRules, GENERIC, inVersion, type Profile, type Said } from './profile.js';
export { baseName, Profiles } from './recognise.js';
export { isInteractiveShell, isKeyDriven } from './shells.js';
export { type AgentSignals, type HookSignal, hookSignal } from './signals.js';
export {
  goneStatus,
  NO_STATUS,
  nextStatus,
  type Status,
  screenStatus,
  surenessOf,
} from './status.js';
export {
  type AgentSources,
  ignoredFiles,
  readAgentSources,
  readUserProfiles,
  understandAgents,
} from './user-profiles.js';
export { readVersion, supports, versionIn } from './version.js';
