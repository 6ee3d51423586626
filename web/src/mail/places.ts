// Where a message that waits can be moved to: only among those for the same session in the same mode. Pure.
import type { Mail } from '../state/model.js';

export interface Places {
  // The message that it would stand in front of; undefined: it cannot go there.
  up: string | undefined;
  // null: behind all.
  down: string | null | undefined;
}

type Waiting = Pick<Mail, 'id' | 'to' | 'mode' | 'state'>;

export function placesOf(mail: Waiting, queue: readonly Waiting[]): Places {
  if (mail.state !== 'pending') return { up: undefined, down: undefined };
  const like = queue.filter(
    ({ to, mode, state }) => to.id === mail.to.id && mode === mail.mode && state === 'pending',
  );
  const at = like.findIndex(({ id }) => id === mail.id);
  const isLast = at === like.length - 1;
  return { up: like[at - 1]?.id, down: isLast ? undefined : (like[at + 2]?.id ?? null) };
}
