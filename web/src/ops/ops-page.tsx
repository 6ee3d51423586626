// Operations: what the doctor finds, the hosts, and the configuration as it holds.
import { Tabs } from '../parts/tabs.js';
import { hrefOf, type OPS_PARTS } from '../shell/route.js';
import { ConfigView } from './config-view.js';
import { DoctorView } from './doctor-view.js';
import { HostsView } from './hosts-view.js';

type Part = (typeof OPS_PARTS)[number];
const WORDS: Record<Part, string> = { doctor: 'Doctor', hosts: 'Hosts', config: 'Configuration' };

export function OpsPage({ part }: { part: Part }) {
  return (
    <section className="page narrow" aria-labelledby="ops-head">
      <h1 id="ops-head">Operations</h1>
      <Tabs
        label="Operations"
        tabs={(Object.keys(WORDS) as Part[]).map((each) => ({
          href: hrefOf({ page: 'ops', part: each }),
          label: WORDS[each],
          isOn: each === part,
        }))}
      />
      {part === 'doctor' && <DoctorView />}
      {part === 'hosts' && <HostsView />}
      {part === 'config' && <ConfigView />}
    </section>
  );
}
