// The head of the page: where you are, how it stands, and what can be done from anywhere.
import { setPaused, signOut } from '../api/endpoints.js';
import { useVoice } from '../parts/say.js';
import { usePick } from '../state/store.js';
import { useActions } from './actions.js';
import { Bell } from './bell.js';
import { Pill } from './pill.js';
import { type Preferences, setPreferences, usePreferences } from './preferences.js';
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
  const { compose, help } = useActions();
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
      <PauseSwitch />
      <button type="button" className="primary" onClick={() => compose([])}>
        Write
      </button>
      <Bell />
      <ThemeSwitch />
      <button type="button" className="quiet icon" aria-label="Keys" title="Keys (?)" onClick={help}>
        ?
      </button>
      <SignOut />
    </header>
  );
}

function PauseSwitch() {
  const { attempt } = useVoice();
  const isPaused = usePick((state) => state.isPaused);
  return (
    <button
      type="button"
      className={isPaused ? 'on' : 'quiet'}
      aria-pressed={isPaused}
      title={isPaused ? 'Let mail go again' : 'Hold all mail'}
      onClick={() =>
        void attempt(
          () => setPaused(!isPaused),
          isPaused ? 'Mail goes again.' : 'All mail waits until you resume.',
        )
      }
    >
      {isPaused ? 'Paused' : 'Pause'}
    </button>
  );
}

const THEMES: Record<Preferences['theme'], { next: Preferences['theme']; sign: string }> = {
  system: { next: 'light', sign: '◐' },
  light: { next: 'dark', sign: '○' },
  dark: { next: 'system', sign: '●' },
};

function ThemeSwitch() {
  const { theme } = usePreferences();
  const { next, sign } = THEMES[theme];
  return (
    <button
      type="button"
      className="quiet icon"
      aria-label={`Colours: ${theme}. Change to ${next}`}
      title={`Colours: ${theme}`}
      onClick={() => setPreferences({ theme: next })}
    >
      {sign}
    </button>
  );
}

function SignOut() {
  const { attempt } = useVoice();
  return (
    <button
      type="button"
      className="quiet icon"
      aria-label="Sign out"
      title="Sign out"
      onClick={() => void attempt(signOut).then((isDone) => isDone && location.reload())}
    >
      ⏻
    </button>
  );
}
