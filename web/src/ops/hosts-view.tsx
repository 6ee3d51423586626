// The machines that sessions run on: how each stands, and a look at one step by step.
import { useState } from 'react';
import type { Host, HostCheck } from '../../../src/api/types.js';
import { checkHost, listHosts } from '../api/endpoints.js';
import { SessionLink } from '../mail/message-row.js';
import { Until } from '../parts/clock.js';
import { Loading } from '../parts/loading.js';
import { useVoice } from '../parts/say.js';
import { useLoad } from '../parts/use-load.js';
import { sameItems, usePick } from '../state/store.js';

const TONES: Record<Host['state'], string> = { up: 'good', down: 'now', connecting: 'soon', idle: 'void' };

export function HostsView() {
  // What is told of a session says when its host comes or goes.
  const turn = usePick((state) =>
    Object.values(state.sessions)
      .map(({ host, host_down }) => `${host} ${host_down}`)
      .join(),
  );
  const load = useLoad(listHosts, [], turn);
  return (
    <>
      <article className="message">
        <header className="message-head">
          <span className="message-who">this machine</span>
        </header>
        <SessionsOn host={null} />
      </article>
      <Loading load={load}>
        {(hosts) => (
          <>
            {hosts.map((host) => (
              <HostRow key={host.name} host={host} onChange={load.reload} />
            ))}
            {hosts.length === 0 && (
              <p className="empty">
                No other machines. In a terminal: <code>sm host add NAME user@machine</code>
              </p>
            )}
          </>
        )}
      </Loading>
    </>
  );
}

function HostRow({ host, onChange }: { host: Host; onChange: () => void }) {
  const { attempt } = useVoice();
  const [check, setCheck] = useState<HostCheck>();
  const look = (): Promise<boolean> =>
    attempt(async () => {
      setCheck(await checkHost(host.name));
      onChange();
    });
  return (
    <article className="message" data-host={host.name}>
      <header className="message-head">
        <span className="message-who">{host.name}</span>
        <span className={`tag ${TONES[host.state]}`}>{host.state}</span>
        <span className="muted">{host.destination}</span>
        {host.retry_at && (
          <span className="muted">
            tried again <Until at={host.retry_at} />
          </span>
        )}
      </header>
      {host.reason && <p className="problem">{host.reason}</p>}
      <SessionsOn host={host.name} />
      <footer className="message-foot">
        <span className="muted">
          {[host.system, host.tmux, host.clock_skew !== null && `clock ${host.clock_skew} s ahead`]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className="message-actions">
          <button type="button" className="link" onClick={() => void look()}>
            Check
          </button>
        </span>
      </footer>
      {check && (
        <ul className="findings">
          {check.steps.map(({ step, state, detail }) => (
            <li key={step}>
              <span className={state === 'ok' ? 'tag good' : state === 'failed' ? 'tag now' : 'tag'}>
                {state}
              </span>{' '}
              {step}
              {detail && <span className="muted"> {detail}</span>}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function SessionsOn({ host }: { host: string | null }) {
  const sessions = usePick(
    (state) => Object.values(state.sessions).filter((session) => session.host === host),
    sameItems,
  );
  return (
    <div className="chips">
      {sessions.map(({ id, name }) => (
        <span key={id} className="chip">
          <SessionLink id={id} name={name} />
        </span>
      ))}
    </div>
  );
}
