// What is known about agents and other programs.
export { GENERIC, type Profile } from './profile.js';
export { baseName, Profiles } from './recognise.js';
export { isInteractiveShell, isKeyDriven } from './shells.js';
export { ignoredFiles, readUserProfiles } from './user-profiles.js';
export { readVersion, supports } from './version.js';
