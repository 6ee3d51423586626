// What the doctor finds: what needs attention first, then all that was looked at.
import { getDoctor } from '../api/endpoints.js';
import { Loading } from '../parts/loading.js';
import { useLoad } from '../parts/use-load.js';

export function DoctorView() {
  const load = useLoad(getDoctor, []);
  return (
    <Loading load={load}>
      {(report) => (
        <>
          <p className={report.ok ? 'verdict good' : 'verdict now'}>
            {report.ok ? 'Nothing needs attention.' : 'Something needs attention.'}{' '}
            <button type="button" className="link" onClick={load.reload} disabled={load.isLoading}>
              {load.isLoading ? 'Looking …' : 'Look again'}
            </button>
          </p>
          <ul className="findings">
            {report.findings.map(({ level, about, message, advice }) => (
              <li key={about + message}>
                <span className={level === 'problem' ? 'tag now' : 'tag'}>{level}</span> <b>{about}</b>{' '}
                {message}
                {advice && <p className="muted">{advice}</p>}
              </li>
            ))}
          </ul>
          <dl className="facts">
            <dt>Daemon</dt>
            <dd>
              {report.daemon.version}, Node {report.daemon.node}, pid {report.daemon.pid},{' '}
              {report.daemon.home}
            </dd>
            <dt>tmux</dt>
            <dd>
              {report.tmux.version}
              {!report.tmux.supported && ` (needs ${report.tmux.needs})`}
            </dd>
            <dt>Database</dt>
            <dd>
              {report.database.state}: {report.database.detail}
            </dd>
            <dt>Holding keys</dt>
            <dd>
              {report.hold.state}: {report.hold.detail}
              {report.hold.ms !== null && ` (${report.hold.ms} ms)`}
            </dd>
            {report.checks.map(({ about, detail }) => (
              <FactPair key={about} name={about} value={detail} />
            ))}
          </dl>
        </>
      )}
    </Loading>
  );
}

const FactPair = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
