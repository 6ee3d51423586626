// All sessions, those who need somebody first; with a search and a filter.
import { type CSSProperties, useMemo, useState } from 'react';
import { useActions } from '../shell/actions.js';
import { setPreferences, usePreferences } from '../shell/preferences.js';
import { sameItems, usePick } from '../state/store.js';
import { matches } from './filter.js';
import { NEEDS, type Need } from './need.js';
import { SECTIONS, wantedOrder } from './order.js';
import { SessionCard } from './session-card.js';
import { useAround } from './use-around.js';
import { useCalmOrder } from './use-calm-order.js';
import { NEED_WORDS, SECTION_WORDS } from './words.js';

export function SessionsPage() {
  const { spawn } = useActions();
  const { view } = usePreferences();
  const isLoaded = usePick((state) => state.isLoaded);
  const sessions = usePick((state) => Object.values(state.sessions), sameItems);
  const around = useAround();
  const [search, setSearch] = useState('');
  const [only, setOnly] = useState<Need>();
  const all = useMemo(() => wantedOrder(sessions, around), [sessions, around]);
  const wanted = useMemo(() => {
    const found = new Set(sessions.filter((session) => matches(session, search)).map(({ id }) => id));
    return all.filter(({ id, section }) => found.has(id) && (only === undefined || section === only));
  }, [all, sessions, search, only]);
  const { shown, isStale, sort, list, watch } = useCalmOrder(wanted, `${only} ${search}`);
  // As it is now, whatever section a card still stands in.
  const needs = useMemo(() => new Map(all.map(({ id, section }) => [id, section])), [all]);
  const count = (need: Need): number => all.filter(({ section }) => section === need).length;

  return (
    <section className="page" aria-labelledby="sessions-head">
      <div className="page-head">
        <h1 id="sessions-head">Sessions</h1>
        <input
          type="search"
          data-search
          aria-label="Find sessions by name, agent, host, folder, state or message"
          placeholder="Find …"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <fieldset className="filters">
          <legend className="off-screen">Show only</legend>
          {NEEDS.filter((need) => count(need) > 0 || only === need).map((need) => (
            <button
              key={need}
              type="button"
              className={`chip ${need}${only === need ? ' on' : ''}`}
              aria-pressed={only === need}
              onClick={() => setOnly(only === need ? undefined : need)}
            >
              {NEED_WORDS[need]} <b>{count(need)}</b>
            </button>
          ))}
        </fieldset>
        <span className="grow" />
        <button
          type="button"
          className="quiet"
          onClick={() => setPreferences({ view: view === 'rows' ? 'cards' : 'rows' })}
        >
          {view === 'rows' ? 'Cards' : 'Rows'}
        </button>
        <button type="button" onClick={spawn}>
          New session
        </button>
      </div>
      {isStale && (
        <button type="button" className="stale" onClick={sort}>
          The order has changed. Sort now
        </button>
      )}
      {isLoaded && sessions.length === 0 && (
        <p className="empty">
          No sessions yet. Start one with <kbd>New session</kbd>, or in a terminal:{' '}
          <code>sm new -- claude</code>
        </p>
      )}
      {sessions.length > 0 && wanted.length === 0 && <p className="empty">No session matches.</p>}
      <div ref={list} className={view === 'rows' ? 'sections one-column' : 'sections'} {...watch}>
        {SECTIONS.map((section) => {
          const placed = shown.filter((each) => each.section === section);
          if (placed.length === 0) return null;
          return (
            <section
              key={section}
              className={`section ${section}`}
              aria-label={SECTION_WORDS[section]}
              style={{ '--cards': placed.length } as CSSProperties}
            >
              <h2>
                {SECTION_WORDS[section]} <span className="muted">{placed.length}</span>
              </h2>
              <div className={view === 'rows' ? 'rows' : 'cards'}>
                {placed.map(({ id }) => (
                  <SessionCard key={id} id={id} need={needs.get(id) ?? 'over'} view={view} />
                ))}
              </div>
            </section>
          );
        })}
      </div>
    </section>
  );
}
