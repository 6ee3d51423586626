// Tries the editing keys of a program without a profile, once: on its empty box, with all keys held, each undone.
import { looksEmpty, runTrial } from '../composer/index.js';
import type { Tracker } from '../sessions/index.js';
import type { KeyHold } from '../tmux/index.js';
import type { Delivery } from './delivery.js';
import { NO_FAULT } from './faults.js';
import { formatEntry, type JournalEntry } from './journal.js';
import { lessonStep } from './learned.js';
import { swapTools } from './swap-tools.js';
import { forgetWays, type Ways } from './ways.js';

// Stands in the journal for a message that there is none of.
export const TRIAL = 'trial';

// More than a trial ever types.
const MOST_KEYS = 600;

export async function tryKeys(delivery: Delivery, tracker: Tracker, ways: Ways): Promise<void> {
  const { deps, session } = delivery;
  const { look, bracketed } = session.composer;
  if (!ways.lesson || !look) return;
  const start = await deps.keeper.hold(tracker, ways.profile);
  if (start.outcome === 'refused') return;
  try {
    const view = await tracker.pane.view();
    if (view.dead || view.inMode || !looksEmpty(view, look)) return;
    await start.hold.extend(TRIAL_MS);
    const outcome = await runTrial({
      ...trialTools(delivery, tracker, ways, start.hold, await delivery.journal(tracker)),
      look,
      bracketed,
    });
    deps.log('tried the editing keys', { session: session.id, outcome });
    if (outcome.kind === 'keys' || outcome.kind === 'unsupported') {
      await deps.registry.deps.store.write([lessonStep(ways.lesson, outcome)]);
      forgetWays(session);
    }
  } finally {
    await deps.keeper.release(start.hold);
  }
}

// About 1.5 s on a program that paints every 250 ms.
const TRIAL_MS = 10_000;

// A daemon died in the middle of one. The keys are still held, so all that is in the box is what the trial typed.
export async function endTrial(
  delivery: Delivery,
  tracker: Tracker,
  { message }: JournalEntry,
): Promise<void> {
  const { look } = delivery.session.composer;
  if (message !== TRIAL || !look) return;
  const { pane } = tracker;
  const empty = async (): Promise<true | undefined> =>
    looksEmpty(await pane.view(), look) ? true : undefined;
  if (await empty()) return;
  for (const key of ['BSpace', 'DC']) await pane.press(Array.from({ length: MOST_KEYS }, () => key));
  await pane.waitUntil(empty, SHOWN_MS);
}

const SHOWN_MS = 3000;

const trialTools = (
  delivery: Delivery,
  tracker: Tracker,
  { profile }: Ways,
  hold: KeyHold,
  journal: { value: string },
) =>
  swapTools({
    tracker,
    profile,
    envelope: { payload: '', mark: '' },
    look: delivery.session.composer.look,
    journal,
    hold: hold.mark,
    onLost: () => delivery.noteJournal(undefined),
    entry: (step) => formatEntry({ lease: delivery.deps.lease, message: TRIAL, attempt: 0, step }),
    fault: NO_FAULT,
    save: async () => {},
    token: TRIAL,
    clock: delivery.deps.clock,
    signal: delivery.signal(),
  });
