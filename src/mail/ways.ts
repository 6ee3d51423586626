// Which protocols a session may use past a draft, in order: what its profile offers, its version allows and its start prepared.
import { inVersion, type Profile, readVersion, supports } from '../agents/index.js';
import {
  EditorProtocol,
  Handover,
  type InterruptRules,
  interruptProtocol,
  type Protocol,
  type ProtocolName,
  SentinelProtocol,
  StashProtocol,
  type SwapTools,
  suitsSentinel,
} from '../composer/index.js';
import { environmentOf, farVersion, programFile, type Session } from '../sessions/index.js';
import type { Store } from '../store/index.js';
import type { Config } from './config.js';
import { memoryOf } from './gate.js';
import { lessonKey, readLesson } from './learned.js';

export interface WayDeps {
  config: Config;
  // Where the editor shim of a session meets the daemon.
  swapFolder: (session: string) => string;
  store: Store;
}

export interface Ways {
  profile: Profile;
  version: string | null;
  // In the order in which they are tried; `direct` is for an empty box and is always there.
  protocols: readonly ProtocolName[];
  // Some of them brings a draft back exactly.
  exact: boolean;
  // Where a trial of its keys would be remembered; undefined when none is wanted.
  lesson: string | undefined;
  trial: Trial;
}

// How it stands with the trial of its keys.
export type Trial =
  | { state: 'unneeded' }
  | { state: 'pending' }
  | { state: 'impossible'; why: 'adopted' | 'no_file' }
  // What it showed cannot be used.
  | { state: 'failed'; why: string };

const known = new WeakMap<Session, { epoch: number; ways: Promise<Ways> }>();

export async function waysOf(session: Session, deps: WayDeps): Promise<Ways> {
  const ways = await foundOnce(session, deps);
  // The sentinel reads at the cursor: another session of the same program may have it elsewhere.
  const isLeftOut = (name: ProtocolName): boolean =>
    (name === 'sentinel' && !memoryOf(session).cursorTells) ||
    (name === 'interrupt' && !deps.config.interruptAndDiff.includes(ways.profile.name));
  return ways.protocols.some(isLeftOut)
    ? withProtocols(
        ways,
        ways.protocols.filter((name) => !isLeftOut(name)),
      )
    : ways;
}

// Found once for each program that runs in the session.
function foundOnce(session: Session, deps: WayDeps): Promise<Ways> {
  const { epoch } = session.row;
  const entry = known.get(session);
  if (entry?.epoch === epoch) return entry.ways;
  const ways = find(session, deps);
  known.set(session, { epoch, ways });
  return ways;
}

const withProtocols = (
  ways: Omit<Ways, 'protocols' | 'exact'>,
  protocols: readonly ProtocolName[],
): Ways => ({
  ...ways,
  protocols,
  exact: protocols.some((name) => name !== 'interrupt'),
});

// For mail that is to go at any price: also by what may harm a draft, as the last resort.
export const atAnyPrice = (ways: Ways): Ways =>
  ways.profile.interrupt && !ways.protocols.includes('interrupt')
    ? withProtocols(ways, [...ways.protocols, 'interrupt'])
    : ways;

// Something was learned about its program.
export const forgetWays = (session: Session): boolean => known.delete(session);

async function find(session: Session, deps: WayDeps): Promise<Ways> {
  const { profile: newest, lesson, trial } = await taught(session, deps);
  // What is to be known of a program stands in files of its own machine.
  const program = session.host === null ? session.program : null;
  const version = await versionOf(session, newest);
  const profile = inVersion(newest, version);
  const hasShim =
    program !== null && (await environmentOf(program.pid)).SM_SWAP === deps.swapFolder(session.id);
  const protocols = profile.protocols
    .filter((choice) => supports(choice, version))
    .map(({ protocol }) => protocol)
    .filter((name) => isPrepared(name, profile, hasShim));
  return withProtocols({ profile, version, lesson, trial }, protocols);
}

async function versionOf(session: Session, newest: Profile): Promise<string | null> {
  const { program, host } = session;
  if (host === null) return program ? readVersion(newest, await programFile(program)) : null;
  const version = await farVersion(session);
  // To be asked again, once that can be done.
  if (version === undefined) forgetWays(session);
  return version ?? null;
}

// A program without line keys of its own has those that a trial has shown. Tried only in what we started ourselves.
async function taught(
  session: Session,
  { store }: WayDeps,
): Promise<Pick<Ways, 'profile' | 'lesson' | 'trial'>> {
  const { profile } = session;
  const wants = profile.protocols.some(({ protocol }) => protocol === 'sentinel') && !profile.lineKeys;
  const without = (trial: Trial) => ({ profile, lesson: undefined, trial });
  if (!wants) return without({ state: 'unneeded' });
  if (session.row.origin !== 'started') return without({ state: 'impossible', why: 'adopted' });
  const key = await lessonKey(session);
  if (key === undefined) return without({ state: 'impossible', why: 'no_file' });
  const lesson = readLesson(store, key);
  if (!lesson) return { profile, lesson: key, trial: { state: 'pending' } };
  if (lesson.kind === 'unsupported') return without({ state: 'failed', why: lesson.reason });
  const { lineKeys } = lesson;
  const trial: Trial = suitsSentinel(lineKeys)
    ? { state: 'unneeded' }
    : { state: 'failed', why: 'its keys stop at rows of the screen' };
  return { profile: { ...profile, lineKeys }, lesson: undefined, trial };
}

function isPrepared(name: ProtocolName, profile: Profile, hasShim: boolean): boolean {
  switch (name) {
    case 'direct':
      return false;
    case 'editor':
      return profile.editor !== undefined && hasShim;
    case 'stash':
      return profile.stash !== undefined;
    case 'sentinel':
      return suitsSentinel(profile.lineKeys);
    case 'interrupt':
      return profile.interrupt !== undefined;
  }
}

export interface ProtocolAids {
  swapFolder: string;
  interrupt: InterruptRules;
}

export function makeProtocol(name: ProtocolName, tools: SwapTools, aids: ProtocolAids): Protocol {
  switch (name) {
    case 'editor':
      return new EditorProtocol(tools, new Handover(aids.swapFolder));
    case 'stash':
      return new StashProtocol(tools);
    case 'sentinel':
      return new SentinelProtocol(tools);
    case 'interrupt':
      return interruptProtocol(aids.interrupt)(tools);
    case 'direct':
      throw new Error('direct is for an empty box and takes nothing out of it');
  }
}
