// Into a box that is empty: one attempt, and what follows from how it ended.
import { baseline, type ComposerMemory, type DirectInput, takeLook } from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import type { MessageRow } from '../store/index.js';
import type { KeyHold, PaneView } from '../tmux/index.js';
import { Attempt } from './attempt.js';
import type { AttemptOutcome } from './attempt-context.js';
import type { Delivery, Next } from './delivery.js';
import type { Typed } from './envelope.js';
import { refused } from './failing.js';
import { LOOK_INTERVAL_MS } from './gate.js';
import { settleUnseen } from './unseen.js';

// Into a box that is empty. With the keys held nobody can come in between.
export async function direct(
  delivery: Delivery,
  message: MessageRow,
  envelope: Typed,
  tracker: Tracker,
  view: PaneView,
  hold: KeyHold | undefined,
): Promise<Next> {
  // As it is now: whoever puts a draft back meanwhile changes what is remembered, not what this attempt saw.
  const composer = relearn(delivery.session.composer, view, tracker, delivery.deps.clock());
  const begun = await delivery.begin(message, 'direct', tracker, composer, envelope);
  const input = delivery.input(tracker, hold);
  const ref = await delivery.journal(tracker);
  const attempt = new Attempt(await delivery.context(begun, input, envelope, tracker, composer), ref.value);
  const giveUp = hold && freeLater(delivery, input, hold);
  const outcome = await attempt.begin(view).finally(() => clearInterval(giveUp));
  return finish(delivery, begun, attempt, outcome, hold);
}

// A program that does not show our text keeps nobody's keys: they come behind it, and Enter is not pressed then.
export function freeLater(delivery: Delivery, input: DirectInput, hold: KeyHold): NodeJS.Timeout {
  const { keeper, config } = delivery.deps;
  const timer = setInterval(() => {
    // What it shows is not known while nobody is connected.
    if (hold.pane.link.state.kind !== 'up') return;
    clearInterval(timer);
    input.hold = undefined;
    void keeper.release(hold);
  }, config.holdMaxMs);
  return timer;
}

export async function finish(
  delivery: Delivery,
  message: MessageRow,
  attempt: Attempt,
  outcome: AttemptOutcome,
  hold: KeyHold | undefined,
): Promise<Next> {
  const { ledger, clock } = delivery.deps;
  const { session } = delivery;
  const { tracker } = session;
  delivery.noteJournal(attempt.journal);
  const current = delivery.fresh(message);
  if (current.state !== 'attempting') return 'next';
  switch (outcome.kind) {
    case 'submitted': {
      const own = tracker?.server.ownClientPids ?? new Set<number>();
      const composer: ComposerMemory = {
        ...session.composer,
        startedAt: null,
        activityAt: baseline(outcome.view, own, clock()),
        proven: outcome.evidence !== 'text_left_box',
        enterGapMs: outcome.enterGapMs,
        // One whose cursor was seen to stand elsewhere is not trusted again.
        cursorTells:
          session.composer.cursorTells !== false && (outcome.cursorTells ?? session.composer.cursorTells),
      };
      const heldMs = hold && (await delivery.deps.keeper.release(hold));
      await delivery.submitted(current, { evidence: outcome.evidence, heldMs }, composer);
      return 'next';
    }
    case 'refused': {
      await ledger.record(current, refused(current, outcome.reason, clock()));
      if (outcome.reason === 'mark_changed') delivery.noteJournal(undefined);
      return delivery.hold(delivery.fresh(current), {
        reason: 'screen_changes',
        detail: `the pane changed at that moment (${outcome.reason})`,
        retryAt: clock() + LOOK_INTERVAL_MS,
      });
    }
    case 'uncertain':
      return settleUnseen(delivery, current, outcome.reason);
    case 'lost':
      return session.row.state === 'live' ? { retryAt: clock() + LOOK_INTERVAL_MS } : 'next';
  }
}

// How the box is remembered when an attempt begins: a proven look stays, another one is what is seen now.
const relearn = (
  composer: ComposerMemory,
  view: PaneView,
  tracker: Tracker,
  now: number,
): ComposerMemory => ({
  ...composer,
  activityAt: baseline(view, tracker.server.ownClientPids, now),
  bracketed: tracker.bracketed ?? composer.bracketed,
  tried: true,
  look: composer.proven && composer.look ? composer.look : takeLook(view),
});
