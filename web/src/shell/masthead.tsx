// The head of the page: where you are, how it stands, and what can be done from anywhere.
import { usePick } from '../state/store.js';
import { useActions } from './actions.js';
import { MoreMenu } from './more-menu.js';
import { Pill } from './pill.js';
import { hrefOf, type Route, useRoute } from './route.js';

interface Place {
  route: Route;
  label: string;
  pages: readonly Route['page'][];
}

const PLACES: readonly Place[] = [
  { route: { page: 'sessions' }, label: 'Sessions', pages: ['sessions', 'session'] },
  { route: { page: 'mail', list: 'queue' }, label: 'Mail', pages: ['mail', 'thread'] },
  { route: { page: 'inbox' }, label: 'Inbox', pages: ['inbox'] },
  { route: { page: 'reminders' }, label: 'Reminders', pages: ['reminders'] },
  { route: { page: 'ops', part: 'doctor' }, label: 'Operations', pages: ['ops'] },
];

export function Masthead({ calling, onRetry }: { calling: number; onRetry: () => void }) {
  const route = useRoute();
  const { compose } = useActions();
  const isPaused = usePick((state) => state.isPaused);
  const unread = usePick((state) => state.unread);
  const waiting = usePick((state) =>
    Object.values(state.sessions).reduce((sum, { pending }) => sum + pending, 0),
  );
  const counts: Partial<Record<Route['page'], number>> = { sessions: calling, mail: waiting, inbox: unread };
  return (
    <header className="masthead">
      <a className="wordmark" href="#/" aria-label="Suremail: all sessions">
        Suremail
      </a>
      <nav className="places" aria-label="Main">
        {PLACES.map(({ route: to, label, pages }) => {
          const count = counts[to.page] ?? 0;
          return (
            <a key={label} href={hrefOf(to)} aria-current={pages.includes(route.page) ? 'page' : undefined}>
              {label}
              {count > 0 && <span className={to.page === 'sessions' ? 'count now' : 'count'}>{count}</span>}
            </a>
          );
        })}
      </nav>
      <span className="grow" />
      <Pill onRetry={onRetry} />
      {isPaused && <span className="pill paused">mail is held</span>}
      <button type="button" className="primary" onClick={() => compose([])}>
        Write
      </button>
      <MoreMenu />
    </header>
  );
}
