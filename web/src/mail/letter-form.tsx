// Writing a message: the text, and how it is to go. What was sent is shown below with its receipt as it climbs.
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import type { InboxItem } from '../../../src/api/types.js';
import { sendMessage } from '../api/endpoints.js';
import { sameItems, usePick } from '../state/store.js';
import { letterKey, NEW_LETTER } from './kept-text.js';
import { BLANK, type Letter, makeRequest } from './letter.js';
import { LetterOptions } from './letter-options.js';
import { MessageRow } from './message-row.js';
import { useSending } from './use-sending.js';

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

export function LetterForm({
  to,
  place,
  children,
  placeholder,
  isFocused = false,
  field,
  showSent = true,
}: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const area = field ?? own;
  const { text, setText, state, sent, send } = useSending(place === 'new' ? NEW_LETTER : letterKey(place));
  const [options, setOptions] = useState<Omit<Letter, 'text'>>(BLANK);
  const letter: Letter = { ...options, text };
  const [inbox, setInbox] = useState<readonly InboxItem[]>([]);
  const change = (part: Partial<Letter>): void => setOptions((before) => ({ ...before, ...part }));

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    const isSent = await send([letter, to], async (key) => {
      const made = makeRequest(letter, to, key);
      if (!made.ok) throw new Error(made.problem);
      const answer = await sendMessage(made.request);
      setInbox(answer.inbox);
      return answer;
    });
    // They were for this one; those chosen meanwhile are for the next.
    if (isSent) setOptions((now) => (now === options ? BLANK : now));
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
        <button type="submit" className="primary" disabled={state.at === 'sending'}>
          {state.at === 'sending' ? 'Sending …' : to.length > 1 ? `Send to ${to.length}` : 'Send'}
        </button>
      </div>
      {state.at === 'failed' && (
        <p className="problem" role="alert">
          {state.problem}
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
