// Mail to you from agents: read it, and answer it in place.
import { useState } from 'react';
import { listInbox, readInbox, readInboxItem, sendReply } from '../api/endpoints.js';
import { answerKey } from '../mail/kept-text.js';
import { MessageRow, SessionLink } from '../mail/message-row.js';
import { useSending } from '../mail/use-sending.js';
import { Age } from '../parts/clock.js';
import { Loading } from '../parts/loading.js';
import { Rows } from '../parts/rows.js';
import { useVoice } from '../parts/say.js';
import { useLoad } from '../parts/use-load.js';
import { hrefOf } from '../shell/route.js';
import type { InboxMail } from '../state/model.js';
import { sameItems, usePick, useStore } from '../state/store.js';
import { useInboxText } from './use-inbox-text.js';

export function InboxPage() {
  const store = useStore();
  const { attempt } = useVoice();
  const unread = usePick((state) => state.unread);
  const items = usePick(
    (state) => Object.values(state.inbox).sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
    sameItems,
  );
  const load = useLoad(async () => {
    const { items: newest } = await listInbox({ all: true, limit: 200 });
    store.dispatch({ type: 'inbox', items: newest });
    return newest;
  }, []);
  return (
    <section className="page narrow" aria-labelledby="inbox-head">
      <div className="page-head">
        <h1 id="inbox-head">Inbox</h1>
        {unread > 0 && (
          <button type="button" onClick={() => void attempt(readInbox, 'All is read.')}>
            Mark all as read
          </button>
        )}
      </div>
      {(items.length === 0 || load.problem) && (
        <Loading load={load}>
          {() => items.length === 0 && <p className="empty">No agent has written to you yet.</p>}
        </Loading>
      )}
      <Rows>
        {items.map((item) => (
          <InboxRow key={item.id} item={item} />
        ))}
      </Rows>
    </section>
  );
}

function InboxRow({ item }: { item: InboxMail }) {
  const { attempt } = useVoice();
  const [isAnswering, setAnswering] = useState(false);
  const text = useInboxText(item);
  const isUnread = item.read_at === null;
  return (
    <article className={isUnread ? 'message unread' : 'message'} data-inbox={item.id}>
      <header className="message-head">
        <span className="message-who">
          {item.from.id === null ? item.from.name : <SessionLink id={item.from.id} name={item.from.name} />}
        </span>
        {isUnread && <span className="tag now">new</span>}
        {item.mode !== 'sequential' && <span className={`tag ${item.mode}`}>{item.mode}</span>}
        <Age since={item.created_at} />
      </header>
      <p className="message-text open">{text ?? '…'}</p>
      <footer className="message-foot">
        <span className="message-actions">
          {item.from.id !== null && (
            <button type="button" className="link" onClick={() => setAnswering((was) => !was)}>
              Answer
            </button>
          )}
          <a href={hrefOf({ page: 'thread', id: item.thread })}>Thread</a>
          {isUnread && (
            <button type="button" className="link" onClick={() => void attempt(() => readInboxItem(item.id))}>
              Mark as read
            </button>
          )}
        </span>
      </footer>
      {isAnswering && <Answer item={item} />}
    </article>
  );
}

function Answer({ item }: { item: InboxMail }) {
  const { attempt } = useVoice();
  const { text, setText, state, sent, send } = useSending(answerKey(item.id));
  const mail = usePick(({ messages }) => (sent[0] === undefined ? undefined : messages[sent[0]]));
  const submit = async (): Promise<void> => {
    if (text.trim() === '') return;
    const isSent = await send(text, (key) => sendReply({ to: item.id, text, key }));
    if (isSent && item.read_at === null) await attempt(() => readInboxItem(item.id));
  };
  return (
    <form
      className="letter"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        aria-label={`Answer to ${item.from.name}`}
        rows={2}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: it was opened to write in it
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit();
        }}
      />
      <div className="letter-foot">
        <button type="submit" className="primary" disabled={text.trim() === '' || state.at === 'sending'}>
          {state.at === 'sending' ? 'Sending …' : 'Send'}
        </button>
      </div>
      {state.at === 'failed' && (
        <p className="problem" role="alert">
          {state.problem}
        </p>
      )}
      {mail && <MessageRow mail={mail} showThread={false} />}
    </form>
  );
}
