// One message: who to whom, when, what, and how far it has come; its whole life unfolds on demand.
import { type ReactNode, useState } from 'react';
import { Age, Until } from '../parts/clock.js';
import { hrefOf } from '../shell/route.js';
import type { Mail } from '../state/model.js';
import { isOver } from '../state/next.js';
import { Life } from './life.js';
import { HeldLine, Receipt } from './receipt.js';
import { useText } from './use-text.js';

interface Props {
  mail: Mail;
  // Whose page it stands on: that name need not be said.
  of?: string | undefined;
  actions?: ReactNode;
  showThread?: boolean;
}

export function MessageRow({ mail, of, actions, showThread = true }: Props) {
  const text = useText(mail);
  const [isOpen, setOpen] = useState(false);
  const isAnswer = mail.in_reply_to !== null;
  return (
    <article className="message" data-message={mail.id}>
      <header className="message-head">
        <span className="message-who">
          {mail.from.id === of && of !== undefined ? (
            <>
              to <SessionLink {...mail.to} />
            </>
          ) : (
            <>
              <SenderName {...mail.from} />
              {mail.to.id !== of && (
                <>
                  {' '}
                  <span aria-hidden="true">→</span>
                  <span className="off-screen">to</span> <SessionLink {...mail.to} />
                </>
              )}
            </>
          )}
        </span>
        {mail.mode !== 'sequential' && <span className={`tag ${mail.mode}`}>{mail.mode}</span>}
        {mail.command && <span className="tag">command</span>}
        {isAnswer && <span className="tag">answer</span>}
        <Age since={mail.created_at} />
        <Receipt mail={mail} />
      </header>
      <p className={isOpen ? 'message-text open' : 'message-text'}>{text ?? '…'}</p>
      <footer className="message-foot">
        <HeldLine mail={mail} />
        {mail.expires_at && !isOver(mail.state) && (
          <span className="muted">
            expires <Until at={mail.expires_at} />
          </span>
        )}
        <span className="message-actions">
          {actions}
          {showThread && <a href={hrefOf({ page: 'thread', id: mail.thread })}>Thread</a>}
          <button
            type="button"
            className="link"
            aria-expanded={isOpen}
            onClick={() => setOpen((was) => !was)}
          >
            {isOpen ? 'Less' : 'Details'}
          </button>
        </span>
      </footer>
      {isOpen && <Life mail={mail} />}
    </article>
  );
}

const SenderName = ({ id, name }: { id: string | null; name: string }) =>
  id === null ? (
    <span className="sender">{name === 'user' ? 'you' : name}</span>
  ) : (
    <SessionLink id={id} name={name} />
  );

export const SessionLink = ({ id, name }: { id: string; name: string }) => (
  <a className="sender" href={hrefOf({ page: 'session', id })}>
    {name}
  </a>
);
