// What was said to whom, newest first, with a search; and the dead letters among it.
import { useDeferredValue, useState } from 'react';
import { listMessages, redeliverMessage } from '../api/endpoints.js';
import { useVoice } from '../parts/say.js';
import { sameItems, usePick } from '../state/store.js';
import { MessageRow } from './message-row.js';
import { useMail } from './use-mail.js';

const PAGE = 100;

export function History() {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const wanted = useDeferredValue(search.trim());
  const load = useMail(() => listMessages({ limit, ...(wanted && { q: wanted }) }), [wanted, limit]);
  const found = new Set(load.data?.map(({ id }) => id));
  const oldest = load.data?.[0]?.created_at ?? '';
  const mails = usePick(
    (state) =>
      Object.values(state.messages)
        .filter((mail) => found.has(mail.id) || (wanted === '' && mail.created_at >= oldest))
        .sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
    sameItems,
  );
  return (
    <>
      <label className="search-line">
        <span className="off-screen">Search in what was said</span>
        <input
          type="search"
          data-search
          value={search}
          placeholder="Search in what was said, and to whom"
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      {load.problem && <p className="problem">{load.problem}</p>}
      <div className="messages" aria-busy={load.isLoading}>
        {mails.map((mail) => (
          <MessageRow key={mail.id} mail={mail} />
        ))}
      </div>
      {mails.length === 0 && !load.isLoading && (
        <p className="empty">{wanted ? 'Nothing was said with these words.' : 'Nothing was said yet.'}</p>
      )}
      {(load.data?.length ?? 0) >= limit && (
        <button type="button" onClick={() => setLimit(limit + 4 * PAGE)}>
          Show older ones
        </button>
      )}
    </>
  );
}

export function DeadLetters() {
  const { attempt } = useVoice();
  useMail(() => listMessages({ dead: true, limit: 500 }), []);
  const mails = usePick(
    (state) =>
      Object.values(state.messages)
        .filter(({ state: at }) => at === 'dead')
        .sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
    sameItems,
  );
  if (mails.length === 0) return <p className="empty">No dead letters: nothing was given up.</p>;
  return (
    <div className="messages">
      {mails.map((mail) => (
        <MessageRow
          key={mail.id}
          mail={mail}
          actions={
            <button
              type="button"
              className="link"
              onClick={() => void attempt(() => redeliverMessage(mail.id), 'It waits again.')}
            >
              Deliver again
            </button>
          }
        />
      ))}
    </div>
  );
}
