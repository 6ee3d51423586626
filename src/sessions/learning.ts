// Learning how a session's empty input box looks, at moments when nobody can have typed into it.
import { baseline, isOnlyAttached, isTouched, looksEmpty, mayBeEmpty, takeLook } from '../composer/index.js';
import type { PaneView } from '../tmux/index.js';
import type { Registry } from './registry.js';
import type { Session } from './session.js';
import type { Tracker } from './tracker.js';

// rest: the pane has come to rest; adopted: a pane was taken over; unseen: one that no client was ever attached to;
// said: a person says that its box is empty now.
export type Occasion = 'rest' | 'adopted' | 'unseen' | 'said';

export async function learnEmptyBox(
  registry: Registry,
  session: Session,
  tracker: Tracker,
  occasion: Occasion,
): Promise<void> {
  const { composer } = session;
  // Once mail is under way the box may hold our own text.
  const isOurs = (): boolean => occasion === 'rest' && (composer.tried || session.row.state !== 'live');
  if (tracker.pane.link.state.kind !== 'up' || (isOurs() && composer.cursorTells !== undefined)) return;
  const view = await tracker.pane.view();
  const own = tracker.server.ownClientPids;
  if (occasion === 'rest') await noteFilled(registry, session, view, own);
  if (isOurs() || view.dead || view.inMode) return;
  if (!mayLearn(view, session, own, occasion)) return;
  const bracketed = tracker.bracketed ?? composer.bracketed;
  const known = {
    ...session.composer,
    look: takeLook(view),
    proven: false,
    tried: false,
    bracketed,
    activityAt: baseline(view, own, registry.deps.clock()),
    startedAt: occasion === 'rest' ? composer.startedAt : null,
    ...(occasion === 'said' && { cursorTells: undefined }),
  };
  if (JSON.stringify(known) === JSON.stringify(composer)) return;
  await registry.deps.store.write([registry.composerStep(session, known)]);
}

// A person's typing was seen at the cursor: from now on an empty look means an empty box.
export async function noteFilled(
  registry: Registry,
  session: Session,
  view: PaneView,
  own: ReadonlySet<number>,
): Promise<void> {
  const { composer } = session;
  if (composer.cursorTells !== undefined || composer.look === null || view.dead || view.inMode) return;
  if (!isTouched(view, composer, own) || looksEmpty(view, composer.look)) return;
  await registry.deps.store.write([registry.composerStep(session, { ...composer, cursorTells: true })]);
}

function mayLearn(
  view: PaneView,
  { composer, row }: Session,
  own: ReadonlySet<number>,
  occasion: Occasion,
): boolean {
  if (occasion === 'said' || occasion === 'unseen' || !isTouched(view, composer, own)) return true;
  // Somebody has just attached, or started the program there, or works with it: their last key may have been that, or a draft.
  const startedByPerson = row.origin === 'adopted' && composer.look === null;
  return (occasion === 'adopted' || startedByPerson || isOnlyAttached(view, own)) && mayBeEmpty(view);
}
