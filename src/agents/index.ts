// What is known about agents and other programs.
export { baseName, findProfile, GENERIC, PROFILES, type Profile, recognise } from './profile.js';
export { isInteractiveShell, isKeyDriven } from './shells.js';
