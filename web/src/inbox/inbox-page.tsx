// Mail to you from agents: read it, and answer it in place.
import { useEffect, useRef, useState } from 'react';
import { listInbox, readInbox, readInboxItem, sendReply } from '../api/endpoints.js';
import { MessageRow, SessionLink } from '../mail/message-row.js';
import { Age } from '../parts/clock.js';
import { randomKey } from '../parts/random-key.js';
import { useVoice } from '../parts/say.js';
import { useLoad } from '../parts/use-load.js';
import { hrefOf } from '../shell/route.js';
import type { InboxMail } from '../state/model.js';
import { sameItems, usePick, useStore } from '../state/store.js';

export function InboxPage() {
  const store = useStore();
  const { attempt } = useVoice();
  const unread = usePick((state) => state.unread);
  const items = usePick(
    (state) => Object.values(state.inbox).sort((a, b) => (a.created_at < b.created_at ? 1 : -1)),
    sameItems,
  );
  // What the feed has told of without its text.
  const missing = items.filter(({ text }) => text === null).length;
  const load = useLoad(() => listInbox({ all: true, limit: 200 }), [missing > 0]);
  useEffect(() => {
    if (load.data) store.dispatch({ type: 'inbox', items: load.data.items });
  }, [store, load.data]);
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
      {items.length === 0 && <p className="empty">No agent has written to you yet.</p>}
      <div className="messages">
        {items.map((item) => (
          <InboxRow key={item.id} item={item} />
        ))}
      </div>
    </section>
  );
}

function InboxRow({ item }: { item: InboxMail }) {
  const { attempt } = useVoice();
  const [isAnswering, setAnswering] = useState(false);
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
      <p className="message-text open">{item.text ?? '…'}</p>
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
  const store = useStore();
  const { attempt } = useVoice();
  const [text, setText] = useState('');
  const [sent, setSent] = useState<string>();
  const key = useRef(randomKey());
  const mail = usePick((state) => (sent ? state.messages[sent] : undefined));
  const send = (): Promise<boolean> =>
    attempt(async () => {
      const { messages } = await sendReply({ to: item.id, text, key: key.current });
      store.dispatch({ type: 'messages', messages });
      key.current = randomKey();
      setSent(messages[0]?.id);
      setText('');
      if (item.read_at === null) await readInboxItem(item.id);
    });
  return (
    <form
      className="letter"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
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
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send();
        }}
      />
      <div className="letter-foot">
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          Send
        </button>
      </div>
      {mail && <MessageRow mail={mail} showThread={false} />}
    </form>
  );
}
