// The files of the user's agents: as the daemon read them when it started, and as they are now beside that. Files that are
// refused keep no daemon from starting that has understood them once: the last good ones hold.
import {
  type AgentSources,
  ignoredFiles,
  type Profile,
  Profiles,
  readAgentSources,
  readUserProfiles,
  understandAgents,
} from '../agents/index.js';
import { readOrLastGood } from './last-good.js';

export interface AgentsRead {
  folder: string;
  added: readonly Profile[];
  // Why those of the last good files hold.
  problem: string | null;
}

export interface AgentFiles {
  folder: string;
  state: 'same' | 'changed' | 'broken';
  // Why they are refused as they are now; the last good ones hold.
  problem: string | null;
  // What lies there and is not read.
  ignored: readonly string[];
  // Those that the next start would know.
  profiles: Profiles;
}

// Throws what is wrong where there have never been good ones. They are kept as one: files are right or wrong beside each other.
export function openAgentFiles(folder: string, good: string): AgentsRead {
  const understood = (sources: AgentSources) => ({ sources, added: understandAgents(folder, sources) });
  const { value, problem } = readOrLastGood({
    good,
    read: () => understood(readAgentSources(folder)),
    understand: (text) => understood(JSON.parse(text) as AgentSources),
    text: ({ sources }) => JSON.stringify(sources),
  });
  return { folder, added: value.added, problem };
}

// Looking reads every file; what was found last costs nothing to ask for.
export class AgentFilesSeen {
  readonly #read: AgentsRead;
  #problem: string | null;

  constructor(read: AgentsRead) {
    this.#read = read;
    this.#problem = read.problem;
  }

  // At the start, or by whoever looked since.
  get problem(): string | null {
    return this.#problem;
  }

  look(): AgentFiles {
    const found = lookAtAgentFiles(this.#read.folder, this.#read.added);
    this.#problem = found.problem;
    return found;
  }
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
