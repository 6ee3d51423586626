// What waits, for one session or for all, in the order in which it will go; each can be cancelled, moved or sent now.
import { useEffect } from 'react';
import { cancelMessage, listMessages } from '../api/endpoints.js';
import { useVoice } from '../parts/say.js';
import { useLoad } from '../parts/use-load.js';
import type { Mail } from '../state/model.js';
import { isOver } from '../state/next.js';
import { sameItems, usePick, useStore } from '../state/store.js';
import { MessageRow } from './message-row.js';

// The order is the daemon's: asked for whenever something has begun or ended to wait.
export function useQueue(session?: string): readonly Mail[] {
  const store = useStore();
  const turn = usePick((state) => state.queueTurn);
  const load = useLoad(
    () => listMessages({ pending: true, limit: 1000, ...(session && { session }) }),
    [session, turn],
  );
  useEffect(() => {
    if (load.data) store.dispatch({ type: 'messages', messages: load.data });
  }, [store, load.data]);
  const order = load.data?.filter(({ to }) => !session || to.id === session).map(({ id }) => id) ?? [];
  return usePick(
    (state) => order.flatMap((id) => state.messages[id] ?? []).filter(({ state: at }) => !isOver(at)),
    sameItems,
  );
}

export function Queue({ session }: { session?: string }) {
  const mails = useQueue(session);
  if (mails.length === 0) return <p className="empty">Nothing waits.</p>;
  return (
    <div className="messages">
      {mails.map((mail, at) => (
        <MessageRow
          key={mail.id}
          mail={mail}
          of={session}
          actions={<QueueActions mail={mail} ahead={mails.slice(0, at)} behind={mails.slice(at + 1)} />}
        />
      ))}
    </div>
  );
}

interface ActionsProps {
  mail: Mail;
  ahead: readonly Mail[];
  behind: readonly Mail[];
}

function QueueActions({ mail }: ActionsProps) {
  const { attempt } = useVoice();
  return (
    <button
      type="button"
      className="link danger"
      onClick={() => void attempt(() => cancelMessage(mail.id), 'Cancelled.')}
    >
      Cancel
    </button>
  );
}
