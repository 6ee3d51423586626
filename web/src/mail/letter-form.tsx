// Writing a message: the text, and how it is to go. What was sent is shown below with its receipt as it climbs.
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import type { InboxItem } from '../../../src/api/types.js';
import { sendMessage } from '../api/endpoints.js';
import { sentence } from '../api/request.js';
import { useMemory } from '../attention/memory-context.js';
import { randomKey } from '../parts/random-key.js';
import { sameItems, usePick, useStore } from '../state/store.js';
import { useKeptText } from './kept-text.js';
import { BLANK, type Letter, makeRequest } from './letter.js';
import { LetterOptions } from './letter-options.js';
import { MessageRow } from './message-row.js';

interface Props {
  to: readonly string[];
  // Above the text, such as the choice of recipients.
  children?: ReactNode;
  placeholder: string;
  // Under which what is not sent is kept: the session that it is for, or "new".
  place: string;
  // It takes the focus of the dialog that it stands in.
  isFocused?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
  showSent?: boolean;
}

type Sending = { at: 'writing' } | { at: 'sending' } | { at: 'failed'; problem: string };

export function LetterForm({
  to,
  place,
  children,
  placeholder,
  isFocused = false,
  field,
  showSent = true,
}: Props) {
  const store = useStore();
  const live = useMemory();
  const own = useRef<HTMLTextAreaElement>(null);
  const area = field ?? own;
  const [text, setText] = useKeptText(place);
  const [options, setOptions] = useState<Omit<Letter, 'text'>>(BLANK);
  const letter: Letter = { ...options, text };
  const [sending, setSending] = useState<Sending>({ at: 'writing' });
  const [sent, setSent] = useState<readonly string[]>([]);
  const [inbox, setInbox] = useState<readonly InboxItem[]>([]);
  // The same letter tried again, after a broken connection, is one message; a changed one is another.
  const tried = useRef<{ letter: string; key: string }>(undefined);
  const keyFor = (written: string): string => {
    if (tried.current?.letter !== written) tried.current = { letter: written, key: randomKey() };
    return tried.current.key;
  };
  const change = (part: Partial<Letter>): void => setOptions((before) => ({ ...before, ...part }));

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (sending.at === 'sending') return;
    const made = makeRequest(letter, to, keyFor(JSON.stringify([letter, to])));
    if (!made.ok) return setSending({ at: 'failed', problem: made.problem });
    setSending({ at: 'sending' });
    try {
      const { messages, inbox: items } = await sendMessage(made.request);
      store.dispatch({ type: 'messages', messages });
      // Who is answered needs no answer any more.
      for (const { to: session } of messages) {
        const seq = store.state.sessions[session.id]?.signal_seq;
        if (seq) live.markSeen(session.id, seq);
      }
      setSent(messages.map(({ id }) => id));
      setInbox(items);
      setText('');
      tried.current = undefined;
      setSending({ at: 'writing' });
    } catch (error) {
      setSending({ at: 'failed', problem: sentence(error) });
    }
  };

  return (
    <form className="letter" onSubmit={(event) => void submit(event)}>
      {children}
      <textarea
        ref={area}
        aria-label="Message"
        data-first={isFocused || undefined}
        rows={2}
        value={letter.text}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit();
        }}
      />
      <div className="letter-row">
        <LetterOptions letter={letter} onChange={change} />
        <span className="muted hint" aria-hidden="true">
          Ctrl Enter sends
        </span>
        <button type="submit" className="primary" disabled={sending.at === 'sending'}>
          {sending.at === 'sending' ? 'Sending …' : to.length > 1 ? `Send to ${to.length}` : 'Send'}
        </button>
      </div>
      {sending.at === 'failed' && (
        <p className="problem" role="alert">
          {sending.problem}
        </p>
      )}
      {showSent && (sent.length > 0 || inbox.length > 0) && (
        <section className="sent" aria-label="What was just sent" aria-live="polite">
          <Sent ids={sent} />
          {inbox.map(({ id }) => (
            <p key={id} className="muted">
              It is in your inbox.
            </p>
          ))}
        </section>
      )}
    </form>
  );
}

function Sent({ ids }: { ids: readonly string[] }) {
  const mails = usePick((state) => ids.flatMap((id) => state.messages[id] ?? []), sameItems);
  return mails.map((mail) => <MessageRow key={mail.id} mail={mail} showThread={false} />);
}
