// One session at a glance: who, how it goes and since when, what waits for it and why, and its screen.
import { memo } from 'react';
import type { Session } from '../../../src/api/types.js';
import { useMemory } from '../attention/memory-context.js';
import { Age } from '../parts/clock.js';
import { useActions } from '../shell/actions.js';
import { hrefOf } from '../shell/route.js';
import { usePick } from '../state/store.js';
import { Miniature } from './miniature.js';
import type { Need } from './need.js';
import { heldWords, told } from './words.js';

interface Props {
  id: string;
  need: Need;
  view: 'cards' | 'rows';
}

export const SessionCard = memo(function SessionCard({ id, need, view }: Props) {
  const session = usePick((state) => state.sessions[id]);
  if (!session) return null;
  return <Card session={session} need={need} view={view} />;
});

function Card({ session, need, view }: { session: Session; need: Need; view: 'cards' | 'rows' }) {
  const { compose } = useActions();
  const live = useMemory();
  const isMuted = live.memory.isMuted(session.id);
  const { word, message, since, isInferred } = told(session);
  const isCalling = need === 'now' || need === 'soon';
  const why = session.held === null ? '' : `: ${heldWords(session.held)}`;
  const mail = session.pending > 0 ? `${session.pending} waiting${why}` : undefined;
  return (
    <article className={`card ${need}`} data-session={session.id}>
      <header className="card-head">
        <h3>
          <a
            className="card-link"
            data-session-link={session.id}
            href={hrefOf({ page: 'session', id: session.id })}
          >
            {session.name}
          </a>
        </h3>
        <span className="card-where">
          {session.agent}
          {session.host && ` · ${session.host}`}
          {session.paused && ' · paused'}
          {isMuted && ' · muted'}
        </span>
      </header>
      <p className="card-state">
        <b className="state-word">{word}</b>
        {isInferred && <span className="muted"> (guessed)</span>} <Age since={since} />
        {message && <span className="card-message">{message}</span>}
      </p>
      {view === 'cards' && <Miniature session={session.id} name={session.name} />}
      <footer className="card-foot">
        <span className={session.held ? 'card-mail held' : 'card-mail'} title={mail}>
          {mail}
        </span>
        <span className="card-actions">
          {isCalling && session.signal_seq > 0 && (
            <button
              type="button"
              className="quiet"
              onClick={({ currentTarget }) => {
                // The button goes; whoever came by keys stays with the card.
                currentTarget.closest('.card')?.querySelector<HTMLElement>('.card-link')?.focus();
                live.markSeen(session.id, session.signal_seq);
              }}
              aria-label={`Mark what ${session.name} reported as seen`}
            >
              Seen
            </button>
          )}
          <button
            type="button"
            className="quiet"
            onClick={() => compose([session.id])}
            aria-label={`Reply to ${session.name}`}
          >
            Reply
          </button>
        </span>
      </footer>
    </article>
  );
}
