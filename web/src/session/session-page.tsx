// One session: its live terminal, what was said to it, drafts of its box, and what can be done with it.
import { useEffect, useRef, useState } from 'react';
import type { Session } from '../../../src/api/types.js';
import { Drafts } from '../drafts/drafts.js';
import { LetterForm } from '../mail/letter-form.js';
import { Queue } from '../mail/queue.js';
import { Age } from '../parts/clock.js';
import { Icon } from '../parts/icon.js';
import { needOf } from '../sessions/need.js';
import { useAround } from '../sessions/use-around.js';
import { told } from '../sessions/words.js';
import { usePick } from '../state/store.js';
import { SessionFacts } from './session-facts.js';
import { SessionMail } from './session-mail.js';
import { SessionMenu } from './session-menu.js';
import { TerminalPlace } from './terminal-place.js';

const SIDES = { mail: 'Mail', queue: 'Waiting', drafts: 'Drafts', about: 'About' } as const;
type Side = keyof typeof SIDES;

export function SessionPage({ id }: { id: string }) {
  const session = usePick((state) => state.sessions[id] ?? named(state.sessions, id));
  const isLoaded = usePick((state) => state.isLoaded);
  if (!session)
    return (
      <section className="page narrow">
        <h1>{isLoaded ? 'No such session' : 'Loading …'}</h1>
        {isLoaded && (
          <p>
            It has ended and was removed, or never was. <a href="#/">All sessions</a>
          </p>
        )}
      </section>
    );
  return <SessionView key={session.id} session={session} />;
}

const named = (sessions: Readonly<Record<string, Session>>, name: string): Session | undefined =>
  Object.values(sessions).find((session) => session.name === name);

function SessionView({ session }: { session: Session }) {
  const [side, setSide] = useState<Side>('mail');
  const field = useRef<HTMLTextAreaElement>(null);
  const need = needOf(session, useAround());
  const { word, message, since } = told(session);
  const hasPane = session.state !== 'gone';
  useEffect(() => {
    const reply = (): void => field.current?.focus();
    window.addEventListener('sm-reply', reply);
    return () => window.removeEventListener('sm-reply', reply);
  }, []);
  return (
    <section className={`session ${need}`} aria-labelledby="session-head">
      <header className="session-head">
        <a className="back" href="#/" aria-label="All sessions">
          <Icon name="back" />
        </a>
        <div className="session-title">
          <h1 id="session-head">{session.name}</h1>
          <span className="card-where">
            {session.agent}
            {session.host && ` · ${session.host}`}
            <span className="path"> · {session.cwd}</span>
          </span>
        </div>
        <p className="card-state">
          {/* Its age is none of it, or it would be read out anew each time that moves. */}
          <span role="status">
            <b className="state-word">{word}</b>
            {message && <span className="card-message">{message}</span>}
          </span>{' '}
          <Age since={since} />
        </p>
        <SessionMenu session={session} need={need} />
      </header>
      <div className="session-body">
        <div className="session-main">
          {hasPane ? (
            <TerminalPlace session={session.id} name={session.name} />
          ) : (
            <p className="empty">Its pane has gone{session.state_reason && `: ${session.state_reason}`}.</p>
          )}
          <div data-after-terminal tabIndex={-1} />
          <LetterForm
            to={[session.id]}
            place={session.id}
            field={field}
            placeholder={`Message to ${session.name}`}
            showSent={false}
          />
        </div>
        <aside className="session-side" aria-label="Mail and more">
          <div className="tabs" role="tablist" aria-label="Mail and more">
            {(Object.keys(SIDES) as Side[]).map((each) => (
              <button
                key={each}
                type="button"
                role="tab"
                aria-selected={side === each}
                onClick={() => setSide(each)}
              >
                {SIDES[each]}
                {each === 'queue' && session.pending > 0 && <span className="count">{session.pending}</span>}
              </button>
            ))}
          </div>
          <div role="tabpanel" aria-label={SIDES[side]}>
            {side === 'mail' && <SessionMail session={session.id} />}
            {side === 'queue' && <Queue session={session.id} />}
            {side === 'drafts' && <Drafts session={session.id} />}
            {side === 'about' && <SessionFacts session={session} />}
          </div>
        </aside>
      </div>
    </section>
  );
}
