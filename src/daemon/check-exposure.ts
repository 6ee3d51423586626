// Who can reach the dashboard, and whether that is what the configuration says.
import type { Exposure } from '../api/types.js';
import type { Config } from '../mail/index.js';
import { type Checked, note, problem } from './finding.js';

export function checkExposure(
  { listenHost }: Pick<Config, 'listenHost'>,
  { hosts, port, password }: Exposure,
): Checked {
  const findings = [];
  if (!hosts.includes(listenHost) && !hosts.includes('0.0.0.0') && !hosts.includes('::'))
    findings.push(
      problem(
        'dashboard',
        `listen_host says ${listenHost}, and the dashboard cannot be reached there`,
        password
          ? 'sm down and sm up, if it was changed since the start; else sm logs says why'
          : 'set a password (sm dash --password), then sm down and sm up',
      ),
    );
  if (hosts.length > 1)
    findings.push(
      note(
        'dashboard',
        `it can be reached at ${hosts.join(', ')}, port ${port}, without encryption`,
        'behind a proxy that speaks TLS, or through ssh -L, nobody on the way reads along',
      ),
    );
  return { about: 'dashboard', detail: `at ${hosts.join(', ')}, port ${port}`, findings };
}
