// All that must hold before a key is pressed for a message, and why it waits when it does not.
import { surenessOf } from '../agents/index.js';
import {
  type BoxProfile,
  type ComposerMemory,
  type Decision,
  decide,
  steadyView,
} from '../composer/index.js';
import {
  learnEmptyBox,
  noteFilled,
  REST_MS,
  type Registry,
  type Session,
  statusOf,
  type Tracker,
} from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { PaneView } from '../tmux/index.js';
import type { Ledger } from './ledger.js';
import type { HeldReason } from './lifecycle.js';
import { ownEditorHold } from './own-editor.js';

export interface Hold {
  reason: HeldReason;
  detail: string;
  // When to look again, where no event will tell.
  retryAt?: number | undefined;
}

// The way is free, and this is how the pane looks.
export interface Clear {
  view: PaneView;
  tracker: Tracker;
}

// Nothing but what stands in the box may be in the way.
export interface Judged extends Clear {
  decision: Decision;
}

export interface GateDeps {
  registry: Registry;
  isPaused: () => boolean;
  clock: () => number;
  swapFolder: (session: string) => string;
  typingPauseMs?: number;
}

// What a pane prints may free a waiting message: it is looked at again after output, but not more often than this.
export const LOOK_INTERVAL_MS = 100;
// A key may take this long until it shows, where its profile does not say: Copilot paints every 250 ms.
export const ECHO_MS = 300;
export const lagOf = ({ editor }: BoxProfile): number => editor?.shownMs ?? ECHO_MS;
// A program that prints nothing counts as started after this long; one that never stops printing, after the other.
const SILENT_START_MS = 1500;
const RESTLESS_START_MS = 3000;

// An agent that is not busy takes what it has in its queue within seconds. What it has not taken by then keeps its place, and
// does not keep others waiting: it may be stuck there for as long as the agent runs.
const QUEUE_MS = 60_000;
// After the second time; doubled each time, up to the longest.
const AGAIN_MS = 2000;
const MOST_AGAIN_MS = 300_000;

// For whoever needs an empty box and nobody typing.
export async function checkGate(session: Session, deps: GateDeps): Promise<Hold | Clear> {
  const gate = await judgeBox(session, deps);
  return 'view' in gate ? (holdOf(gate.decision) ?? gate) : gate;
}

// Its agent waits for a person, who is not to be answered for.
export function personHold(session: Session): Hold | undefined {
  const { state, detail } = statusOf(session);
  if (state !== 'waiting') return undefined;
  return { reason: 'agent_waits', detail: `its agent waits for a person${detail ? `: ${detail}` : ''}` };
}

// What its agent is known to do, by more than its screen: nothing is typed at a dialog, nor into a running turn.
export function agentHold(
  session: Session,
  { ledger, clock }: { ledger: Ledger; clock: () => number },
  { mode, sender_session }: Pick<MessageRow, 'mode' | 'sender_session'>,
): Hold | undefined {
  const waits = personHold(session);
  if (waits) return waits;
  const { state, source, since } = statusOf(session);
  const isBusy = state === 'busy' && surenessOf({ source }) === 'certain';
  if (isBusy && mode === 'sequential') return { reason: 'agent_busy', detail: 'its turn is running' };
  const acceptedAt = ({ id }: MessageRow): number =>
    ledger.messages.events(id).findLast(({ kind }) => kind === 'accepted')?.at ?? 0;
  const until = (one: MessageRow): number | undefined =>
    isBusy ? undefined : Math.max(acceptedAt(one), since) + QUEUE_MS;
  const earlier = ledger.messages
    .accepted(session.id)
    .find(
      (one) => one.sender_session === sender_session && clock() < (until(one) ?? Number.POSITIVE_INFINITY),
    );
  const detail = `#${earlier?.id} is still in its agent's own queue`;
  return earlier && { reason: 'agent_busy', detail, retryAt: until(earlier) };
}

// What an agent lets go of again and again (a hook of its user's stops it, say) is offered ever more rarely.
export function returnedHold({ messages }: Ledger, { id }: MessageRow, now: number): Hold | undefined {
  const returned = messages.events(id).filter(({ kind }) => kind === 'returned');
  const wait = Math.min(MOST_AGAIN_MS, AGAIN_MS * 2 ** (returned.length - 2));
  const retryAt = (returned.at(-1)?.at ?? 0) + wait;
  if (returned.length < 2 || now >= retryAt) return undefined;
  return { reason: 'agent_returned', detail: `its agent has let go of it ${returned.length} times`, retryAt };
}

