// Where a session's terminal is: its part is loaded when it is first opened, and without it the rest of the page stays.
import { lazy, Suspense } from 'react';
import { Boundary } from '../parts/boundary.js';
import { ReloadButton } from '../parts/reload.js';

const TerminalView = lazy(() => import('../terminal/terminal-view.js'));

// A browser may keep the failure of a part for as long as the page stays, and after an upgrade its file has another name: so
// the way back is the page anew, with what was written kept.
export const TerminalPlace = ({ session, name }: { session: string; name: string }) => (
  <Boundary
    key={session}
    failed={({ reason }) => (
      <p className="problem" role="alert" title={reason}>
        The terminal could not be loaded: the daemon was not reached, or is another one by now.{' '}
        <ReloadButton />
      </p>
    )}
  >
    <Suspense fallback={<p className="empty">Opening the terminal …</p>}>
      <TerminalView session={session} name={name} />
    </Suspense>
  </Boundary>
);
