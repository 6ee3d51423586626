// The whole page: the masthead, the view that the address names, and what opens over it.
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAttention } from '../attention/use-attention.js';
import { InboxPage } from '../inbox/inbox-page.js';
import { Compose } from '../mail/compose.js';
import { MailPage } from '../mail/mail-page.js';
import { Thread } from '../mail/thread.js';
import { OpsPage } from '../ops/ops-page.js';
import { SpawnDialog } from '../ops/spawn-dialog.js';
import { Boundary } from '../parts/boundary.js';
import { SayProvider } from '../parts/say.js';
import { RemindersPage } from '../reminders/reminders-page.js';
import { SessionPage } from '../session/session-page.js';
import { SessionsPage } from '../sessions/sessions-page.js';
import { hasCode, SignInPage } from '../sign-in/sign-in-page.js';
import type { Following } from '../state/following.js';
import { usePick } from '../state/store.js';
import { type Actions, ActionsContext } from './actions.js';
import { Help } from './help.js';
import { useKeys } from './keys.js';
import { Masthead } from './masthead.js';
import { hrefOf, type Route, useRoute } from './route.js';

type Over = { open: 'compose'; to: readonly string[] } | { open: 'spawn' } | { open: 'help' };

export function App({ following }: { following: Following }) {
  const isSignedOut = usePick((state) => state.link.at === 'signed_out');
  const [isEntering, setEntering] = useState(hasCode);
  // Nothing is asked for before the code of a link has been used.
  useEffect(() => {
    if (!isEntering) following.start();
  }, [following, isEntering]);
  if (isEntering || isSignedOut)
    return (
      <SignInPage
        onSignedIn={() => {
          setEntering(false);
          following.feed.signedIn();
        }}
      />
    );
  return (
    <SayProvider>
      <Signed onRetry={following.feed.retry} />
    </SayProvider>
  );
}

function Signed({ onRetry }: { onRetry: () => void }) {
  const [over, setOver] = useState<Over>();
  const actions = useMemo<Actions>(
    () => ({
      compose: (to) => setOver({ open: 'compose', to }),
      spawn: () => setOver({ open: 'spawn' }),
      help: () => setOver({ open: 'help' }),
    }),
    [],
  );
  const close = (): void => setOver(undefined);
  return (
    <ActionsContext value={actions}>
      <Page onRetry={onRetry} />
      {over?.open === 'compose' && <Compose first={over.to} onClose={close} />}
      {over?.open === 'spawn' && <SpawnDialog onClose={close} />}
      {over?.open === 'help' && <Help onClose={close} />}
    </ActionsContext>
  );
}

function Page({ onRetry }: { onRetry: () => void }) {
  const route = useRoute();
  const calling = useAttention();
  useKeys();
  const isFirst = useRef(true);
  const place = hrefOf(route);
  // Whoever goes to another page by keys or by ear begins at its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place says that it is another page
  useEffect(() => {
    if (!isFirst.current) skip();
    isFirst.current = false;
  }, [place]);
  return (
    <>
      <button type="button" className="skip" onClick={skip}>
        To the content
      </button>
      <Masthead calling={calling} onRetry={onRetry} />
      <main id="main" tabIndex={-1}>
        <Boundary key={place} failed={(failure) => <Failed {...failure} />}>
          <View route={route} />
        </Boundary>
      </main>
    </>
  );
}

const Failed = ({ reason, again }: { reason: string; again: () => void }) => (
  <section className="page narrow">
    <p className="problem" role="alert">
      This page has failed: {reason}.{' '}
      <button type="button" className="link" onClick={again}>
        Try again
      </button>
    </p>
  </section>
);

// Past the masthead, for those who go by keys.
function skip(): void {
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function View({ route }: { route: Route }) {
  switch (route.page) {
    case 'sessions':
      return <SessionsPage />;
    case 'session':
      return <SessionPage id={route.id} />;
    case 'mail':
      return <MailPage list={route.list} />;
    case 'thread':
      return <Thread id={route.id} />;
    case 'inbox':
      return <InboxPage />;
    case 'reminders':
      return <RemindersPage />;
    case 'ops':
      return <OpsPage part={route.part} />;
  }
}
