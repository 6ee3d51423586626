// The machines that sessions run on.
import { SessionLink } from '../mail/message-row.js';
import { hostOf } from '../sessions/host.js';
import { sameItems, usePick } from '../state/store.js';

export function HostsView() {
  const sessions = usePick((state) => Object.values(state.sessions), sameItems);
  const hosts = [...new Set(sessions.map((session) => hostOf(session)))].sort((a, b) =>
    (a ?? '').localeCompare(b ?? ''),
  );
  return (
    <dl className="facts">
      {(hosts.length > 0 ? hosts : [null]).map((host) => (
        <div key={host ?? ''} className="fact-row">
          <dt>{host ?? 'this machine'}</dt>
          <dd>
            {sessions
              .filter((session) => hostOf(session) === host)
              .map(({ id, name }) => (
                <span key={id} className="chip">
                  <SessionLink id={id} name={name} />
                </span>
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