export function holdOf(decision: Decision): Hold | undefined {
  if (decision.kind === 'empty') return undefined;
  const { reason, detail, retryAt } = decision;
  return reason === 'dead' ? { reason: 'session_ended', detail } : { reason, detail, retryAt };
}

export async function judgeBox(session: Session, deps: GateDeps): Promise<Hold | Judged> {
  const closed = shutOff(session, deps);
  if (closed) return closed;
  const { tracker } = session;
  if (tracker?.pane.link.state.kind !== 'up') return linkHold(session, deps.registry);
  // A pane can be taken to another tmux session without a word of tmux: then it is looked for there.
  const verdict = await tracker.assess().catch((error: unknown) => {
    tracker.recheck();
    throw error;
  });
  await deps.registry.applyVerdict(session, verdict);
  if (session.row.state !== 'live') {
    return { reason: 'session_ended', detail: session.row.state_reason ?? 'its program has ended' };
  }
  if (verdict.kind === 'covered') {
    return {
      reason: 'other_program',
      detail: `another program has the foreground of its pane: ${verdict.by}`,
    };
  }
  const edited = await ownEditorHold(deps.swapFolder(session.id), tracker.pane);
  return edited ?? starting(session, tracker, deps.clock()) ?? lookAtBox(session, tracker, deps);
}

// What need not be learned, because its profile says so.
export const memoryOf = ({ composer, profile }: Session): ComposerMemory =>
  profile.cursorAtCaret ? { ...composer, cursorTells: true } : composer;

const LINK_DOWN: Hold = {
  reason: 'link_down',
  detail: 'the connection to its tmux server is being made',
};

// No key can be pressed: there is no connection to its tmux server.
export function linkHold({ host }: Session, { deps: { servers } }: Registry): Hold {
  if (host === null) return LINK_DOWN;
  if (servers.hostState(host).kind === 'up') return LINK_DOWN;
  // Why it is not reached changes with every try; that it is not does not.
  return { reason: 'host_down', detail: `host ${host} is not reached; "sm host check ${host}" tells why` };
}

// What needs no look at the pane, and stands in the way of every way in.
export function shutOff(session: Session, { isPaused }: Pick<GateDeps, 'isPaused'>): Hold | undefined {
  if (isPaused()) return { reason: 'paused', detail: 'all delivery is paused; "sm resume" lets it go on' };
  if (session.row.paused) {
    return {
      reason: 'paused',
      detail: `delivery to it is paused; "sm resume ${session.name}" lets it go on`,
    };
  }
  if (session.row.state !== 'gone') return undefined;
  return { reason: 'session_gone', detail: session.row.state_reason ?? 'its pane is gone' };
}

// A program that is still starting would lose what is typed: until it reads its input, the terminal is not its own.
function starting({ composer }: Session, { lastOutputAt, restMs }: Tracker, now: number): Hold | undefined {
  if (composer.proven || composer.startedAt === null) return undefined;
  const silent = composer.look ? now : composer.startedAt + SILENT_START_MS;
  const readyAt =
    lastOutputAt === undefined
      ? silent
      : Math.min(lastOutputAt + restMs, composer.startedAt + RESTLESS_START_MS);
  if (now >= readyAt) return undefined;
  return { reason: 'starting', detail: 'its program is starting', retryAt: readyAt };
}

async function lookAtBox(
  session: Session,
  tracker: Tracker,
  { registry, clock, typingPauseMs }: GateDeps,
): Promise<Hold | Judged> {
  // The first look of a box that is repainted all the time must not be one of half a repaint.
  const restless = clock() - (tracker.lastOutputAt ?? 0) < REST_MS;
  const steady = !session.composer.proven && restless;
  const view = steady ? await steadyView(tracker.pane) : await tracker.pane.view();
  if (!view) {
    const retryAt = clock() + LOOK_INTERVAL_MS;
    return { reason: 'screen_changes', detail: 'its screen changes all the time', retryAt };
  }
  const ownClients = tracker.server.ownClientPids;
  const decision = decide({
    view,
    memory: memoryOf(session),
    now: clock(),
    ownClients,
    ...(typingPauseMs !== undefined && { typingPauseMs }),
  });
  await noteFilled(registry, session, view, ownClients);
  // Remembered at once: a person may come and type before the first message does.
  if (decision.kind === 'empty' && session.composer.look === null)
    await learnEmptyBox(registry, session, tracker, 'rest');
  return { view, tracker, decision };
}
