// What differs between agents, as data. A program without a profile of its own gets `generic`.
import type { BoxProfile } from '../composer/index.js';
import type { DoorMaker } from './door.js';
import type { McpSetup } from './mcp.js';
import type { AgentSignals } from './signals.js';
import { isBefore, type VersionRange } from './version.js';

export interface Profile extends BoxProfile {
  name: string;
  title: string;
  // How its process is recognised: by the name of the program, or by the package its script lives in.
  programs: readonly string[];
  packages: readonly string[];
  // Its own way in, beside its input box.
  door?: DoorMaker;
  // Which prompts are rung for instead of typed, where its door can bring their text.
  bell?: BellRules;
  // What is different before some versions, the oldest first.
  older?: readonly { before: string; box: Partial<BoxProfile> }[];
  // The keys that stop its running turn and do nothing else; undefined where none is known.
  interruptKeys?: readonly string[];
  // How it is given our MCP server; undefined where that is not known.
  mcp?: McpSetup;
  // What its door and its hooks tell that is a signal.
  signals?: AgentSignals;
  // The option of its command line whose text joins its system prompt.
  promptOption?: string;
  // Its own record of what it says, where it keeps one that we can read.
  record?: AgentRecord;
}

// A file of lines that only grows.
export interface AgentRecord {
  // Of the process whose door knows these facts.
  file(facts: Readonly<Record<string, string>>): string | undefined;
  // What the agent itself says in a line of it.
  said(line: string): Said | undefined;
}

export interface Said {
  // By which the line is known for ever.
  entry: string;
  at: number;
  text: string;
}

// In characters and lines of the text without its header.
export interface BellRules extends VersionRange {
  // What is longer than one of these is rung for.
  typed: { lines: number; characters: number };
  // With its header; what is longer than this its hooks do not bring whole.
  most: number;
}

// A program of which nothing is known: one guarded paste into its empty box, and whatever a trial shows to be safe.
export const GENERIC: Profile = {
  name: 'generic',
  title: 'a program without a profile',
  programs: [],
  packages: [],
  protocols: [{ protocol: 'direct' }, { protocol: 'sentinel' }],
  submitKey: 'Enter',
  enterGapMs: 0,
  cursorAtCaret: false,
  cursorShownInBox: false,
  // Enter shortly after text is a newline to some.
  keepsKeys: true,
  pace: { stepMs: 12, enterMs: 150 },
  refusalCeiling: 1,
};

// Its profile in the version that runs; one that does not tell it is taken for the oldest, which needs the most patience.
export function inVersion(profile: Profile, version: string | null): Profile {
  const different = profile.older?.find(({ before }) => version === null || isBefore(version, before));
  return different ? { ...profile, ...different.box } : profile;
}

export const profile = (name: string, title: string, more: Partial<Profile> = {}): Profile => ({
  ...GENERIC,
  name,
  title,
  programs: [name],
  ...more,
});
