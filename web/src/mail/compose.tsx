// A message to one or several sessions.
import { useState } from 'react';
import type { Session } from '../../../src/api/types.js';
import { Dialog } from '../parts/dialog.js';
import { matches } from '../sessions/filter.js';
import { sameItems, usePick } from '../state/store.js';
import { LetterForm } from './letter-form.js';

const byName = (a: Session, b: Session): number => a.name.localeCompare(b.name);

export function Compose({ first, onClose }: { first: readonly string[]; onClose: () => void }) {
  const [to, setTo] = useState<readonly string[]>(first);
  const names = usePick((state) => to.map((id) => state.sessions[id]?.name ?? id), sameItems);
  return (
    <Dialog
      title={first.length === 1 ? `Reply to ${names[0] ?? ''}` : 'New message'}
      onClose={onClose}
      isWide
    >
      <LetterForm
        to={to}
        place={first.length === 1 ? (first[0] ?? 'new') : 'new'}
        placeholder="What should they know or do?"
        isFocused={first.length > 0}
      >
        <Recipients to={to} onChange={setTo} />
      </LetterForm>
    </Dialog>
  );
}

function Recipients({ to, onChange }: { to: readonly string[]; onChange: (to: readonly string[]) => void }) {
  const [search, setSearch] = useState('');
  const sessions = usePick(
    (state) =>
      Object.values(state.sessions)
        .filter(({ state: life }) => life !== 'gone')
        .sort(byName),
    sameItems,
  );
  const chosen = sessions.filter(({ id }) => to.includes(id));
  const others = sessions.filter((session) => !to.includes(session.id) && matches(session, search));
  const add = (id: string): void => {
    onChange([...to, id]);
    setSearch('');
  };
  return (
    <fieldset className="recipients">
      <legend>To</legend>
      <div className="chips">
        {chosen.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="chip on"
            aria-label={`${name}: take it out`}
            onClick={() => onChange(to.filter((each) => each !== id))}
          >
            {name} <span aria-hidden="true">✕</span>
          </button>
        ))}
        <input
          aria-label="Find a session to send to"
          placeholder={chosen.length > 0 ? 'and …' : 'name of a session'}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            const [match] = others;
            if (event.key !== 'Enter' || !match) return;
            event.preventDefault();
            add(match.id);
          }}
        />
      </div>
      <div className="chips offered">
        {others.slice(0, 12).map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="chip"
            aria-label={`send to ${name}`}
            onClick={() => add(id)}
          >
            {name}
          </button>
        ))}
        {others.length > 12 && <span className="muted">and {others.length - 12} more</span>}
        {search !== '' && others.length > 1 && (
          <button
            type="button"
            className="chip"
            onClick={() => {
              onChange([...to, ...others.map(({ id }) => id)]);
              setSearch('');
            }}
          >
            all {others.length}
          </button>
        )}
      </div>
    </fieldset>
  );
}
