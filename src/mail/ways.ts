// Which protocols a session may use past a draft, in order: what its profile offers, its version allows and its start prepared.
import { findProfile, GENERIC, type Profile, readVersion, supports } from '../agents/index.js';
import {
  type Abilities,
  EditorProtocol,
  Handover,
  type Protocol,
  type ProtocolName,
  StashProtocol,
  type SwapTools,
} from '../composer/index.js';
import { environmentOf, programFile, type Session } from '../sessions/index.js';
import type { Config } from './config.js';

export interface WayDeps {
  config: Config;
  // Where the editor shim of a session meets the daemon.
  swapFolder: (session: string) => string;
}

export interface Ways {
  profile: Profile;
  version: string | null;
  // In the order in which they are tried; `direct` is for an empty box and is always there.
  protocols: readonly ProtocolName[];
  // Some of them brings a draft back exactly.
  exact: boolean;
}

const known = new WeakMap<Session, { epoch: number; ways: Promise<Ways> }>();

// Found once for each program that runs in the session.
export function waysOf(session: Session, deps: WayDeps): Promise<Ways> {
  const { epoch } = session.row;
  const entry = known.get(session);
  if (entry?.epoch === epoch) return entry.ways;
  const ways = find(session, deps);
  known.set(session, { epoch, ways });
  return ways;
}

async function find(session: Session, deps: WayDeps): Promise<Ways> {
  const profile = findProfile(session.row.agent) ?? GENERIC;
  const { program } = session;
  const version = program ? await readVersion(profile, await programFile(program)) : null;
  const hasShim =
    program !== null && (await environmentOf(program.pid)).SM_SWAP === deps.swapFolder(session.id);
  const protocols = profile.protocols
    .filter((choice) => supports(choice, version))
    .map(({ protocol }) => protocol)
    .filter((name) => isPrepared(name, profile, hasShim, deps.config));
  return {
    profile,
    version,
    protocols,
    exact: protocols.some((name) => name === 'editor' || name === 'stash'),
  };
}

function isPrepared(name: ProtocolName, profile: Profile, hasShim: boolean, config: Config): boolean {
  switch (name) {
    case 'direct':
      return false;
    case 'editor':
      return profile.editor !== undefined && hasShim;
    case 'stash':
      return profile.stash !== undefined;
    case 'sentinel':
      return profile.lineKeys !== undefined;
    case 'interrupt':
      return profile.interrupt !== undefined && config.interruptAndDiff.includes(profile.name);
  }
}

export function makeProtocol(name: ProtocolName, tools: SwapTools, folder: string): Protocol {
  switch (name) {
    case 'editor':
      return new EditorProtocol(tools, new Handover(folder));
    case 'stash':
      return new StashProtocol(tools);
    default:
      throw new Error(`no protocol of that name: ${name}`);
  }
}

export type { Abilities };
