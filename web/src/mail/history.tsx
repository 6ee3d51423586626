// What was said to whom, newest first, with a search; and the dead letters among it.
import { useState } from 'react';
import { listMessages, redeliverMessage } from '../api/endpoints.js';
import { LoadingList } from '../parts/loading.js';
import { Rows } from '../parts/rows.js';
import { useVoice } from '../parts/say.js';
import { useSettled } from '../parts/use-settled.js';
import { sameItems, usePick } from '../state/store.js';
import { MessageRow } from './message-row.js';
import { useMail } from './use-mail.js';

const PAGE = 100;

export function History() {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const wanted = useSettled(search.trim());
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
      <LoadingList
        load={load}
        isEmpty={mails.length === 0}
        empty={wanted ? 'Nothing was said with these words.' : 'Nothing was said yet.'}
      >
        <Rows>
          {mails.map((mail) => (
            <MessageRow key={mail.id} mail={mail} />
          ))}
        </Rows>
      </LoadingList>
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
  const load = useMail(() => listMessages({ dead: true, limit: 500 }), []);
  const mails = usePick(
    (state) =>
      Object.values(state.messages)
        .filter(({ state: at }) => at === 'dead')
        .sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
    sameItems,
  );
  return (
    <LoadingList load={load} isEmpty={mails.length === 0} empty="No dead letters: nothing was given up.">
      <Rows>
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
      </Rows>
    </LoadingList>
  );
}
