// The files of the user's agents as they are now, beside what the daemon read of them when it started.
import { ignoredFiles, type Profile, Profiles, readUserProfiles } from '../agents/index.js';

export interface AgentFiles {
  folder: string;
  state: 'same' | 'changed' | 'broken';
  // Why the next start would fail.
  problem: string | null;
  // What lies there and is not read.
  ignored: readonly string[];
  // Those that the next start would know; if it would fail, those of now.
  profiles: Profiles;
}

export function lookAtAgentFiles(folder: string, read: readonly Profile[]): AgentFiles {
  try {
    const now = readUserProfiles(folder);
    const state = JSON.stringify(now) === JSON.stringify(read) ? 'same' : 'changed';
    return { folder, state, problem: null, ignored: ignoredFiles(folder), profiles: new Profiles(now) };
  } catch (error) {
    const { message } = error as Error;
    return { folder, state: 'broken', problem: message, ignored: [], profiles: new Profiles(read) };
  }
}
