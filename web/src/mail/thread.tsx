// A conversation: messages between sessions and with you, in the order in which they were said.
import { useMemo } from 'react';
import { listInbox, listMessages } from '../api/endpoints.js';
import { useInboxText } from '../inbox/use-inbox-text.js';
import { Age } from '../parts/clock.js';
import { Loading } from '../parts/loading.js';
import { useLoad } from '../parts/use-load.js';
import type { InboxMail, Mail } from '../state/model.js';
import { sameItems, usePick, useStore } from '../state/store.js';
import { MessageRow, SessionLink } from './message-row.js';

type Said = { kind: 'message'; mail: Mail } | { kind: 'inbox'; item: InboxMail };
const atOf = (said: Said): string => (said.kind === 'message' ? said.mail.created_at : said.item.created_at);

export function Thread({ id }: { id: string }) {
  const store = useStore();
  const mails = usePick(
    (state) => Object.values(state.messages).filter(({ thread, id: own }) => thread === id || own === id),
    sameItems,
  );
  const items = usePick(
    (state) => Object.values(state.inbox).filter(({ thread }) => thread === id),
    sameItems,
  );
  const load = useLoad(
    async () => {
      const keep = store.asking();
      const [messages, inbox] = await Promise.all([
        listMessages({ thread: id, limit: 1000 }),
        listInbox({ thread: id, all: true, limit: 1000 }),
      ]);
      keep(messages);
      store.dispatch({ type: 'inbox', items: inbox.items });
      return messages;
    },
    [id],
    items.length,
  );
  const said = useMemo(
    () =>
      [
        ...mails.map((mail): Said => ({ kind: 'message', mail })),
        ...items.map((item): Said => ({ kind: 'inbox', item })),
      ].sort((a, b) => (atOf(a) < atOf(b) ? -1 : 1)),
    [mails, items],
  );
  return (
    <section className="page narrow" aria-labelledby="thread-head">
      <h1 id="thread-head">Conversation</h1>
      <Loading load={load}>
        {() => (
          <div className="messages thread">
            {said.map((each) =>
              each.kind === 'message' ? (
                <MessageRow key={each.mail.id} mail={each.mail} showThread={false} />
              ) : (
                <InboxEntry key={each.item.id} item={each.item} />
              ),
            )}
          </div>
        )}
      </Loading>
    </section>
  );
}

export function InboxEntry({ item }: { item: InboxMail }) {
  const text = useInboxText(item);
  return (
    <article className="message to-you">
      <header className="message-head">
        <span className="message-who">
          {item.from.id === null ? item.from.name : <SessionLink id={item.from.id} name={item.from.name} />} →
          you
        </span>
        <Age since={item.created_at} />
      </header>
      <p className="message-text open">{text ?? '…'}</p>
    </article>
  );
}
