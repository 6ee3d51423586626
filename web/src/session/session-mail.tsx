// What was said to and by one session, newest first.
import { listMessages } from '../api/endpoints.js';
import { MessageRow } from '../mail/message-row.js';
import { useMail } from '../mail/use-mail.js';
import { LoadingList } from '../parts/loading.js';
import { Rows } from '../parts/rows.js';
import { sameItems, usePick } from '../state/store.js';

const MOST = 50;

export function SessionMail({ session }: { session: string }) {
  const load = useMail(() => listMessages({ session, limit: MOST }), [session]);
  const mails = usePick(
    (state) =>
      Object.values(state.messages)
        .filter(({ to, from }) => to.id === session || from.id === session)
        .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
        .slice(0, MOST),
    sameItems,
  );
  return (
    <LoadingList load={load} isEmpty={mails.length === 0} empty="Nothing was said yet.">
      <Rows>
        {mails.map((mail) => (
          <MessageRow key={mail.id} mail={mail} of={session} />
        ))}
      </Rows>
    </LoadingList>
  );
}
