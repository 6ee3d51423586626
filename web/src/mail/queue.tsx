// What waits, for one session or for all, in the order in which it will go; each can be cancelled, moved or sent now.
import { cancelMessage, changeMessage, listMessages, moveMessage } from '../api/endpoints.js';
import { Icon } from '../parts/icon.js';
import { LoadingList } from '../parts/loading.js';
import { Rows } from '../parts/rows.js';
import { useVoice } from '../parts/say.js';
import type { Mail } from '../state/model.js';
import { isOver } from '../state/next.js';
import { sameItems, usePick } from '../state/store.js';
import { MessageRow } from './message-row.js';
import { placesOf } from './places.js';
import { useMail } from './use-mail.js';

export function Queue({ session }: { session?: string }) {
  // The order is the daemon's: asked for whenever something has begun or ended to wait.
  const turn = usePick((state) => state.queueTurn);
  const load = useMail(
    () => listMessages({ pending: true, limit: 1000, ...(session && { session }) }),
    [session],
    turn,
  );
  const order = load.data?.filter(({ to }) => !session || to.id === session).map(({ id }) => id) ?? [];
  const mails = usePick(
    (state) => order.flatMap((id) => state.messages[id] ?? []).filter(({ state: at }) => !isOver(at)),
    sameItems,
  );
  return (
    <LoadingList load={load} isEmpty={mails.length === 0} empty="Nothing waits.">
      <Rows>
        {mails.map((mail) => (
          <MessageRow
            key={mail.id}
            mail={mail}
            of={session}
            actions={<QueueActions mail={mail} queue={mails} />}
          />
        ))}
      </Rows>
    </LoadingList>
  );
}

function QueueActions({ mail, queue }: { mail: Mail; queue: readonly Mail[] }) {
  const { attempt } = useVoice();
  const { up, down } = placesOf(mail, queue);
  const move = (before: string | null): void => void attempt(() => moveMessage(mail.id, before));
  return (
    <>
      {up !== undefined && (
        <button type="button" className="link" aria-label="Earlier" title="Earlier" onClick={() => move(up)}>
          <Icon name="up" />
        </button>
      )}
      {down !== undefined && (
        <button type="button" className="link" aria-label="Later" title="Later" onClick={() => move(down)}>
          <Icon name="down" />
        </button>
      )}
      {mail.state === 'pending' && (
        <>
          <button
            type="button"
            className="link"
            title="At once, also past a draft in the box"
            onClick={() =>
              void attempt(
                () => changeMessage(mail.id, { when: 'now', past_draft: 'now' }),
                'It goes as soon as it can.',
              )
            }
          >
            Send now
          </button>
          {mail.mode !== 'urgent' && (
            <button
              type="button"
              className="link"
              title="Interrupts the running turn"
              onClick={() =>
                void attempt(
                  () => changeMessage(mail.id, { mode: 'urgent', when: 'now' }),
                  'It is urgent now.',
                )
              }
            >
              Interrupt
            </button>
          )}
        </>
      )}
      <button
        type="button"
        className="link danger"
        onClick={() => void attempt(() => cancelMessage(mail.id), 'Cancelled.')}
      >
        Cancel
      </button>
    </>
  );
}
