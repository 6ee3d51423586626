// What a protocol works with: guarded keys that are recorded in tmux as they are pressed, and a place for the draft.
import {
  type BoxProfile,
  type Draft,
  type Envelope,
  type Look,
  pinned,
  type SwapStep,
  type SwapTools,
} from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import { type Guard, type Mark, TmuxError } from '../tmux/index.js';
import type { Fault } from './faults.js';
import { journalName } from './journal.js';

// The last value of our record in tmux; every key needs it and moves it on.
export interface JournalRef {
  value: string;
}

export interface SwapToolsPlan {
  tracker: Tracker;
  profile: BoxProfile;
  envelope: Envelope;
  look: Look | null;
  journal: JournalRef;
  // The hold that keeps the persons' keys; undefined where nobody is there whose keys could be held.
  hold: Mark | undefined;
  // Somebody else has written to the journal.
  onLost: () => void;
  entry: (step: SwapStep) => string;
  fault: Fault;
  save: (draft: Draft) => Promise<void>;
  token: string;
  clock: () => number;
  signal: AbortSignal;
}

export function swapTools(plan: SwapToolsPlan): SwapTools {
  const { pane } = plan.tracker;
  const name = journalName(pane.id);
  let program: string | undefined;
  const view: SwapTools['view'] = async () => {
    const seen = await pane.view();
    if (seen.dead) throw new TmuxError('look', `can't find a program in ${pane.id}: it has ended`);
    program ??= seen.program;
    return seen;
  };
  return {
    pane,
    profile: plan.profile,
    envelope: plan.envelope,
    look: plan.look,
    token: plan.token,
    signal: plan.signal,
    clock: plan.clock,
    save: plan.save,
    view,
    async strokes(strokes, step, seen) {
      if (program === undefined) await view();
      const mark = { name, value: plan.journal.value };
      const guard: Guard = { ...(seen ? pinned(seen, mark) : { program, mark }), hold: plan.hold };
      const next = plan.entry(step);
      plan.fault(`press:${step}`);
      const injection = await pane.strokes(strokes, guard, [`set-environment -g -h ${name} ${next}`]);
      plan.fault(`pressed:${step}`);
      if (injection.outcome === 'injected') plan.journal.value = next;
      else if (injection.reason === 'mark_changed') plan.onLost();
      return injection;
    },
  };
}
