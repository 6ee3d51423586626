// What doors that go through an extension of ours share.
export { ExtensionDoor } from './door.js';
export type { ExtensionKind } from './kind.js';
export { findLast } from './last.js';

// The agent's side of it, which each such extension imports by this path.
export const MAILBOX = { 'extension/mailbox.mjs': new URL('./mailbox.mjs', import.meta.url) };
// Names the session's folder to the extension.
export const DOOR_VARIABLE = 'SM_DOOR';
