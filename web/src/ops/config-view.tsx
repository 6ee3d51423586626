// What is configured at this moment, and where each value comes from. Read only: the file is the place to change it.
import { getConfig } from '../api/endpoints.js';
import { Loading } from '../parts/loading.js';
import { useLoad } from '../parts/use-load.js';

export function ConfigView() {
  const load = useLoad(getConfig, []);
  return (
    <Loading load={load}>
      {(config) => (
        <>
          <p className="muted">
            {config.file}
            {!config.exists && ' (sets nothing: all as it comes)'}
          </p>
          {config.problem && (
            <p className="problem" role="alert">
              {config.problem}. The last good one holds.
            </p>
          )}
          <div className="table-place">
            <table>
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">Value</th>
                  <th scope="col">From</th>
                </tr>
              </thead>
              <tbody>
                {config.values.map(({ key, value, from, line, about }) => (
                  <tr key={key} className={from === 'default' ? undefined : 'set'}>
                    <th scope="row" title={about}>
                      {key}
                      <span className="muted about">{about}</span>
                    </th>
                    <td>
                      <code>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</code>
                    </td>
                    <td className="muted">
                      {from}
                      {line !== null && `, line ${line}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Loading>
  );
}
