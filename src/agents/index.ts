// What is known about agents and other programs.
export { baseName, findProfile, GENERIC, PROFILES, type Profile, recognise } from './profile.js';
export { isInteractiveShell } from './shells.js';
