// What can be done with a session: seen, mute, pause, rename, attach elsewhere, end.
import { useState } from 'react';
import type { Session } from '../../../src/api/types.js';
import { killSession, updateSession } from '../api/endpoints.js';
import { useMemory } from '../attention/memory-context.js';
import { CopyButton } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Problem } from '../parts/problem.js';
import { useVoice } from '../parts/say.js';
import { useTask } from '../parts/use-task.js';
import type { Need } from '../sessions/need.js';
import { go, parseRoute } from '../shell/route.js';
import { useStore } from '../state/store.js';

type Open = 'rename' | 'end';

export function SessionMenu({ session, need }: { session: Session; need: Need }) {
  const store = useStore();
  const live = useMemory();
  const { attempt } = useVoice();
  const [open, setOpen] = useState<Open>();
  const isMuted = live.memory.isMuted(session.id);
  const isCalling = (need === 'now' || need === 'soon') && session.signal_seq > 0;
  return (
    <div className="session-menu" role="toolbar" aria-label={`What to do with ${session.name}`}>
      {isCalling && (
        <button type="button" onClick={() => live.markSeen(session.id, session.signal_seq)}>
          Seen
        </button>
      )}
      <button type="button" className="quiet" onClick={() => live.setMuted(session.id, !isMuted)}>
        {isMuted ? 'Unmute' : 'Mute'}
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() =>
          void attempt(
            async () =>
              store.dispatch({
                type: 'session',
                session: await updateSession(session.id, { paused: !session.paused }),
              }),
            session.paused ? 'Mail goes to it again.' : 'Its mail waits until you resume.',
          )
        }
      >
        {session.paused ? 'Resume' : 'Pause mail'}
      </button>
      <CopyButton
        text={`sm attach ${session.name}`}
        label="Copy attach"
        said={`Copied: sm attach ${session.name}`}
      />
      <button type="button" className="quiet" onClick={() => setOpen('rename')}>
        Rename
      </button>
      <button type="button" className="quiet danger" onClick={() => setOpen('end')}>
        End
      </button>
      {open === 'rename' && <Rename session={session} onClose={() => setOpen(undefined)} />}
      {open === 'end' && <End session={session} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

interface Props {
  session: Session;
  onClose: () => void;
}

function Rename({ session, onClose }: Props) {
  const store = useStore();
  const { say } = useVoice();
  const { isBusy, problem, run } = useTask();
  const [name, setName] = useState(session.name);
  const rename = async (): Promise<void> => {
    const became = await run(async () =>
      store.dispatch({ type: 'session', session: await updateSession(session.id, { name: name.trim() }) }),
    );
    if (became === 'failed') return;
    say(`It is called ${name.trim()} now.`);
    if (became === 'done') onClose();
  };
  return (
    <Dialog title={`Rename ${session.name}`} onClose={onClose}>
      <form
        className="letter"
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <label>
          New name
          <input value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <Problem text={problem} />
        <div className="letter-foot">
          <button type="submit" className="primary" disabled={isBusy}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function End({ session, onClose }: Props) {
  const { say } = useVoice();
  const { isBusy, problem, run } = useTask();
  const end = async (): Promise<void> => {
    if ((await run(() => killSession(session.id))) === 'failed') return;
    say(`${session.name} has ended.`);
    // Its page is empty now; who has gone elsewhere meanwhile stays there.
    const route = parseRoute(location.hash);
    if (route.page === 'session' && [session.id, session.name].includes(route.id)) go({ page: 'sessions' });
  };
  return (
    <Dialog title={`End ${session.name}?`} onClose={onClose}>
      <p>
        Its pane is closed and whatever runs there with it.
        {session.pending > 0 && ` ${session.pending} that wait for it are cancelled.`} This cannot be undone.
      </p>
      <Problem text={problem} />
      <div className="letter-foot">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <button type="button" className="primary danger" disabled={isBusy} onClick={() => void end()}>
          End it
        </button>
      </div>
    </Dialog>
  );
}
