// Tries the editing keys of a program without a profile, once: on its empty box, with all keys held, each undone.
import { type ComposerMemory, isTouched, type Look, looksEmpty, runTrial } from '../composer/index.js';
import type { Session, Tracker } from '../sessions/index.js';
import type { KeyHold } from '../tmux/index.js';
import type { Delivery } from './delivery.js';
import { NO_FAULT } from './faults.js';
import { formatEntry } from './journal.js';
import { whileKeysWait } from './keys-wait.js';
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
  const { lesson } = ways;
  if (!lesson || !look) return;
  const start = await deps.keeper.hold(tracker, ways.profile);
  if (start.outcome === 'refused') return;
  await whileKeysWait(delivery, start.hold, isTrying(delivery), async () => {
    const view = await tracker.pane.view();
    if (view.dead || view.inMode || !looksEmpty(view, look)) return;
    await start.hold.extend(TRIAL_MS);
    await remember(delivery, { trying: true });
    const outcome = await runTrial({
      ...trialTools(delivery, tracker, ways, start.hold, await delivery.journal(tracker)),
      look,
      bracketed,
    });
    if (outcome.kind !== 'left_behind') await remember(delivery, { trying: undefined });
    deps.log('tried the editing keys', { session: session.id, outcome });
    if (outcome.kind === 'keys' || outcome.kind === 'unsupported') {
      await deps.registry.deps.store.write([lessonStep(lesson, outcome)]);
      forgetWays(session);
    }
  });
}

// What it typed may be in the box.
const isTrying =
  ({ session }: Delivery) =>
  (): boolean =>
    session.composer.trying === true;

// About 1.5 s on a program that paints every 250 ms.
const TRIAL_MS = 10_000;

// One was cut off, or what it typed could not be taken out. False where that is still to be done. The keys of `left` go.
export async function endTrial(
  delivery: Delivery,
  tracker: Tracker,
  left: KeyHold | undefined,
): Promise<boolean> {
  const { session, deps } = delivery;
  const { look, trying } = session.composer;
  const { profile } = await delivery.ways();
  const start = left || !trying ? undefined : await deps.keeper.hold(tracker, profile);
  if (start?.outcome === 'refused') return false;
  return whileKeysWait(delivery, left ?? start?.hold, isTrying(delivery), async () => {
    const isDone = !trying || !look || (await emptied(tracker, session, look));
    if (trying && isDone) await remember(delivery, { trying: undefined });
    return isDone;
  });
}

// Where nobody has typed since, all that is in the box is what the trial typed; else it is the person's to sort out.
async function emptied({ pane, server }: Tracker, { composer }: Session, look: Look): Promise<boolean> {
  const view = await pane.view();
  if (looksEmpty(view, look) || view.dead || isTouched(view, composer, server.ownClientPids)) return true;
  if (view.inMode) return false;
  for (const key of ['BSpace', 'DC']) await pane.press(Array.from({ length: MOST_KEYS }, () => key));
  const isEmpty = async (): Promise<true | undefined> =>
    looksEmpty(await pane.view(), look) ? true : undefined;
  return (await pane.waitUntil(isEmpty, SHOWN_MS)).outcome === 'seen';
}

const remember = (
  { deps: { registry }, session }: Delivery,
  change: Pick<ComposerMemory, 'trying'>,
): Promise<unknown> =>
  registry.deps.store.write([registry.composerStep(session, { ...session.composer, ...change })]);

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
